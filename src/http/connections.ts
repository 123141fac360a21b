import { METHODS, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, fail } from '../base/errors.ts'
import { hasSoundHost } from './admit.ts'
import { ClientCounts, clientKey, type Networks } from './request/clients.ts'
import { newRequestId, REQUEST_ID_HEADER } from './request/server-request.ts'
import { COMMON_HEADERS, errorReply } from './response/http-response.ts'

/** How many connections a server takes. */
export interface ConnectionBounds {
  readonly connections: number
  /** Of one client; proxies that are believed may have as many as there are. */
  readonly clientConnections: number
  readonly proxies: Networks
}

/** What was rejected on connections so far. */
export interface RefusedConnections {
  /** Connections above the bounds. */
  readonly connections: number
  /** Bytes that are not a request, and requests that were too late or had too long a head. */
  readonly malformed: number
}

/** Bounds the connections of a server and responds to malformed requests. Returns the numbers of rejected ones. */
export function watchConnections(server: Server, bounds: ConnectionBounds): () => RefusedConnections {
  const { connections, clientConnections, proxies } = bounds
  const open = new ClientCounts()
  const refused = { connections: 0, malformed: 0 }
  const refuse = (): void => {
    refused.connections += 1
  }
  server.maxConnections = connections
  server.on('drop', refuse)
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    const client = clientKey(remoteAddress)
    if (open.of(client) >= clientConnections && !proxies.has(remoteAddress)) {
      refuse()
      socket.destroy()
      return
    }
    open.add(client, 1)
    socket.once('close', () => open.add(client, -1))
  })
  // An unknown expectation changes nothing (RFC 9110 section 10.1.1), and nothing here is a proxy.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', (request, socket) => {
    endConnection(socket as Socket, hasSoundHost(request) ? 'rest_no_route' : 'rest_bad_request')
  })
  server.on('clientError', (error, socket) => {
    if (respondToBrokenRequest(error, socket as Socket)) refused.malformed += 1
  })
  return () => ({ ...refused })
}

/** Errors of the HTTP parser by our code; anything else is a bad request. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'rest_headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'rest_request_timeout',
}

/** The line that a request starts with (RFC 9112 section 3); the group is its method. */
const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]+) \S+ HTTP\/1\.[01]\r?\n/

/** What the HTTP parser found wrong. */
type ParserError = Error & { readonly code?: string; readonly rawPacket?: Buffer }

/** The response that is written to a connection at the moment, as Node keeps it. */
type Serving = Socket & { readonly _httpMessage?: ServerResponse | null }

/** Responds to what the HTTP parser refuses and closes the connection, as Node itself does. Whether it could respond. */
function respondToBrokenRequest(error: ParserError, socket: Serving): boolean {
  const canRespond = error.code !== 'ECONNRESET' && socket.writable && socket._httpMessage?.headersSent !== true
  if (canRespond) endConnection(socket, codeOf(error))
  else socket.destroy()
  return canRespond
}

/** A sound request with a method that the parser does not know has no route, like one with any other wrong method (wire: rest 6). */
function codeOf({ code = '', rawPacket }: ParserError): ErrorCode {
  const [, method] = code === 'HPE_INVALID_METHOD' ? (REQUEST_LINE.exec(rawPacket?.toString('latin1') ?? '') ?? []) : []
  if (method !== undefined && !METHODS.includes(method)) return 'rest_no_route'
  return CODES[code] ?? 'rest_bad_request'
}

/** Time for a client to read the response and close its side, in milliseconds. */
const LINGER = 2000

/** Sends an error and closes a connection. Route and language are unknown here, so it is written to the socket. */
function endConnection(socket: Socket, code: ErrorCode): void {
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

/** Time that requests under way have to be answered when the server stops, in milliseconds: that of the arrival of a request. */
const PATIENCE = 60_000

/** Connections that have sent nothing are closed after this time, in milliseconds: what was sent has been read by then. */
const SILENCE = 1000

/** Open connections of each server: Node takes those that are still silent for busy ones. */
const sockets = new WeakMap<Server, Set<Socket>>()

/** Remembers the connections of a server, for its end. */
export function noteConnections(server: Server): void {
  const open = new Set<Socket>()
  sockets.set(server, open)
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
}

/** Closes a server. Requests in progress get their responses; unfinished ones are cut off after a minute. */
export async function closeInTime(server: Server): Promise<void> {
  // A connection with a request in progress would be kept alive for the next one, and the server with it.
  server.keepAliveTimeout = 1
  const endSilent = (): void => {
    for (const socket of sockets.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy()
  }
  const timers = [setTimeout(endSilent, SILENCE), setTimeout(() => server.closeAllConnections(), PATIENCE)]
  const { promise, resolve } = Promise.withResolvers<void>()
  // One that never listened is no failure.
  server.close(() => resolve())
  server.closeIdleConnections()
  await promise
  for (const timer of timers) clearTimeout(timer)
}
