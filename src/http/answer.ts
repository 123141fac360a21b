import { ERRORS, Failure, fail, fillSlots } from '../errors.ts'
import { translate } from '../i18n/translate.ts'
import { readSelection, select } from './response/select.ts'
import type { AnyRoute, Call, Pieces, Reply } from './route.ts'

/** What is sent: status, headers and the body, whose text is made bytes once: for tag, length and sending. */
export interface Sendable {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** In parts where other answers are put together from them, too. */
  readonly body: Buffer | readonly Buffer[]
}

/** The class of a status: `2xx`. */
export function classOf(status: number): string {
  return `${Math.floor(status / 100)}xx`
}

/** A body in one piece. */
export function bytesOf(body: Sendable['body']): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.concat(body)
}

/** Headers that scripts of other origins may read (decisions: CORS). */
const EXPOSED =
  'X-TEC-Total, X-TEC-TotalPages, X-WP-Total, X-WP-TotalPages, Link, ETag, Idempotency-Replayed, Location, X-Kalends-Seq, X-Kalends-Ignored, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After'

/** Headers that scripts of other origins may send: those of the wire, and what updates and `ETag` need. */
const ACCEPTED =
  'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Unmodified-Since, X-HTTP-Method-Override, X-Kalends-Seq, X-Request-Id'

/** Headers of every answer of the API (wire: rest 6). */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json; charset=UTF-8',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'Origin',
  'access-control-expose-headers': EXPOSED,
  'access-control-allow-headers': ACCEPTED,
}

/** Headers of answers whose texts are in the language of the request. */
export const SPOKEN: Readonly<Record<string, string>> = { vary: 'Origin, Accept-Language' }

/** Answers to callers who gave credentials, or that a password opened, are kept by nobody. */
const UNSTORED: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private',
  expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
}

/** What is true for a moment only. */
const PASSING: Readonly<Record<string, string>> = { 'retry-after': '1', 'cache-control': 'no-store' }

/** What a request says of the form of its answer. */
type Asking = Pick<Call, 'caller' | 'sent'>

/**
 * The answer with what `_fields`, `_envelope` and `_pretty` make of it (wire: rest 6). `allow` is absent where no route
 * has answered.
 */
export function sendReply(asking: Asking, reply: Reply, allow?: string): Sendable {
  const selection = readSelection(asking.sent('_fields'))
  const body = selection === undefined || reply.status >= 300 ? reply.body : select(reply.body, selection)
  const isStored = asking.caller.id === 0 && reply.secret !== true
  const { vary = COMMON_HEADERS['vary'] ?? '', ...ownHeaders } = reply.headers ?? {}
  const common = { ...COMMON_HEADERS, ...(isStored ? {} : UNSTORED), vary, ...(allow !== undefined && { allow }) }
  const { type, text: ready } = reply
  if (type !== undefined && ready !== undefined)
    return { status: reply.status, headers: { ...common, 'content-type': type, ...ownHeaders }, body: contentOf(ready) }
  const indent = isAsked(asking, '_pretty') ? 4 : undefined
  const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value, undefined, indent))
  if (!isAsked(asking, '_envelope')) {
    const content = reply.text === undefined ? text(body) : contentOf(reply.text)
    return { status: reply.status, headers: { ...common, ...ownHeaders }, body: content }
  }
  const headers = { ...ownHeaders, ...(allow !== undefined && { Allow: allow }) }
  return { status: 200, headers: common, body: text({ body, status: reply.status, headers }) }
}

function contentOf(text: Buffer | Pieces): Sendable['body'] {
  return 'all' in text ? text.all : text
}

/** Whether an answer is sent as its route makes it: nothing asks for parts of it, an envelope or indents. */
export function isPlain(asking: Pick<Asking, 'sent'>): boolean {
  return FORMS.every((name) => asking.sent(name) === undefined)
}

const FORMS = ['_fields', '_envelope', '_pretty']

function isAsked({ sent }: Pick<Asking, 'sent'>, name: string): boolean {
  const value = sent(name)
  return value !== undefined && value !== '0' && value !== 'false' && value !== 0 && value !== false
}

/** The answer that an error makes: `{code, message, data: {status, …}, additional_data?}` in the language of the request. */
export function errorReply(error: unknown, language: string): Reply {
  const failure = error instanceof Failure ? error : fail('internal_server_error')
  const status = failure.status === 0 ? 500 : failure.status
  const text = fillSlots(translate(language, ERRORS[failure.code].text), failure.slots)
  return {
    status,
    body: {
      code: failure.code,
      message: text,
      data: { status, ...failure.data },
      ...(failure.additional.length > 0 && { additional_data: failure.additional }),
    },
    headers: { ...SPOKEN, ...passing(failure, status) },
    secret: status === 401 || status === 403,
  }
}

/** Headers of what is true for a moment only. */
function passing({ code, slots }: Failure, status: number): Readonly<Record<string, string>> {
  if (status === 429) return { ...PASSING, 'retry-after': String(slots['seconds'] ?? 1) }
  return status === 503 || code === 'idempotency_in_progress' ? PASSING : {}
}

/** Methods that a caller may use on a path, in declared order, as the Allow header lists them (wire: rest 4.5). */
export function allowed(routes: readonly AnyRoute[], call: Pick<Call, 'caller'>): string {
  return routes
    .filter((one) => one.open(call.caller))
    .map((one) => one.method)
    .join(', ')
}
