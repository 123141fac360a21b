import { setImmediate } from 'node:timers/promises'
import { ClientCounts } from '../../http/request/clients.ts'

/**
 * Bytes of items that streams have in memory: of all clients, and of one; what one counts as until it is made; and of items that
 * were sent and are kept for others who come to them.
 */
const MOST = { all: 64 * 1024 ** 2, client: 16 * 1024 ** 2, unmade: 4 * 1024 ** 2, kept: 8 * 1024 ** 2 } as const

/** An item that a stream is about to send. */
export interface AskedText {
  /** Streams that ask for the same get the same text; it is asked for when the turn has come. */
  key(): string
  /** See `clientKey`. */
  readonly client: string
  /** Ends the waiting. */
  readonly signal: AbortSignal
}

interface Held {
  readonly key: string
  readonly text: Promise<Buffer>
  /** Streams that send it. */
  readers: number
  bytes: number
}

interface Waiting {
  readonly asked: AskedText
  readonly go: () => void
}

/**
 * The texts of items on their way to those who follow changes. Each is counted before it is made, by its client and in
 * all, until it has been read; beyond the bounds streams wait. Those who send the same share it: making it again costs
 * milliseconds.
 */
export class ItemTexts {
  readonly #held = new Map<string, Held>()
  /** Without readers, the oldest first. */
  readonly #kept = new Map<string, Held>()
  readonly #ofClients = new ClientCounts()
  readonly #waiting = new Set<Waiting>()
  #bytes = 0
  #keptBytes = 0
  #last: Promise<void> = Promise.resolve()

  /** Bytes in memory, and of those to be made. */
  get bytes(): number {
    return this.#bytes
  }

  /** Makes a text when there is room for it, and counts it until `send` has settled. @throws what these throw */
  async send(asked: AskedText, make: () => Promise<Buffer>, send: (text: Buffer) => Promise<void>): Promise<void> {
    const { client } = asked
    let held = this.#enter(asked, make)
    while (held === undefined) {
      await this.#turn(asked)
      held = this.#enter(asked, make)
    }
    let own: number = MOST.unmade
    this.#admit()
    try {
      const text = await held.text
      this.#ofClients.add(client, text.length - own)
      own = text.length
      this.#admit()
      await this.#ownTurn()
      await send(text)
    } finally {
      this.#ofClients.add(client, -own)
      this.#leave(held)
      this.#admit()
    }
  }

  /** The text with one more reader, counted; undefined where there is no room. */
  #enter(asked: AskedText, make: () => Promise<Buffer>): Held | undefined {
    asked.signal.throwIfAborted()
    if (!this.#hasRoom(asked)) return undefined
    const key = asked.key()
    const held = this.#held.get(key) ?? this.#recall(key) ?? this.#hold(key, make)
    held.readers += 1
    this.#ofClients.add(asked.client, MOST.unmade)
    return held
  }

  #hold(key: string, make: () => Promise<Buffer>): Held {
    const text = make()
    const held: Held = { key, text, readers: 0, bytes: MOST.unmade }
    this.#held.set(key, held)
    this.#bytes += held.bytes
    const made = ({ length }: Buffer): void => {
      this.#bytes += length - held.bytes
      held.bytes = length
    }
    text.then(made, () => undefined)
    return held
  }

  #leave(held: Held): void {
    held.readers -= 1
    if (held.readers > 0) return
    this.#held.delete(held.key)
    this.#bytes -= held.bytes
    held.text.then(
      () => this.#keep(held),
      () => undefined,
    )
  }

  #keep(held: Held): void {
    this.#drop(held.key)
    this.#kept.set(held.key, held)
    this.#keptBytes += held.bytes
    for (const key of this.#kept.keys()) {
      if (this.#keptBytes <= MOST.kept) return
      this.#drop(key)
    }
  }

  /** A kept text, which is held again. */
  #recall(key: string): Held | undefined {
    const kept = this.#drop(key)
    if (kept === undefined) return undefined
    this.#held.set(key, kept)
    this.#bytes += kept.bytes
    return kept
  }

  #drop(key: string): Held | undefined {
    const kept = this.#kept.get(key)
    this.#kept.delete(key)
    this.#keptBytes -= kept?.bytes ?? 0
    return kept
  }

  /** Resolves in another turn of the event loop for each: requests come between two items, however fast these are read. */
  #ownTurn(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate())
    return this.#last
  }

  /** Resolves when there may be room, or at the signal. */
  async #turn(asked: AskedText): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const go = (): void => resolve()
    const waiting = { asked, go }
    this.#waiting.add(waiting)
    asked.signal.addEventListener('abort', go)
    await promise
    asked.signal.removeEventListener('abort', go)
    this.#waiting.delete(waiting)
  }

  #hasRoom({ key, client }: AskedText): boolean {
    if (this.#ofClients.of(client) + MOST.unmade > MOST.client) return false
    return this.#bytes + MOST.unmade <= MOST.all || this.#held.has(key())
  }

  /** Lets the first of the next client go on that has room, which does the same for the one after it. */
  #admit(): void {
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom(waiting.asked)) continue
      this.#waiting.delete(waiting)
      waiting.go()
      return
    }
  }
}
