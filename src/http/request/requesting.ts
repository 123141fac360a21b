import type { Socket } from 'node:net'
import type { Requester } from '../../requester.ts'

/** The client of a request as storage knows it: gone with the connection. */
export function requesterOf(socket: Socket, client: string): Requester {
  return new RequestingClient(socket, client)
}

// The request itself is not held: what it begins, such as a timer, may last longer.
class RequestingClient implements Requester {
  readonly client: string
  readonly #socket: Socket

  constructor(socket: Socket, client: string) {
    this.#socket = socket
    this.client = client
  }

  get isGone(): boolean {
    return this.#socket.destroyed
  }

  onGone(listener: () => void): () => void {
    return onClose(this.#socket, listener)
  }
}

/** One listener for each connection: it may carry many requests at a time, and each may wait for several reads. */
const listeners = new WeakMap<Socket, Set<() => void>>()

function onClose(socket: Socket, listener: () => void): () => void {
  const own = listeners.get(socket) ?? new Set()
  if (!listeners.has(socket)) {
    listeners.set(socket, own)
    socket.once('close', () => {
      for (const each of [...own]) each()
    })
  }
  own.add(listener)
  return () => void own.delete(listener)
}
