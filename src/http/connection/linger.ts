import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { freeBytes } from '../request/body-memory.ts'
import { paceBody } from '../request/paced-body.ts'

/** Longest time for which the rest of a refused body is read, in milliseconds. */
const LINGER = 30_000

/** The last request with a body on each connection. */
const sending = new WeakMap<Socket, IncomingMessage>()

/**
 * An error response closes the connection. With unread parts of the body the system would reset it, and the client
 * would lose the response: the rest is read first and discarded (RFC 9112 section 9.6), here because Node would do so
 * at full speed. Only for requests with a body.
 */
export function keepReading(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  // Now Node takes it for read.
  request.read(0)
  response.once('finish', () => drain(request))
  const isKnown = sending.has(socket)
  sending.set(socket, request)
  if (isKnown) return
  const destroySoon = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    const last = sending.get(socket)
    if (last === undefined || last.complete || last.destroyed) return destroySoon()
    // Signals the end, so that a client that has read the response need not wait.
    socket.end()
    const late = setTimeout(() => socket.destroy(), LINGER)
    // On a connection that breaks the request may never say that it has ended.
    socket.once('close', () => clearTimeout(late))
    last.once('close', () => {
      clearTimeout(late)
      destroySoon()
    })
    drain(last)
  }
}

/** Requests whose rest is being discarded. */
const drained = new WeakSet<IncomingMessage>()

/** Reads a request to its end and discards it, in turn with all bodies: a client that sends refused ones takes little from others. */
function drain(request: IncomingMessage): void {
  if (drained.has(request) || request.readableEnded) return
  drained.add(request)
  const next = paceBody(request, '')
  request.on('data', (piece: Buffer) => {
    freeBytes(piece)
    next()
  })
  request.resume()
  next()
}
