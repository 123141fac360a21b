import { fail } from '../base/errors.ts'
import type { Caller } from './auth/rights.ts'
import { callOf, dispatch } from './dispatch.ts'
import type { RouteResult } from './idempotency/idempotency.ts'
import type { KeyedRequest } from './idempotency/keyed-request.ts'
import type { Namespace } from './namespace.ts'
import { renamedFailure, unknownNames } from './params.ts'
import { NOTHING, type RawInput } from './request/body.ts'
import { incomingOf } from './request/incoming.ts'
import type { ServerRequest } from './request/server-request.ts'
import { bytesOf, type HttpResponse, renderReply } from './response/http-response.ts'
import { validated } from './response/representation.ts'
import { preconditionsOf } from './route/preconditions.ts'
import { failedReply, isCostly } from './route/respond-by-route.ts'
import type { AnyRoute, Method, Reply } from './route.ts'
import type { ServerDeps } from './server-deps.ts'

/** A request that the server sends to one of its own routes while it responds to another request. */
export interface InnerRequest {
  readonly method: Method
  /** With its namespace, percent-encoded: `/cal/events/v1/events/10`. */
  readonly path: string
  /** By name. Numbers and booleans are sent as texts, and nothing of what is undefined. */
  readonly query?: RawInput
  /** What is undefined is not sent. */
  readonly body?: RawInput
  /** Preconditions and `idempotency-key`, by their names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
  /** What its client calls parameters that failures name, by their names in the route. */
  readonly names?: Readonly<Record<string, string>>
  /** See `Incoming.refusesDuplicates`. */
  readonly refusesDuplicates?: boolean
  /** See `Incoming.listsHidden`. */
  readonly listsHidden?: boolean
}

/** The response to it: `body` is parsed, names of headers are in lower case. */
export interface InnerResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The request from a client on whose behalf it is sent: its rights, language and budgets apply. */
export interface OuterRequest {
  readonly request: ServerRequest
  readonly caller: Caller
}

/**
 * Sends a request to a route, in whatever namespace, as its client would get it: budgets, scope, stages, preconditions and
 * Idempotency-Key. Names that mean nothing to the route are refused.
 * @throws rest_no_route, rest_too_many_requests, and failures of the Idempotency-Key; what the route refuses is a response
 */
export async function sendInnerRequest(
  deps: ServerDeps,
  { request, caller }: OuterRequest,
  asked: InnerRequest,
): Promise<InnerResponse> {
  const { method, headers = {}, names = {}, refusesDuplicates, listsHidden } = asked
  const [query, body] = [textsOf(asked.query), definedOf(asked.body)]
  const { route, path, namespace } = namedRoute(deps.namespaces, asked)
  const isWrite = method !== 'GET'
  const charged = { client: request.client, draws: request.draws, isWrite }
  deps.limits?.admit(charged, isWrite)
  deps.limits?.ask(charged, { caller, isCostly: route.isCostly === true || isCostly({ method, query }) })
  const { urls, mount, ...incoming } = incomingOf(deps, request, caller)
  const call = callOf(route, {
    ...incoming,
    ...{ path, query, body, refusesDuplicates, listsHidden },
    mount: { ...mount, namespace },
    urls: { ...urls, api: (below) => urls.root(`/${namespace}${below}`) },
  })
  const finish = (reply: Reply): HttpResponse => validated(renderReply(call, reply), { reply, method })
  const respond = async (keyed?: KeyedRequest): Promise<RouteResult> => {
    const preconditions = isWrite ? preconditionsOf(headers, deps.options.requireIfMatch) : undefined
    const replying = dispatch(route, { ...call, keyed, preconditions }, unknownNames(route, call))
    const reply = await replying.catch((failure: unknown) => {
      const error = renamedFailure(failure, (name) => names[name] ?? name, call.language)
      return failedReply(deps, request, { error, call, route })
    })
    return { reply, response: finish(reply) }
  }
  if (!isWrite || deps.idempotency === undefined) return innerResponse((await respond()).response)
  const { authorization } = request.headers
  const sent = { 'content-type': 'application/json', ...headers, ...(authorization !== undefined && { authorization }) }
  // A request that may make a duplicate is another one.
  const parameters = { ...query, ...(refusesDuplicates === true && { refusesDuplicates: '1' }) }
  const target = `${asked.path}?${new URLSearchParams(parameters as Record<string, string>)}`
  const message = { target, method, headers: sent, body: Buffer.from(JSON.stringify(body)), session: undefined }
  return innerResponse(await deps.idempotency.respond({ request: message, incoming: call, finish, respond }))
}

function definedOf(values: RawInput = NOTHING): RawInput {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

function textsOf(query: RawInput | undefined): RawInput {
  const sent = Object.entries(definedOf(query))
  return Object.fromEntries(sent.map(([name, value]) => [name, typeof value === 'object' ? value : String(value)]))
}

/** The response as the part of another one. */
export function innerResponse({ status, headers, body }: HttpResponse): InnerResponse {
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  const text = bytesOf(body).toString('utf8')
  return { status, headers: Object.fromEntries(named), body: text === '' ? undefined : JSON.parse(text) }
}

/** A route of a table, and what a path names in it. */
interface MatchedRoute {
  readonly route: AnyRoute
  /** Path parameters, percent-decoded. */
  readonly path: Readonly<Record<string, string>>
}

function namedRoute(
  namespaces: readonly Namespace[],
  { method, path }: InnerRequest,
): MatchedRoute & { readonly namespace: string } {
  for (const { name, routes } of namespaces) {
    const found = path.startsWith(`/${name}/`) ? matchRoute(routes, method, path.slice(name.length + 1)) : undefined
    if (found !== undefined) return { ...found, namespace: name }
  }
  throw fail('rest_no_route')
}

/** The first route with a method and a path, which is below their namespace; undefined where there is none. */
export function matchRoute(routes: readonly AnyRoute[], method: Method, path: string): MatchedRoute | undefined {
  const segments = path.split('/').filter((segment) => segment !== '')
  for (const route of routes) {
    const named = route.method === method ? matched(route.path, segments) : undefined
    if (named !== undefined) return { route, path: named }
  }
  return undefined
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
