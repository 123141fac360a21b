import { ANONYMOUS, type Caller } from '../../auth/caller.ts'
import { Failure, fail } from '../../errors.ts'
import { errorReply, type Sendable, sendReply } from '../answer.ts'
import { type PageAnswer, pageHeaders } from '../page.ts'
import { languageOf } from '../request/head.ts'
import { urlsFor } from '../request/incoming.ts'
import { REQUEST_ID_HEADER } from '../request/request-id.ts'
import { seqHeader } from '../request/seq-header.ts'
import type { ServerRequest } from '../request/server-request.ts'
import type { ServerParts } from '../server-parts.ts'
import { corsHeaders } from './cors.ts'
import { linked } from './discovery.ts'
import { writeResponse } from './write-response.ts'

/** Sends a response of the API with what the request decides of its headers. */
export function send(parts: ServerParts, request: ServerRequest, { status, body, headers }: Sendable): void {
  const own = {
    ...headers,
    ...seqHeader(request.method, parts.seq),
    ...corsHeaders(request.headers.origin, parts.options.corsOrigins),
  }
  write(parts, request, { status, body, headers: own })
}

/** Sends a page of the site; `caller` has given credentials or not. */
export function sendPage(
  parts: ServerParts,
  request: ServerRequest,
  { page, caller }: { readonly page: PageAnswer; readonly caller: Caller },
): void {
  write(parts, request, { status: page.status, body: Buffer.from(page.html), headers: pageHeaders(page, caller) })
}

function write(parts: ServerParts, request: ServerRequest, { status, body, headers }: Sendable): void {
  const sent = { status, body, headers: headersOf(parts, request, headers) }
  writeResponse(request.response, sent, (error) => logFailure(parts, request, error))
}

/** Headers of a response with those that every response has. */
export function headersOf(
  { limits }: ServerParts,
  request: ServerRequest,
  headers: Sendable['headers'],
): Sendable['headers'] {
  return { [REQUEST_ID_HEADER]: request.id, ...headers, ...limits?.fieldsOf(request) }
}

/** Tells the log of what nobody foresaw. Why nothing can be answered for a while is told once, by whoever knows. */
export function logFailure({ log }: ServerParts, { id }: ServerRequest, error: unknown): void {
  if (!(error instanceof Failure) || (error.status >= 500 && error.status !== 503))
    log.error({ err: error, requestId: id }, 'request failed')
}

/** What a request failed with. */
export interface Refusal {
  readonly error: unknown
  /** Nobody where credentials were not checked, or wrong. */
  readonly caller?: Caller
  /** Whether the connection ends with the response: what is left of the request is not read. */
  readonly isLast?: boolean
}

/** Sends the response to a request that failed: JSON, or a page where the address is one of the site. */
export function sendError(
  parts: ServerParts,
  request: ServerRequest,
  { error, caller = ANONYMOUS, isLast }: Refusal,
): void {
  logFailure(parts, request, error)
  const failure = error instanceof Failure ? error : fail('internal_server_error')
  const end = isLast === true ? { connection: 'close' } : {}
  if (parts.site !== undefined && request.mount === undefined) {
    sendErrorPage(parts, request, { failure, end })
    return
  }
  const reply = errorReply(failure, languageOf(request, parts.options.language))
  const asking = { caller, sent: (name: string): unknown => request.query[name] }
  const { headers, ...response } = linked(sendReply(asking, reply), urlsFor(parts, request))
  send(parts, request, { ...response, headers: { ...headers, ...end } })
}

function sendErrorPage(
  parts: ServerParts,
  request: ServerRequest,
  { failure, end }: { readonly failure: Failure; readonly end: Readonly<Record<string, string>> },
): void {
  const { status, body, headers = {} } = errorReply(failure, 'en')
  const { code, message } = body as { code: string; message: string }
  const page = parts.site?.failed({ status, code, message, urls: urlsFor(parts, request) })
  if (page === undefined) return
  const again = headers['retry-after']
  const own = { ...(again !== undefined && { 'retry-after': again }), ...end }
  sendPage(parts, request, { page: { ...page, status, headers: { ...page.headers, ...own } }, caller: ANONYMOUS })
}
