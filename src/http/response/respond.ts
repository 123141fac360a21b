import type { ServerResponse } from 'node:http'
import { Failure, fail } from '../../base/errors.ts'
import type { Urls } from '../address.ts'
import { ANONYMOUS, type Caller } from '../auth/rights.ts'
import { type PageResponse, pageHeaders } from '../html-page.ts'
import { languageOf, mountOf, urlsFor } from '../request/incoming.ts'
import { REQUEST_ID_HEADER, SEQ_HEADER, type ServerRequest, WRITE_METHODS } from '../request/server-request.ts'
import type { ServerDeps } from '../server-deps.ts'
import { errorReply, type HttpResponse, linked, renderReply } from './http-response.ts'
import { sendChunks } from './send-chunks.ts'

/** Sends a response of the API with the headers that depend on the request. */
export function send(deps: ServerDeps, request: ServerRequest, { headers, ...content }: HttpResponse): void {
  const own = {
    ...headers,
    // A client that sends the number back with a read sees the write, whichever process responds.
    ...(deps.seq && WRITE_METHODS.has(request.method) && { [SEQ_HEADER]: String(deps.seq()) }),
    ...corsHeaders(request.headers.origin, deps.options.corsOrigins),
  }
  write(deps, request, { ...content, headers: own })
}

/** Sends a page of the site; `caller` has given credentials or not. */
export function sendPage(
  deps: ServerDeps,
  request: ServerRequest,
  { page, caller }: { readonly page: PageResponse; readonly caller: Caller },
): void {
  const { status, chunks } = page
  const headers = pageHeaders(page, caller)
  write(deps, request, { status, body: Buffer.from(page.body), headers, ...(chunks && { chunks }) })
}

/** Writes a response with the headers that every response has. */
export function write(deps: ServerDeps, request: ServerRequest, { status, body, headers, chunks }: HttpResponse): void {
  if (chunks !== undefined) {
    // Requests for the same must not wait for its end.
    request.ticket?.ended?.()
    deps.unread?.countPart(request)
    void sendChunks(request, { status, headers: headersOf(deps, request, headers), chunks }).catch((error) =>
      logFailure(deps, request, error),
    )
    return
  }
  const content = { status, headers: headersOf(deps, request, headers), body }
  writeResponse(request.response, content, (error) => logFailure(deps, request, error))
  deps.unread?.count(request, lengthOf(body))
}

/** Headers of a response with those that every response has. */
export function headersOf(
  { limits }: ServerDeps,
  request: ServerRequest,
  headers: HttpResponse['headers'],
): HttpResponse['headers'] {
  return { [REQUEST_ID_HEADER]: request.id, ...headers, ...limits?.fieldsOf(request) }
}

/** Logs unexpected errors. A lasting outage is logged once, by whoever detects it. */
export function logFailure({ log }: ServerDeps, { id }: ServerRequest, error: unknown): void {
  if (!(error instanceof Failure) || (error.status >= 500 && error.status !== 503))
    log.error({ err: error, requestId: id }, 'request failed')
}

/** A request that failed, and how. */
export interface FailedRequest {
  readonly error: unknown
  /** Anonymous if credentials were not checked, or wrong. */
  readonly caller?: Caller
  /** Whether the connection closes with the response. */
  readonly isLast?: boolean
  /** See `PathHandler.failed`. */
  failed?(request: ServerRequest, failure: Failure): HttpResponse
}

/** Sends the response to a request that failed: JSON, or a page where the address is one of the site. */
export function sendError(
  deps: ServerDeps,
  request: ServerRequest,
  { error, caller = ANONYMOUS, isLast, failed }: FailedRequest,
): void {
  logFailure(deps, request, error)
  const failure = error instanceof Failure ? error : fail('internal_server_error')
  if (isLast === true) request.response.shouldKeepAlive = false
  readToEnd(request)
  if (failed !== undefined) {
    send(deps, request, failed(request, failure))
    return
  }
  if (deps.site !== undefined && request.mount === undefined) {
    sendErrorPage(deps, request, failure)
    return
  }
  const reply = errorReply(failure, languageOf(request, deps.options.language))
  const asking = { caller, sent: request.query }
  send(deps, request, linked(renderReply(asking, reply), urlsFor(deps, request)))
}

/**
 * A connection that closes with unread bytes is reset, and its client loses the response. So it stays open until the rest of
 * the request has been read, which Node does when the response has been sent.
 */
function readToEnd({ raw, response }: ServerRequest): void {
  if (raw.complete || response.shouldKeepAlive) return
  response.shouldKeepAlive = true
  raw.once('end', () => raw.socket.end())
}

