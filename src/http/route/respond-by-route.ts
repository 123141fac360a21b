import { Failure } from '../../base/errors.ts'
import { ANONYMOUS } from '../auth/rights.ts'
import { preferredType } from '../cache/cache-key.ts'
import { callOf, dispatch } from '../dispatch.ts'
import type { RouteResult } from '../idempotency/idempotency.ts'
import { EarlierResponse, type KeyedRequest } from '../idempotency/keyed-request.ts'
import { ignoredHeader, isStrict, unknownNames } from '../params.ts'
import { contentTypeOf, NOTHING, type RawInput, readBody } from '../request/body.ts'
import { requireCsrfToken } from '../request/cross-origin.ts'
import { callerOf, incomingOf, readFile } from '../request/incoming.ts'
import { isSameCaller } from '../request/same-caller.ts'
import { CURSOR_HEADER, hasCredentials, type ServerRequest, WRITE_METHODS } from '../request/server-request.ts'
import type { StreamSource } from '../response/event-streams.ts'
import { type AllowByRole, errorReply, type HttpResponse, linked, renderReply } from '../response/http-response.ts'
import { conditional, packed, validated } from '../response/representation.ts'
import { corsHeaders, headersOf, logFailure, send } from '../response/respond.ts'
import type { AnyRoute, Call, Reply } from '../route.ts'
import type { ServerDeps } from '../server-deps.ts'
import { preconditionsOf } from './preconditions.ts'

/** A route, and what callers may do on its path. */
export interface RouteOfPath {
  readonly route: AnyRoute
  readonly allow: AllowByRole
}

/** Responds to the requests of a route, see `respondByRoute`. */
export function responderOf(deps: ServerDeps, of: RouteOfPath): (request: ServerRequest) => Promise<void> {
  return (request) => respondByRoute(deps, request, of)
}

/**
 * Responds to a request by its route. Credentials are checked before the body is read; both may end the request (wire:
 * events 0.1). Rejects, with nothing sent, when credentials are wrong, a limit is exceeded, or the response cannot be
 * given the requested form.
 */
async function respondByRoute(
  deps: ServerDeps,
  request: ServerRequest,
  { route: declared, allow }: RouteOfPath,
): Promise<void> {
  const { method, headers, ticket } = request
  const route = declared.forms?.get(ticket?.type ?? preferredType(headers.accept)) ?? declared
  // A request with credentials gets no ticket; where a body was read, they are known already.
  const asksWho = request.user === undefined && ticket === undefined && hasCredentials(headers)
  const caller = request.user ?? (asksWho ? await callerOf(deps, request) : ANONYMOUS)
  deps.limits?.ask(request, { caller, isCostly: route.isCostly === true || isCostly(request) })
  const arrived = { ...incomingOf(deps, request, caller), fragments: ticket?.fragments }
  const content = await contentOf(route, request)
  const forged = forgeryOf(deps, request, 'broken' in content ? NOTHING : content.body)
  const call = callOf(route, 'broken' in content ? arrived : { ...arrived, ...content })
  const further = (route.counts?.(call) ?? 1) - 1
  if (further > 0) deps.limits?.charge(request, { caller, times: further })
  const names = unknownNames(route, call)
  const unknown = { names, areRefused: names.length > 0 && isStrict(call) }
  // Taken before anything is read: what changes meanwhile may be in the list, and comes once more.
  const cursor = route.response.list === undefined ? undefined : await deps.cursor?.()
  const finish = (reply: Reply): HttpResponse =>
    finished(call, reply, { allow: allow[caller.role], method, unknown, cursor })
  const replyTo = (error: unknown): Reply => failedReply(deps, request, { error, call, route })
  const respond = async (keyed?: KeyedRequest): Promise<RouteResult> => {
    const refusal = forged ?? ('broken' in content ? content.broken : undefined)
    const replying =
      refusal === undefined ? run(deps, request, { route, call, unknown, keyed }) : Promise.reject(refusal)
    const reply = await replying.catch(replyTo)
    return { reply, response: finish(reply) }
  }
  // Another page of the browser neither gets what was answered before nor has its refusal stored.
  if (WRITE_METHODS.has(method) && deps.idempotency !== undefined && forged === undefined) {
    const responding = deps.idempotency.respond({ request, incoming: call, finish, respond })
    return send(deps, request, await responding.catch((error) => finish(replyTo(error))))
  }
  const { reply, response } = await respond()
  if (reply.stream !== undefined) return beginStream(deps, request, { response, stream: reply.stream })
  if (reply.status === 200 && ticket !== undefined) deps.cache?.store(ticket, { response, freshness: reply.freshness })
  if (WRITE_METHODS.has(method)) return send(deps, request, response)
  const sent = conditional(response, headers['if-none-match'])
  send(deps, request, isPublic(sent) ? await packed(sent, headers['accept-encoding']) : sent)
}

