import { fail } from '../../base/errors.ts'
import { LANGUAGES } from '../../base/i18n/languages.ts'
import { NAMESPACE, type NamespaceNames, readTarget } from '../../http/address.ts'
import { matchRoute } from '../../http/inner-request.ts'
import { type RawInput, readForm } from '../../http/request/body.ts'
import type { AnyRoute, Method } from '../../http/route.ts'

/** A route that a request of a batch names, and what its address says. */
export interface NamedRoute {
  readonly route: AnyRoute
  readonly path: Readonly<Record<string, string>>
  readonly query: RawInput
}

/** Where requests of a batch may go. */
export interface BatchTargets {
  readonly routes: readonly AnyRoute[]
  /** Further names of the namespace. */
  readonly aliases: readonly string[]
}

/**
 * The route of a request: those that read or change single items, and those that create them. Lists are left out, because
 * whoever changes something would wait for their search. A language in the address says nothing: that of the batch counts.
 * @throws batch_unsuitable_request, rest_no_route
 */
export function routeOf(
  { routes, aliases }: BatchTargets,
  { method, target }: { readonly method: Method; readonly target: string },
): NamedRoute {
  const namespaces: readonly NamespaceNames[] = [{ name: NAMESPACE, aliases }]
  const asked = readTarget(target, { namespaces, languages: LANGUAGES })
  const url = asked.mount === undefined ? `/${NAMESPACE}${target}` : asked.url
  if (!url.startsWith(`/${NAMESPACE}/`)) throw fail('batch_unsuitable_request')
  const cut = url.indexOf('?')
  const path = (cut < 0 ? url : url.slice(0, cut)).slice(NAMESPACE.length + 1)
  const query = readForm(cut < 0 ? '' : url.slice(cut + 1))
  const named = matchRoute(routes, method, path)
  if (named === undefined) throw fail('rest_no_route')
  if (method === 'GET' && named.route.pathFields.length === 0) throw fail('batch_unsuitable_request')
  return { ...named, query }
}
