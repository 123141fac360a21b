import type { ServerResponse } from 'node:http'
import { ANONYMOUS } from '../auth/caller.ts'
import { Failure } from '../errors.ts'
import { allowed, errorReply, type Sendable, sendReply } from './answer.ts'
import { languageOf } from './arrival.ts'
import { NOTHING, type Sent } from './body.ts'
import { callerOf } from './caller-of.ts'
import { corsHeaders } from './cors.ts'
import { linked } from './discovery.ts'
import { callOf, dispatch, type Incoming } from './dispatch.ts'
import { conditional, validated } from './etag.ts'
import { isWrite } from './hand-over.ts'
import type { AnsweredWrite, Answering } from './idempotency/idempotency.ts'
import { EarlierResponse, type KeyedRequest } from './idempotency/keyed-request.ts'
import { type Arrived, incomingOf, readContent, urlsFor } from './incoming.ts'
import { preconditionsOf } from './preconditions.ts'
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts'
import { servingRequest } from './requesting.ts'
import type { AnyRoute, Reply } from './route.ts'
import { seqHeader } from './seq-header.ts'
import type { ServerParts } from './server-parts.ts'
import { ignoredHeader, isStrict, unknownNames } from './unknown-names.ts'
import { writeAnswer } from './write-answer.ts'

/** A request to a route, whichever way it came. */
export interface RoutedRequest {
  readonly route: AnyRoute
  /** All of its path. */
  readonly routes: readonly AnyRoute[]
  readonly request: Arrived
  readonly response: ServerResponse
}

/**
 * Answers a request by its route. Credentials are checked before the body is read; both may end the request (wire: events
 * 0.1). Rejects, with nothing sent, where credentials are wrong, too much was asked, or the answer cannot be given the form that was asked for.
 */
export function answerRoute(parts: ServerParts, exchange: RoutedRequest): Promise<void> {
  return servingRequest(exchange.request, () => answerNow(parts, exchange))
}

async function answerNow(parts: ServerParts, exchange: RoutedRequest): Promise<void> {
  const { route, routes, request, response } = exchange
  const { method, headers, claim, raw } = request
  const counting = parts.limits?.admit(raw)
  if (counting !== undefined) await counting
  const fragments = claim && parts.cache?.fragmentsFor(claim)
  const { authorization } = headers
  const caller = authorization === undefined ? ANONYMOUS : await callerOf(parts, request.raw)
  const asking = parts.limits?.ask(raw, { caller, isCostly: isCostly(request) })
  if (asking !== undefined) await asking
  const arrived = { ...incomingOf(parts, request, caller), ...(fragments && { fragments }) }
  const content = hasContent(route, request) ? await contentOf(route, request) : {}
  const incoming = 'broken' in content ? arrived : { ...arrived, ...content }
  const finish = (reply: Reply): Sendable => {
    const sendable = withIgnored(sendReply(callOf(route, incoming), reply, allowed(routes, incoming)), route, incoming)
    return linked(validated(sendable, { reply, method }), incoming.urls)
  }
  const failed = (error: unknown): Reply => failureReply(parts, request, { error, language: incoming.language })
  const answer = async (keyed?: KeyedRequest): Promise<Answering> => {
    const asked = keyed === undefined ? incoming : { ...incoming, keyed }
    const replying = 'broken' in content ? Promise.reject(content.broken) : dispatchConditional(parts, exchange, asked)
    const reply = await replying.catch(failed)
    return { reply, sendable: finish(reply) }
  }
  if (isWrite(method))
    return send(parts, { request, response }, await answerOnce(parts, { request, incoming, finish, answer, failed }))
  const { reply, sendable } = await answer()
  if (reply.status === 200 && claim !== undefined)
    parts.cache?.keep(claim, { answer: sendable, lasting: reply.lasting })
  send(parts, { request, response }, conditional(sendable, headers['if-none-match']))
}

