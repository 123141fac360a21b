import type { ServerResponse } from 'node:http'
import { answerFailure, answerRoute } from './answer-route.ts'
import { classOf } from './answered.ts'
import { readForm } from './body.ts'
import type { Arrival } from './cache/answer-cache.ts'
import { type MountOptions, readUsual } from './mount.ts'
import type { AnyRoute } from './route.ts'
import type { ServerParts } from './server-parts.ts'
import { pathsOf, type Space } from './space.ts'

/** What answers GET of a path. */
interface DirectRoute {
  /** As statistics name it: `/cal/events/v1/events/:id`. */
  readonly path: string
  readonly route: AnyRoute
  /** All of the path. */
  readonly routes: readonly AnyRoute[]
}

/**
 * Answers anonymous GETs of routes whose path is one word, such as lists, or a word and a number past the web framework, and
 * returns false for everything else: router, hooks and objects of the framework take 6 % of a list of kept texts. Whoever
 * has a claim to the cache has neither credentials nor a body, names a host that is known, and asks for an address that
 * begins with a slash. Behind proxies that are believed the framework reads who asks.
 */
export function directly(parts: ServerParts, names: MountOptions): (arrival: Arrival) => boolean {
  if (parts.options.trustedProxies.length > 0) return () => false
  const table = tableOf(parts.spaces)
  return ({ request, response, claim }) => {
    if (request.method !== 'GET') return false
    const target = readUsual(request.url ?? '', names)
    if (target === undefined) return false
    const { id, mount, query } = target
    const found = table.get(id === undefined ? target.path : `${target.path}/:id`)
    if (found === undefined) return false
    if (parts.timer !== undefined) time(parts.timer(), found.path, response)
    const arrived = {
      raw: request,
      headers: request.headers,
      method: 'GET',
      host: request.headers.host ?? '',
      protocol: 'http',
      address: request.socket.remoteAddress,
      mount,
      claim,
      params: id === undefined ? NO_PARAMS : { id },
      query: readForm(query),
      body: undefined,
    }
    const { route, routes } = found
    answerRoute(parts, { route, routes, request: arrived, response }).catch((error: unknown) =>
      answerFailure(parts, { request: arrived, response }, error),
    )
    return true
  }
}

const NO_PARAMS: Readonly<Record<string, string>> = {}

function tableOf(spaces: readonly Space[]): ReadonlyMap<string, DirectRoute> {
  const table = new Map<string, DirectRoute>()
  for (const space of spaces) {
    for (const { path, routes } of pathsOf(space)) {
      const route = routes.find(({ method }) => method === 'GET')
      if (route !== undefined) table.set(path, { path, route, routes })
    }
  }
  return table
}

function time(end: ReturnType<NonNullable<ServerParts['timer']>>, route: string, response: ServerResponse): void {
  response.once('finish', () => end({ route, method: 'GET', status: classOf(response.statusCode) }))
}
