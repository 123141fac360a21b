import { ERRORS, Failure, fail, fillSlots } from '../errors.ts'
import { translate } from '../i18n/translate.ts'
import type { AnyRoute, Call, Reply } from './route.ts'
import { readSelection, select } from './select.ts'

/** What is sent: status, headers and JSON text. */
export interface Sendable {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Headers that scripts of other origins may read (decisions: CORS). */
const EXPOSED = 'X-TEC-Total, X-TEC-TotalPages, X-WP-Total, X-WP-TotalPages, Link, ETag, Location'

/** Headers of every answer of the API (wire: rest 6). */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json; charset=UTF-8',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'Origin',
  'access-control-expose-headers': EXPOSED,
  'access-control-allow-headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
}

/** Headers of answers whose texts are in the language of the request. */
export const SPOKEN: Readonly<Record<string, string>> = { vary: 'Origin, Accept-Language' }

/** Answers to callers who gave credentials, or that a password opened, are kept by nobody. */
const UNSTORED: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache, must-revalidate, max-age=0, no-store, private',
  expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
}

/** The answer of a route, with what `_fields` and `_envelope` make of it. */
export function sendReply(call: Call, reply: Reply, allow: string): Sendable {
  const selection = readSelection(call.sent('_fields'))
  const body = selection === undefined || reply.status >= 300 ? reply.body : select(reply.body, selection)
  const stored = call.caller.id === 0 && reply.secret !== true
  const headers = { ...(stored ? {} : UNSTORED), allow, ...reply.headers }
  if (!isEnveloped(call))
    return { status: reply.status, headers: { ...COMMON_HEADERS, ...headers }, body: JSON.stringify(body) }
  const envelope = { body, status: reply.status, headers: reply.headers ?? {} }
  return {
    status: 200,
    headers: { ...COMMON_HEADERS, ...(stored ? {} : UNSTORED), allow },
    body: JSON.stringify(envelope),
  }
}

function isEnveloped(call: Call): boolean {
  const sent = call.sent('_envelope')
  return sent !== undefined && sent !== '0' && sent !== 'false' && sent !== 0 && sent !== false
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
    headers: SPOKEN,
    secret: status === 401 || status === 403,
  }
}

/** Methods that a caller may use on a path, in declared order, as the Allow header lists them (wire: rest 4.5). */
export function allowed(routes: readonly AnyRoute[], call: Pick<Call, 'caller'>): string {
  return routes
    .filter((one) => one.open(call.caller))
    .map((one) => one.method)
    .join(', ')
}
