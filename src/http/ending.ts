import type { Server } from 'node:http'

/** Time that requests under way have to arrive and to be answered, milliseconds: that of the arrival of a request. */
const PATIENCE = 60_000

/**
 * Closes a server with `close`, which takes no more connections and waits for those that are open. Requests under way are
 * answered. What has not arrived in time, or is not taken, is broken off: Node itself no longer looks at the time then.
 */
export async function closeInTime(server: Server, close: () => PromiseLike<unknown>): Promise<void> {
  // A connection with a request under way would be kept for the next one, and the server with it.
  server.keepAliveTimeout = 1
  const late = setTimeout(() => server.closeAllConnections(), PATIENCE)
  try {
    await close()
  } finally {
    clearTimeout(late)
  }
}