/** A write, which its Idempotency-Key may have answered already. */
async function answerOnce(
  { idempotency }: ServerParts,
  write: AnsweredWrite & { failed(error: unknown): Reply },
): Promise<Sendable> {
  if (idempotency === undefined) return (await write.answer()).sendable
  return idempotency.answer(write).catch((error: unknown) => write.finish(write.failed(error)))
}

/** A read goes straight to its route, a write with what it demands of its item. @throws rest_invalid_header */
async function dispatchConditional(
  { options }: ServerParts,
  { route, request: { headers } }: RoutedRequest,
  incoming: Incoming,
): Promise<Reply> {
  if (route.method === 'GET') return dispatch(route, incoming)
  const preconditions = preconditionsOf(headers, options.requireIfMatch)
  return dispatch(route, { ...incoming, ...(preconditions && { preconditions }) })
}

/** Tells which parameters meant nothing; kept with the response, whose key holds all of them. */
function withIgnored(answer: Sendable, route: AnyRoute, incoming: Incoming): Sendable {
  const names = unknownNames(route, incoming)
  if (names.length === 0 || isStrict(callOf(route, incoming))) return answer
  return { ...answer, headers: { ...answer.headers, ...ignoredHeader(names) } }
}

/** Answers an anonymous GET for which `answerRoute` has rejected. */
export function answerFailure(parts: ServerParts, { request, response }: Unanswered, error: unknown): void {
  const query = request.query ?? {}
  const asking = { caller: ANONYMOUS, sent: (name: string): unknown => Reflect.get(query, name) }
  const reply = failureReply(parts, request, { error, language: languageOf(request, parts.options.language) })
  send(parts, { request, response }, linked(sendReply(asking, reply), urlsFor(parts, request)))
}

type Unanswered = Pick<RoutedRequest, 'request' | 'response'>

function send(parts: ServerParts, { request, response }: Unanswered, { status, body, headers }: Sendable): void {
  const id = { [REQUEST_ID_HEADER]: requestIdOf(request.raw) }
  const limits = parts.limits?.fieldsOf(request.raw)
  const sent = { status, body, headers: { ...id, ...headers, ...exchangeHeaders(parts, request), ...limits } }
  writeAnswer(response, sent, (error) => tell(parts, request, error))
}

/** Query parameters that make a read take long: texts are searched, distances measured, passwords stretched. */
const COSTLY: readonly string[] = ['search', 'geoloc_lat', 'geoloc_lng', 'only_with_upcoming', 'password']

function isCostly({ method, query }: Arrived): boolean {
  return !isWrite(method) && COSTLY.some((name) => Object.hasOwn((query ?? NOTHING) as Sent, name))
}

/** Tells the log what nobody foresaw. */
function tell({ log }: ServerParts, { raw }: Arrived, error: unknown): void {
  log.error({ err: error, requestId: requestIdOf(raw) }, 'request failed')
}

function hasContent(route: AnyRoute, { body }: Arrived): boolean {
  return body !== undefined || route.uploadLimit !== undefined
}

async function contentOf(route: AnyRoute, request: Arrived) {
  return readContent(request, route.uploadLimit !== undefined).catch((broken: unknown) => ({ broken }))
}

/** What the request decides of the headers of an answer. */
export function exchangeHeaders(
  parts: ServerParts,
  { method, headers }: Pick<Arrived, 'method' | 'headers'>,
): Readonly<Record<string, string>> {
  return { ...seqHeader(method, parts.seq), ...corsHeaders(headers.origin, parts.options.corsOrigins) }
}

/** What a route that failed answers; what nobody foresaw is told to the log. */
function failureReply(
  parts: ServerParts,
  request: Arrived,
  { error, language }: { readonly error: unknown; readonly language: string },
): Reply {
  if (error instanceof EarlierResponse) throw error
  if (!(error instanceof Failure)) tell(parts, request, error)
  return errorReply(error, language)
}
