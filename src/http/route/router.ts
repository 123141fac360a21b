import openTable, { type HTTPMethod } from 'find-my-way'
import { fail } from '../../base/errors.ts'
import { type MountOptions, readPageTarget, readTarget } from '../address.ts'
import { type RawInput, readForm } from '../request/body.ts'
import type { ServerRequest } from '../request/server-request.ts'

/** What responds to the requests of one path. */
export interface PathHandler {
  /** As statistics name it: `/cal/events/v1/events/:id`; `none` where there is no route. */
  readonly name: string
  /** Largest body, in bytes. */
  readonly bodyLimit: number
  /** Largest body of a caller without valid credentials, in bytes; `ANONYMOUS_BODY_LIMIT` where absent. */
  readonly anonymousBodyLimit?: number
  /** Whether a request is exempt from the limits of its client; none is where absent. */
  isUncounted?(request: ServerRequest): boolean
  /** Whether the path leads anywhere at the moment; it always does where absent. */
  isThere?(): boolean
  /** Called before the body is read: whether it has responded already. */
  precheck?(request: ServerRequest): Promise<boolean>
  respond(request: ServerRequest): Promise<void>
}

/** A target with its path, which has `:name` segments, or `*` at its end for the rest. */
export interface RoutedPath {
  readonly methods: readonly HTTPMethod[]
  readonly path: string
  readonly target: PathHandler
}

/** Finds what responds to a request, and reads its address on the way. */
export type Router = (request: ServerRequest) => PathHandler

/** Longest path parameter, in characters. */
const PARAMETER_LENGTH = 2048

/** A router for paths; `nowhere` is the target of all others. @throws Error for two targets of one path and method */
export function openRouter(paths: readonly RoutedPath[], nowhere: PathHandler, names: MountOptions): Router {
  const table = openTable({
    maxParamLength: PARAMETER_LENGTH,
    querystringParser: readForm,
    // Both are recognized by the missing handler.
    onBadUrl: () => undefined,
    onMaxParamLength: () => undefined,
  })
  for (const { methods, path, target } of paths) table.on([...methods], path, () => undefined, target)
  return (request) => {
    const { url: target, mount } = readTarget(request.target, names)
    const { url, language } = mount === undefined ? readPageTarget(target, names.languages) : { url: target, ...mount }
    request.mount = mount
    request.language = language
    if (request.method === 'POST') request.method = overridden(request, url)
    const found = table.find(request.method as HTTPMethod, url)
    if (found === null) {
      request.query = queryIn(url)
      return nowhere
    }
    if (found.store === null) throw fail('rest_bad_request')
    const handler = found.store as PathHandler
    request.query = found.searchParams as RawInput
    request.path = found.params as Readonly<Record<string, string>>
    return handler.isThere?.() === false ? nowhere : handler
  }
}

const OVERRIDES = ['PUT', 'PATCH', 'DELETE', 'GET']

/** The method that a POST means: `_method` of the query string, X-HTTP-Method-Override, or POST (decisions). */
function overridden({ headers }: ServerRequest, url: string): string {
  const header = headers['x-http-method-override']
  const named = /[?&]_method=([A-Za-z]+)/.exec(url)?.[1] ?? (typeof header === 'string' ? header : '')
  const method = named.toUpperCase()
  return OVERRIDES.includes(method) ? method : 'POST'
}

function queryIn(url: string): RawInput {
  const cut = url.indexOf('?')
  return readForm(cut < 0 ? '' : url.slice(cut + 1))
}