/** Whether everybody may see a response: others go out as they are, as their compressed length may tell what is in them. */
function isPublic({ status, headers, chunks }: HttpResponse): boolean {
  return status === 200 && chunks === undefined && headers['cache-control']?.startsWith('public') === true
}

/** Sends a response that continues. @throws rest_too_busy, rest_unavailable */
function beginStream(
  deps: ServerDeps,
  request: ServerRequest,
  { response, stream }: { readonly response: HttpResponse; readonly stream: StreamSource },
): void {
  const { ticket, sentMethod, client } = request
  // Requests for the same must not wait for its end.
  ticket?.ended?.()
  const { etag: _, ...own } = response.headers
  const cors = corsHeaders(request.headers.origin, deps.options.corsOrigins)
  const headers = headersOf(deps, request, { ...own, ...cors })
  const isHead = sentMethod === 'HEAD'
  const isSame = (): Promise<boolean> => isSameCaller(deps, request)
  const { response: sink } = request
  deps.streams?.begin({ response: sink, client: client.key, headers, isHead, isSameCaller: isSame }, stream)
}

/** Parameters unknown to a route: an error if the request is strict, otherwise reported in a header. */
interface Unknown {
  readonly names: readonly string[]
  readonly areRefused: boolean
}

interface Running {
  readonly route: AnyRoute
  readonly call: Call
  readonly unknown: Unknown
  readonly keyed: KeyedRequest | undefined
}

/**
 * Runs the stages of a route, with the preconditions of a write.
 * @throws rest_invalid_header, and what a stage throws
 */
async function run(
  { options }: ServerDeps,
  { headers }: ServerRequest,
  { route, call, unknown, keyed }: Running,
): Promise<Reply> {
  const refused = unknown.areRefused ? unknown.names : []
  if (route.method === 'GET') return dispatch(route, call, refused)
  const preconditions = preconditionsOf(headers, options.requireIfMatch)
  return dispatch(route, { ...call, keyed, preconditions }, refused)
}

/** What a reply is sent with. */
interface Finishing {
  readonly allow: string
  readonly method: string
  readonly unknown: Unknown
  /** For a list, see `ServerDeps.cursor`. */
  readonly cursor: string | undefined
}

/** A reply as sent and cached: the cache key contains all parameters, even unknown ones. */
function finished(call: Call, reply: Reply, { allow, method, unknown, cursor }: Finishing): HttpResponse {
  const { headers, ...sent } = linked(renderReply(call, reply, allow), call.urls)
  const ignored = unknown.areRefused || unknown.names.length === 0 ? {} : ignoredHeader(unknown.names)
  const followed = cursor === undefined || reply.status !== 200 ? {} : { [CURSOR_HEADER]: cursor }
  return validated({ ...sent, headers: { ...headers, ...ignored, ...followed } }, { reply, method })
}

/** The reply of a route that failed; unexpected errors are logged. @throws EarlierResponse */
export function failedReply(
  deps: ServerDeps,
  request: ServerRequest,
  { error, call, route }: { readonly error: unknown; readonly call: Call; readonly route: AnyRoute },
): Reply {
  if (error instanceof EarlierResponse) throw error
  if (!(error instanceof Failure)) logFailure(deps, request, error)
  const reply = errorReply(error, call.language)
  return route.showError === undefined ? reply : { ...reply, body: route.showError(reply.body, call) }
}

/** Query parameters that make a read expensive: texts are searched, distances computed, passwords hashed. */
const COSTLY: readonly string[] = [
  'search',
  'about',
  'q',
  's',
  'tribe-bar-search',
  'geoloc_lat',
  'geoloc_lng',
  'geo_lat',
  'geo_lng',
  'only_with_upcoming',
  'password',
]

/** Whether a request is charged as one of those that take long, or asks (`url`) for what a page says that does. */
export function isCostly({ method, query }: Pick<ServerRequest, 'method' | 'query'>): boolean {
  if (WRITE_METHODS.has(method)) return false
  const page = typeof query['url'] === 'string' ? URL.parse(query['url']) : null
  return COSTLY.some((name) => Object.hasOwn(query, name) || page?.searchParams.has(name) === true)
}

/** The body that was sent, or why it cannot be read. */
async function contentOf(route: AnyRoute, request: ServerRequest) {
  try {
    return route.uploadLimit === undefined
      ? { body: await readBody(request.body, contentTypeOf(request), request.sentMethod) }
      : await readFile(request)
  } catch (broken) {
    return { broken }
  }
}

/** The refusal of a change in a session without its token; undefined where there is none. */
function forgeryOf({ options }: ServerDeps, request: ServerRequest, body: RawInput): unknown {
  if (request.session === undefined) return undefined
  try {
    requireCsrfToken(request, body, options)
    return undefined
  } catch (forged) {
    return forged
  }
}
