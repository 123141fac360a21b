import type { IncomingHttpHeaders } from 'node:http'
import { ANONYMOUS } from '../../auth/caller.ts'
import { Failure } from '../../errors.ts'
import { allowed, errorReply, type Sendable, sendReply } from '../answer.ts'
import { callOf, dispatch, type Incoming } from '../dispatch.ts'
import type { AnsweredWrite, Answering } from '../idempotency/idempotency.ts'
import { EarlierResponse, type KeyedRequest } from '../idempotency/keyed-request.ts'
import { callerOf } from '../request/caller-of.ts'
import { isWrite } from '../request/hand-over.ts'
import { incomingOf, readContent } from '../request/incoming.ts'
import type { ServerRequest } from '../request/server-request.ts'
import { linked } from '../response/discovery.ts'
import { conditional, validated } from '../response/etag.ts'
import { logFailure, send } from '../response/respond.ts'
import type { AnyRoute, Reply } from '../route.ts'
import type { ServerParts } from '../server-parts.ts'
import { preconditionsOf } from './preconditions.ts'
import { ignoredHeader, isStrict, unknownNames } from './unknown-names.ts'

/** A route, and all of its path. */
export interface RouteOfPath {
  readonly route: AnyRoute
  readonly routes: readonly AnyRoute[]
}

/**
 * Responds to a request by its route. Credentials are checked before the body is read; both may end the request (wire:
 * events 0.1). Rejects, with nothing sent, where credentials are wrong, too much was asked, or the response cannot be given
 * the form that was asked for.
 */
export async function respondByRoute(
  parts: ServerParts,
  request: ServerRequest,
  { route, routes }: RouteOfPath,
): Promise<void> {
  const { method, headers, ticket } = request
  const caller = headers.authorization === undefined ? ANONYMOUS : await callerOf(parts, request)
  const asking = parts.limits?.ask(request, { caller, isCostly: isCostly(request) })
  if (asking !== undefined) await asking
  const fragments = ticket && parts.cache?.fragmentsFor(ticket)
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
    const replying =
      'broken' in content ? Promise.reject(content.broken) : dispatchConditional(parts, route, { asked, headers })
    const reply = await replying.catch(failed)
    return { reply, sendable: finish(reply) }
  }
  if (isWrite(method))
    return send(parts, request, await answerOnce(parts, { request, incoming, finish, answer, failed }))
  const { reply, sendable } = await answer()
  if (reply.status === 200 && ticket !== undefined)
    parts.cache?.keep(ticket, { answer: sendable, lasting: reply.lasting })
  send(parts, request, conditional(sendable, headers['if-none-match']))
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
  route: AnyRoute,
  { asked, headers }: { readonly asked: Incoming; readonly headers: IncomingHttpHeaders },
): Promise<Reply> {
  if (route.method === 'GET') return dispatch(route, asked)
  const preconditions = preconditionsOf(headers, options.requireIfMatch)
  return dispatch(route, { ...asked, ...(preconditions && { preconditions }) })
}

/** Tells which parameters meant nothing; kept with the response, whose key holds all of them. */
function withIgnored(answer: Sendable, route: AnyRoute, incoming: Incoming): Sendable {
  const names = unknownNames(route, incoming)
  if (names.length === 0 || isStrict(callOf(route, incoming))) return answer
  return { ...answer, headers: { ...answer.headers, ...ignoredHeader(names) } }
}

/** Query parameters that make a read take long: texts are searched, distances measured, passwords stretched. */
const COSTLY: readonly string[] = ['search', 'geoloc_lat', 'geoloc_lng', 'only_with_upcoming', 'password']

function isCostly({ method, query }: ServerRequest): boolean {
  return !isWrite(method) && COSTLY.some((name) => Object.hasOwn(query, name))
}

function hasContent(route: AnyRoute, { body }: ServerRequest): boolean {
  return body !== undefined || route.uploadLimit !== undefined
}

async function contentOf(route: AnyRoute, request: ServerRequest) {
  return readContent(request, route.uploadLimit !== undefined).catch((broken: unknown) => ({ broken }))
}

/** What a route that failed replies; what nobody foresaw is told to the log. */
function failureReply(
  parts: ServerParts,
  request: ServerRequest,
  { error, language }: { readonly error: unknown; readonly language: string },
): Reply {
  if (error instanceof EarlierResponse) throw error
  if (!(error instanceof Failure)) logFailure(parts, request, error)
  return errorReply(error, language)
}
