import { fail } from '../../base/errors.ts'
import { LANGUAGES } from '../../base/i18n/languages.ts'
import { NAMESPACE, type NamespaceNames, readTarget } from '../../http/address.ts'
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
  const segments = path.split('/').filter((segment) => segment !== '')
  const query = readForm(cut < 0 ? '' : url.slice(cut + 1))
  for (const route of routes) {
    const named = route.method === method ? matched(route.path, segments) : undefined
    if (named === undefined) continue
    if (method === 'GET' && route.pathFields.length === 0) throw fail('batch_unsuitable_request')
    return { route, path: named, query }
  }
  throw fail('rest_no_route')
}

/** The path parameters; undefined where the path is another one. */
function matched(template: string, segments: readonly string[]): Record<string, string> | undefined {
  const wanted = template.split('/').filter((segment) => segment !== '')
  if (wanted.length !== segments.length) return undefined
  const named: Record<string, string> = {}
  for (const [index, word] of wanted.entries()) {
    const text = decoded(segments[index] ?? '')
    if (!word.startsWith(':')) {
      if (word !== text?.toLowerCase()) return undefined
    } else if (text === undefined || (word === ':id' && !/^\d+$/.test(text))) return undefined
    else named[word.slice(1)] = text
  }
  return named
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