function sendErrorPage(deps: ServerDeps, request: ServerRequest, failure: Failure): void {
  const language = languageOf(request, deps.options.language)
  const { status, body, headers = {} } = errorReply(failure, language)
  const { code, message } = body as { code: string; message: string }
  const page = deps.site?.failed({
    status,
    code,
    message,
    language,
    urls: urlsFor(deps, request),
    mount: mountOf(request),
  })
  if (page === undefined) return
  const told = ['retry-after', 'www-authenticate'].map((name) => [name, headers[name]] as const)
  const own = Object.fromEntries(told.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  sendPage(deps, request, { page: { ...page, status, headers: { ...page.headers, ...own } }, caller: ANONYMOUS })
}

const METHODS = 'OPTIONS, GET, POST, PUT, PATCH, DELETE'

/**
 * The CORS headers for a request from an origin: any origin may read, credentials only from those of the configuration
 * (decisions: CORS). `{}` without an Origin header.
 */
export function corsHeaders(origin: string | undefined, trusted: readonly string[]): Readonly<Record<string, string>> {
  if (origin === undefined) return {}
  const methods = { 'access-control-allow-methods': METHODS }
  if (!trusted.includes(origin)) return { 'access-control-allow-origin': '*', ...methods }
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', ...methods }
}

/**
 * Headers by which a client finds the API from a page of the site, and from the index (wire: rest 7). `root` is the
 * address of the data that the page shows, or of the whole API.
 */
export function discovery(urls: Pick<Urls, 'page'>, root: string): Readonly<Record<string, string>> {
  return { 'X-TEC-API-VERSION': 'v1', 'X-TEC-API-ROOT': root, 'X-TEC-API-ORIGIN': urls.page('') }
}

interface Writing {
  readonly response: ServerResponse
  readonly content: HttpResponse
  readonly failed: (error: unknown) => void
}

const waiting: Writing[] = []

/**
 * Sends a response; to HEAD Node sends no body.
 *
 * Responses of one turn of the event loop are sent together at its end: the system then wakes the reader once for all
 * of them, which on a virtual machine costs as much as sending a response. `failed` gets the reason when a response
 * cannot be sent, and the connection closes.
 */
export function writeResponse(response: ServerResponse, content: HttpResponse, failed: Writing['failed']): void {
  waiting.push({ response, content, failed })
  if (waiting.length === 1) process.nextTick(writeAll)
}

function writeAll(): void {
  for (const { response, content, failed } of waiting.splice(0)) {
    try {
      writeNow(response, content)
    } catch (error) {
      // The others are sent all the same.
      failed(error)
      response.destroy()
    }
  }
}

function writeNow(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  // The client has disconnected, and no event will follow.
  if (response.closed || response.destroyed) return
  const fields: string[] = []
  for (const name in headers) fields.push(name.toLowerCase(), headers[name] ?? '')
  // The length would describe the response that is not sent (RFC 9110 section 8.6).
  if (status === 304) {
    response.writeHead(status, fields).end()
    return
  }
  const length = lengthOf(body)
  fields.push('content-length', String(length))
  response.writeHead(status, fields)
  if (Buffer.isBuffer(body)) response.end(body)
  else if (isShared(length)) endJoined(response, body)
  else response.end(Buffer.concat(body, length))
}

/** Bytes of a body. */
function lengthOf(body: HttpResponse['body']): number {
  if (Buffer.isBuffer(body)) return body.length
  let length = 0
  for (const piece of body) length += piece.length
  return length
}

/** Bytes of the memory in which bodies are joined; a list of ten events has some 40 KB. */
const SHARED_MEMORY = 64 * 1024

/** Smaller bodies are joined in memory of their own, as larger ones are. */
const LEAST_SHARED = 16 * 1024

let memory = Buffer.allocUnsafeSlow(SHARED_MEMORY)

/** Whether a body in pieces that has so many bytes is joined there. */
function isShared(length: number): boolean {
  return length >= LEAST_SHARED && length <= SHARED_MEMORY
}

/**
 * Ends a response with a body in pieces, which are joined in memory that one response uses after the other. In memory
 * of its own that took a list of ten events 4 us more, because nothing of it is in the processor's caches.
 */
function endJoined(response: ServerResponse, pieces: readonly Buffer[]): void {
  let length = 0
  for (const piece of pieces) {
    memory.set(piece, length)
    length += piece.length
  }
  response.end(memory.subarray(0, length))
  // What the system has not taken yet will be read from this memory: it belongs to that response now.
  if (response.writableLength > 0) memory = Buffer.allocUnsafeSlow(SHARED_MEMORY)
}
