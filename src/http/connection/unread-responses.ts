import type { ServerResponse } from 'node:http'
import { ClientCounts } from './client-counts.ts'

/** Smaller responses are not counted: connections are bounded, too. */
const SMALL = 16 * 1024

/** A response of which not all has been sent. */
interface Unread {
  readonly client: string
  readonly bytes: number
}

/**
 * Bounds the bytes of responses that clients have asked for and do not read. Above the bound the client who holds the
 * most loses its oldest connection, and so on. Cached responses are not counted: all who read one share its bytes.
 */
export class UnreadResponses {
  readonly #limit: number
  /** In the order of sending. */
  readonly #unread = new Map<ServerResponse, Unread>()
  readonly #counts = new ClientCounts()

  /** @param limit most bytes; the only response there is may have more */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Bytes that are held now. */
  get held(): number {
    return this.#counts.total
  }

  /** Counts a response of so many bytes until all of it has been sent, or its connection has ended. */
  add(response: ServerResponse, unread: Unread): void {
    if (unread.bytes < SMALL || response.closed || response.destroyed) return
    response.once('close', () => this.#remove(response))
    this.change(response, unread)
  }

  /** Says how many bytes of a response that goes on wait now, in place of what was said before; 0 when it has ended. */
  change(response: ServerResponse, { client, bytes }: Unread): void {
    this.#remove(response)
    if (bytes < SMALL || response.closed || response.destroyed) return
    this.#unread.set(response, { client, bytes })
    this.#counts.add(client, bytes)
    while (this.#counts.total > this.#limit && this.#unread.size > 1) this.#cutOff()
  }

  #cutOff(): void {
    let oldest: ServerResponse | undefined
    let most = 0
    for (const [response, { client }] of this.#unread) {
      const held = this.#counts.of(client)
      if (held <= most) continue
      most = held
      oldest = response
    }
    if (oldest === undefined) return
    this.#remove(oldest)
    oldest.destroy()
  }

  #remove(response: ServerResponse): void {
    const unread = this.#unread.get(response)
    if (unread === undefined) return
    this.#unread.delete(response)
    this.#counts.add(unread.client, -unread.bytes)
  }
}
