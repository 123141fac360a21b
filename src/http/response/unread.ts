import { fail } from '../../base/errors.ts'
import { ClientCounts } from '../request/clients.ts'
import type { ServerRequest } from '../request/server-request.ts'

/**
 * Bytes of responses that a client may leave unread before its next request is refused, and bytes of all clients, beyond
 * which nobody may leave any.
 */
const MOST = { client: 32 * 1024 ** 2, all: 256 * 1024 ** 2 } as const

/** Smaller bodies are not counted: the system takes them, and requests in progress are bounded in number. */
const LEAST = 64 * 1024

/** What a body that is produced while it is sent counts as. */
const PART = 1024 ** 2

type Sent = Pick<ServerRequest, 'client' | 'response'>

/** Counts what waits in memory for clients that do not read, so that no further response is built for them. */
export class UnreadBytes {
  readonly #counts = new ClientCounts()

  /** @throws rest_too_busy for a client that has left too much unread */
  requireRoom({ client: { key, isProxy } }: Pick<Sent, 'client'>): void {
    const own = this.#counts.of(key)
    if (own === 0 || isProxy) return
    if (own > MOST.client || this.#counts.total > MOST.all) throw fail('rest_too_busy')
  }

  /** Counts a response of so many bytes, as far as the system has not taken them when it was written in this turn. */
  count(sent: Sent, length: number): void {
    if (length >= LEAST) process.nextTick(() => this.#add(sent, sent.response.writableLength))
  }

  /** Counts a response that is produced while it is sent. */
  countPart(sent: Sent): void {
    this.#add(sent, PART)
  }

  #add({ response, client: { key } }: Sent, bytes: number): void {
    if (bytes === 0 || response.closed) return
    this.#counts.add(key, bytes)
    response.once('close', () => this.#counts.add(key, -bytes))
  }
}
