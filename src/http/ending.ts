import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Time that requests under way have to arrive and to be answered, milliseconds: that of the arrival of a request. */
const PATIENCE = 60_000

/** Time after which connections end that have never asked for anything, milliseconds: what was sent has been read then. */
const SILENCE = 1000

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
 * Closes a server with `close`, which takes no more connections and waits for those that are open. Requests under way are
 * answered. What has not arrived in time, or is not taken, is broken off: Node itself no longer looks at the time then.
 */
export async function closeInTime(server: Server, close: () => PromiseLike<unknown>): Promise<void> {
  // A connection with a request under way would be kept for the next one, and the server with it.
  server.keepAliveTimeout = 1
  const late = setTimeout(() => server.closeAllConnections(), PATIENCE)
  const silent = setTimeout(() => {
    for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy()
  }, SILENCE)
  try {
    await close()
  } finally {
    clearTimeout(late)
    clearTimeout(silent)
  }
}
