import { type IncomingMessage, METHODS, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ErrorCode, fail } from '../../base/errors.ts'
import { hasSoundHost } from '../request/host.ts'
import { newRequestId, REQUEST_ID_HEADER } from '../request/server-request.ts'
import { COMMON_HEADERS, errorReply } from '../response/http-response.ts'

/** Time for a client to read the response and close its side, in milliseconds. */
const LINGER = 2000

/** Errors of the HTTP parser by our code; anything else is a bad request. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'rest_headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'rest_request_timeout',
}

/** The line that a request begins with (RFC 9112 section 3); the group is its method. */
const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]+) \S+ HTTP\/1\.[01]\r?\n/

/** What the HTTP parser found wrong. */
type ParserError = Error & { readonly code?: string; readonly rawPacket?: Buffer }

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The last two requests of each connection, the newer one first: only the last one can be incomplete. */
const latest = new WeakMap<Socket, [Exchange, Exchange?]>()

/** Connections that are ended as soon as the requests before their broken bytes are answered. */
const doomed = new WeakSet<Socket>()

/** Remembers a request: what arrives broken behind it must wait until it is answered. */
export function noteArrival(request: IncomingMessage, response: ServerResponse): void {
  const known = latest.get(request.socket)
  const exchange = { request, response }
  if (known === undefined) latest.set(request.socket, [exchange])
  else [known[0], known[1]] = [exchange, known[0]]
}

/**
 * Responds to bytes that are not HTTP, or too many to be a request, and closes the connection. Complete requests before
 * these bytes get their responses first, in order. Returns whether a response was sent: not if the client has
 * disconnected, or a response is being sent.
 */
export function respondToBrokenRequest(error: ParserError, socket: Socket): boolean {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return false
  }
  if (doomed.has(socket)) return false
  doomed.add(socket)
  const code = codeOf(error)
  const last = latest.get(socket)?.find((exchange) => exchange?.request.complete)
  // Answers leave in the order of their requests, so that there is none under way behind it or before it.
  if (last === undefined || last.response.closed) endConnection(socket, code)
  else last.response.once('close', () => endConnection(socket, code))
  return true
}

/** A sound request with a method that the parser does not know has no route, like one with any other wrong method (wire: rest 6). */
function codeOf({ code = '', rawPacket }: ParserError): ErrorCode {
  const [, method] = code === 'HPE_INVALID_METHOD' ? (REQUEST_LINE.exec(rawPacket?.toString('latin1') ?? '') ?? []) : []
  if (method !== undefined && !METHODS.includes(method)) return 'rest_no_route'
  return CODES[code] ?? 'rest_bad_request'
}

/** Whether a request of a connection has arrived whole and its response is under way. */
export function isServing(socket: Socket): boolean {
  return latest.get(socket)?.some((one) => one?.request.complete === true && !one.response.closed) === true
}

/** Answers CONNECT, which the HTTP parser hands over without a response: nothing here is a proxy. */
export function refuseTunnel(request: IncomingMessage, socket: Duplex): void {
  endConnection(socket as Socket, hasSoundHost(request) ? 'rest_no_route' : 'rest_bad_request')
}

/**
 * Sends an error and closes a connection. Route and language are unknown here, so it is written directly to the socket.
 */
export function endConnection(socket: Socket, code: ErrorCode): void {
  if (!socket.writable) return void socket.destroy()
  const { status, body, headers: own } = errorReply(fail(code as 'rest_bad_request'), 'en')
  const text = JSON.stringify(body)
  const headers = {
    ...COMMON_HEADERS,
    ...own,
    [REQUEST_ID_HEADER]: newRequestId(),
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
  // A client that keeps its side open would otherwise hold the socket as long as it likes.
  socket.setTimeout(LINGER, () => socket.destroy())
}
