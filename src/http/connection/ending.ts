import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { isServing } from './broken-request.ts'

/** Time that requests under way have to be answered, milliseconds: that of the arrival of a request. */
const PATIENCE = 60_000

/**
 * Connections that have never sent a request are closed after this time, milliseconds: what was sent has been read by
 * then.
 */
const SILENCE = 1000

/** Time that the rest of a request has to arrive, milliseconds. */
const REST = 5000

/** Open connections of each server: Node takes those that are still silent for busy ones. */
const connections = new WeakMap<Server, Set<Socket>>()

/** Remembers the connections of a server, for its end. */
export function noteConnections(server: Server): void {
  const open = new Set<Socket>()
  connections.set(server, open)
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
}

/**
 * Closes a server that accepts no more connections. Requests in progress get their responses. What has not arrived in
 * time, or is not read, is cut off: Node itself no longer applies its timeouts then.
 */
export async function closeInTime(server: Server): Promise<void> {
  // A connection with a request in progress would be kept alive for the next one, and the server with it.
  server.keepAliveTimeout = 1
  const endThose = (are: (socket: Socket) => boolean): void => {
    for (const socket of connections.get(server) ?? []) if (are(socket)) socket.destroy()
  }
  const timers = [
    setTimeout(() => endThose((socket) => socket.bytesRead === 0), SILENCE),
    setTimeout(() => endThose((socket) => !isServing(socket)), REST),
    setTimeout(() => server.closeAllConnections(), PATIENCE),
  ]
  const { promise, resolve } = Promise.withResolvers<void>()
  // One that never listened is no failure.
  server.close(() => resolve())
  server.closeIdleConnections()
  await promise
  for (const timer of timers) clearTimeout(timer)
}
