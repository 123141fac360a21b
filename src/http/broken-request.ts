import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ErrorCode, fail } from '../errors.ts'
import { COMMON_HEADERS, errorReply } from './answer.ts'

/** Time that a client has to take the answer and close its side, in milliseconds. */
const LINGER = 2000

/** What the HTTP parser reports -> our code; everything else is a bad request. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'rest_headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'rest_request_timeout',
}

/**
 * Answers bytes that are not HTTP, or too many to be a request: no route and no language is known here, so the answer
 * is written to the socket as it is, and the connection ends.
 */
export function answerBrokenRequest(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  end(socket, CODES[error.code ?? ''] ?? 'rest_bad_request')
}

/** Answers CONNECT, which the HTTP parser hands over without a response: nothing here is a proxy. */
export function refuseTunnel(socket: Duplex): void {
  end(socket as Socket, 'rest_no_route')
}

function end(socket: Socket, code: ErrorCode): void {
  const { status, body } = errorReply(fail(code as 'rest_bad_request'), 'en')
  const text = JSON.stringify(body)
  const headers = { ...COMMON_HEADERS, 'content-length': String(Buffer.byteLength(text)), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
  // A client that keeps its side open would otherwise hold the socket for as long as it likes.
  socket.setTimeout(LINGER, () => socket.destroy())
}
