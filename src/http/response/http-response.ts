import { errorText, Failure, fail } from '../../base/errors.ts'
import type { Urls } from '../address.ts'
import { type CallerRole, ROLES } from '../auth/rights.ts'
import type { AnyRoute, Call, ErrorBody, Pieces, Reply } from '../route.ts'
import { readSelection, select } from './select.ts'

/** A response to send: status, headers and body, which is converted to bytes once for tag, length and sending. */
export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** In pieces where other responses share them. */
  readonly body: Buffer | readonly Buffer[]
  /** Sent instead of the body, and produced meanwhile. */
  readonly chunks?: AsyncIterable<Buffer>
}

/** The class of a status: `2xx`. */
export function classOf(status: number): string {
  return `${Math.floor(status / 100)}xx`
}

/** A body in one piece. */
export function bytesOf(body: HttpResponse['body']): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.concat(body)
}

/**
 * The same bytes in memory of their own. Node allocates small Buffers as slices of a larger one (`Buffer.poolSize`), and
 * compression returns a slice, too: a slice that is cached would keep the whole Buffer in memory.
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}

/** Headers that scripts of other origins may read (decisions: CORS). */
const EXPOSED =
  'X-TEC-Total, X-TEC-TotalPages, X-WP-Total, X-WP-TotalPages, Link, ETag, Idempotency-Replayed, Location, X-Kalends-Cursor, X-Kalends-Seq, X-Kalends-Ignored, X-Kalends-Conflicts, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After'

/** Headers that scripts of other origins may send: those of the wire, and what updates and `ETag` need. */
const ACCEPTED =
  'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Unmodified-Since, X-HTTP-Method-Override, X-Kalends-Seq, X-Request-Id, X-TEC-EEA'

/** Headers of every response of the API (wire: rest 6). */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json; charset=UTF-8',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'Origin',
  'access-control-expose-headers': EXPOSED,
  'access-control-allow-headers': ACCEPTED,
}

/** Headers of responses with texts in the language of the request. */
export const SPOKEN: Readonly<Record<string, string>> = { vary: 'Origin, Accept-Language' }

/** Responses to callers with credentials, or that needed a password, are not cached. */
const UNSTORED: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private',
  expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
}

/** Headers of responses that are valid for a moment only. */
const PASSING: Readonly<Record<string, string>> = { 'retry-after': '1', 'cache-control': 'no-store' }

/** What of a request decides the form of its response. */
type CallForm = Pick<Call, 'caller' | 'sent'>

/**
 * The response with `_fields`, `_envelope` and `_pretty` applied (wire: rest 6). `allow` is absent where no route has
 * replied.
 */
export function renderReply(call: CallForm, reply: Reply, allow?: string): HttpResponse {
  const fields = call.sent['_fields']
  const selection = fields === undefined ? undefined : readSelection(fields)
  const body = selection === undefined || reply.status >= 300 ? reply.body : select(reply.body, selection)
  const isStored = call.caller.id === 0 && reply.secret !== true
  const { vary = COMMON_HEADERS['vary'] ?? '', ...ownHeaders } = reply.headers ?? {}
  const common = { ...COMMON_HEADERS, ...(isStored ? {} : UNSTORED), vary, ...(allow !== undefined && { allow }) }
  const { type, text: ready, chunks } = reply
  if (type !== undefined && chunks !== undefined) {
    const headers = { 'cache-control': 'no-cache', ...common, 'content-type': type, ...ownHeaders }
    return { status: reply.status, headers, body: [], chunks }
  }
  if (type !== undefined && ready !== undefined)
    return { status: reply.status, headers: { ...common, 'content-type': type, ...ownHeaders }, body: contentOf(ready) }
  const indent = isEnabled(call, '_pretty') ? 4 : undefined
  const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value, undefined, indent))
  if (!isEnabled(call, '_envelope')) {
    const content = reply.text === undefined ? text(body) : contentOf(reply.text)
    return { status: reply.status, headers: { ...common, ...ownHeaders }, body: content }
  }
  const headers = { ...ownHeaders, ...(allow !== undefined && { Allow: allow }) }
  return { status: 200, headers: common, body: text({ body, status: reply.status, headers }) }
}

/** Link by which a generic client finds the namespaces, from every response and every page (wire: rest 6 and 7). */
export function indexLink(urls: Pick<Urls, 'index'>): string {
  return `<${urls.index}>; rel="https://api.w.org/"`
}

/** A response with that link before its own. */
export function linked(response: HttpResponse, urls: Pick<Urls, 'index'>): HttpResponse {
  const index = indexLink(urls)
  if (response.headers['Link'] === undefined) return { ...response, headers: { ...response.headers, link: index } }
  const { Link: own, ...headers } = response.headers
  return { ...response, headers: { ...headers, link: `${index}, ${own}` } }
}

function contentOf(text: Buffer | Pieces): HttpResponse['body'] {
  return 'all' in text ? text.all : text
}

/** Whether a response is sent as its route makes it: without selected fields, envelope or indentation. */
export function isPlain(call: Pick<CallForm, 'sent'>): boolean {
  return FORMS.every((name) => call.sent[name] === undefined)
}

const FORMS = ['_fields', '_envelope', '_pretty']

function isEnabled({ sent }: Pick<CallForm, 'sent'>, name: string): boolean {
  const value = sent[name]
  return value !== undefined && value !== '0' && value !== 'false' && value !== 0 && value !== false
}

/** The response that an error makes: `{code, message, data: {status, …}, additional_data?}` in the language of the request. */
export function errorReply(error: unknown, language: string): Reply & { readonly body: ErrorBody } {
  const failure = error instanceof Failure ? error : fail('internal_server_error')
  const status = failure.status === 0 ? 500 : failure.status
  const text = language === 'en' ? failure.message : errorText(language, failure.code, failure.slots)
  return {
    status,
    body: {
      code: failure.code,
      message: text,
      data: { status, ...failure.data },
      ...(failure.additional.length > 0 && { additional_data: failure.additional }),
    },
    headers: { ...SPOKEN, ...passing(failure, status), ...challenge(failure) },
    secret: status === 401 || status === 403,
  }
}

/** Headers of responses that are valid for a moment only. */
function passing({ code, slots }: Failure, status: number): Readonly<Record<string, string>> {
  if (status === 429) return { ...PASSING, 'retry-after': String(slots['seconds'] ?? 1) }
  return status === 503 || code === 'idempotency_in_progress' ? PASSING : {}
}

/** The Allow header of a path by the role of the caller: methods in declared order (wire: rest 4.5). */
export type AllowByRole = Readonly<Record<CallerRole, string>>

/** What callers of each role may do on the path of these routes; made once for each path. */
export function allowByRole(routes: readonly AnyRoute[]): AllowByRole {
  const of = (role: CallerRole): string =>
    routes
      .filter((one) => one.open(role))
      .map((one) => one.method)
      .join(', ')
  const [administrator, editor, author, contributor, subscriber] = ROLES.map(of) as [
    string,
    string,
    string,
    string,
    string,
  ]
  return { administrator, editor, author, contributor, subscriber, anonymous: of('anonymous') }
}

/** The header that tells a client with a token why it was refused (RFC 6750 section 3). */
function challenge({ code, slots }: Failure): Readonly<Record<string, string>> {
  if (code === 'invalid_token') return { 'www-authenticate': 'Bearer error="invalid_token"' }
  if (code !== 'insufficient_scope') return {}
  return { 'www-authenticate': `Bearer error="insufficient_scope", scope="${String(slots['scope'])}"` }
}
