import type { NamedSchema } from '../http/openapi/parts.ts'
import type { AnyRoute, Method } from '../http/route.ts'
import { RESOURCES } from '../model/resource.ts'
import type { TecKind } from './items.ts'

/** The route of the interface that does the same with a kind of items. */
export function innerRoute(
  { key, routes }: Pick<TecKind, 'key' | 'routes'>,
  method: Method,
  isOfItem = method !== 'POST',
): AnyRoute {
  const path = `/${RESOURCES[key].collection}${isOfItem ? '/:id' : ''}`
  const found = routes.find((one) => one.method === method && one.path === path)
  if (found === undefined) throw new Error(`there is no ${method} ${path}`)
  return found
}

/** What a route has in common with that of the interface. */
export function commonParts({ method, path, summary, description, group, scope, ...inner }: AnyRoute) {
  const { pathFields, hasBody, fillsDefaults, open } = inner
  return {
    ...{ method, path, summary, description, pathFields, hasBody, fillsDefaults, open },
    ...(group && { group }),
    ...(scope && { scope }),
  }
}

/** What lists of items with a schema have in common. */
export function listLike(inner: AnyRoute, schema: NamedSchema) {
  const errors = ['tec_rest_organizers_page_not_found'] as const
  return { ...commonParts(inner), operation: `get${schema.name}s`, response: { ...inner.response, schema }, errors }
}

/** What routes that read an item have in common. */
export function itemLike(inner: AnyRoute, schema: NamedSchema) {
  const errors = ['rest_forbidden'] as const
  return { ...commonParts(inner), operation: `get${schema.name}`, response: { ...inner.response, schema }, errors }
}
