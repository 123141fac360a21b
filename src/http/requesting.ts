import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { onBehalfOf, type Requester } from '../requester.ts'
import { clientKey } from './client-key.ts'

/** A request, and the address that it came from, by proxies that are believed. */
export interface Arriving {
  readonly raw: Pick<IncomingMessage, 'socket'>
  readonly address: string | undefined
}

/** Runs a step on behalf of whoever sent a request: gone with the connection. */
export function servingRequest<T>({ raw, address }: Arriving, step: () => T): T {
  return onBehalfOf(new RequestingClient(raw.socket, address), step)
}

// Nearly no request waits for anything, so nothing is worked out before somebody asks. The request itself is not held:
// what it begins, such as a timer, may last longer.
class RequestingClient implements Requester {
  readonly #socket: Socket
  readonly #address: string | undefined

  constructor(socket: Socket, address: string | undefined) {
    this.#socket = socket
    this.#address = address
  }

  get client(): string {
    return clientKey(this.#address)
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
