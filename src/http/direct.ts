import type { ServerResponse } from 'node:http'
import { ANONYMOUS } from '../auth/caller.ts'
import { LANGUAGES } from '../i18n/languages.ts'
import { sendReply } from './answer.ts'
import { answerRoute, failureReply } from './answer-route.ts'
import { classOf } from './answered.ts'
import { languageOf } from './arrival.ts'
import { readForm } from './body.ts'
import type { Arrival } from './cache/answer-cache.ts'
import { linked } from './discovery.ts'
import { urlsFor } from './incoming.ts'
import { readUsual } from './mount.ts'
import type { AnyRoute } from './route.ts'
import type { ServerParts } from './server-parts.ts'
import type { Space } from './space.ts'
import { writeAnswer } from './write-answer.ts'

/** The routes of a path, that of GET by itself. */
interface PathRoutes {
  /** As statistics name it: `/cal/events/v1/events/:id`. */
  readonly path: string
  readonly route: AnyRoute
  readonly routes: readonly AnyRoute[]
}

/**
 * Answers anonymous GETs of a list, or of one item by its number, past the web framework, and returns false for everything
 * else: the router, the hooks and the objects of the framework take a tenth of the time of a list of kept texts. Whoever
 * has a claim to the cache has neither credentials nor a body, names a host that is known, and asks for an address that
 * begins with a slash. Behind proxies that are believed the framework reads who asks.
 */
export function directly(parts: ServerParts): (arrival: Arrival) => boolean {
  if (parts.options.trustedProxies.length > 0) return () => false
  const table = tableOf(parts.spaces)
  const names = { spaces: parts.spaces, languages: LANGUAGES }
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
      mount,
      claim,
      params: id === undefined ? NO_PARAMS : { id },
      query: readForm(query),
      body: undefined,
    }
    answerRoute(parts, { ...found, request: arrived, response }).catch((error: unknown) => {
      const reply = failureReply(parts, error, languageOf(arrived, parts.options.language))
      const answer = sendReply({ caller: ANONYMOUS, sent: () => undefined }, reply)
      writeAnswer(response, linked(answer, urlsFor(parts, arrived)))
    })
    return true
  }
}

const NO_PARAMS: Readonly<Record<string, string>> = {}

function tableOf(spaces: readonly Space[]): ReadonlyMap<string, PathRoutes> {
  const table = new Map<string, PathRoutes>()
  for (const { name, routes } of spaces) {
    for (const [below, own] of Map.groupBy(routes, ({ path }) => path)) {
      const path = `/${name}${below}`
      const route = own.find(({ method }) => method === 'GET')
      if (route !== undefined) table.set(path, { path, route, routes: own })
    }
  }
  return table
}

function time(end: ReturnType<NonNullable<ServerParts['timer']>>, route: string, response: ServerResponse): void {
  response.once('finish', () => end({ route, method: 'GET', status: classOf(response.statusCode) }))
}
