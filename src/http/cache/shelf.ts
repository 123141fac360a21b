import { compress, type Encoding } from './encodings.ts'
import type { Stamp } from './versions.ts'

/** An answer that is kept: always a 200 that everybody gets who asks the same. */
export interface KeptAnswer {
  /**
   * Names and values of the header fields in turn, as Node takes them fastest; without type, tag, length, encoding and what
   * the origin of a request decides.
   */
  readonly fields: readonly string[]
  readonly type: string
  /** In quotes. */
  readonly etag: string
  readonly body: Buffer
}

/** How long an answer is true. */
export interface Term {
  readonly stamp: Stamp
  /** Moments between which it is true unless something changes, Unix milliseconds: the first included, the last not. */
  readonly from: number
  readonly until: number
}

/** An answer on the shelf with its compressed forms. */
export interface Entry extends KeptAnswer, Term {
  readonly key: string
  readonly packed: Map<Encoding, Buffer>
  /** Compressions that were begun. */
  readonly begun: Set<Encoding>
}

/** Part of the whole that one answer may take. */
const LARGEST_SHARE = 1 / 8

/** What an answer takes beside its body and its key, in bytes: headers and books. */
const BESIDE = 2048

/** What is on a shelf, and what had to leave it since the beginning. */
export interface ShelfStats {
  /** Number of things that are kept. */
  readonly count: number
  /** Bytes that they take with their books. */
  readonly size: number
  /** Number of those that went to make room. */
  readonly evicted: number
}

/** Answers by key, the least recently used going first when they take more than a number of bytes. */
export class Shelf {
  readonly #limit: number
  readonly #entries = new Map<string, Entry>()
  #size = 0
  #evicted = 0

  /** @param limit bytes that all answers together may take */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** The answers in numbers. */
  get stats(): ShelfStats {
    return { count: this.#entries.size, size: this.#size, evicted: this.#evicted }
  }

  /** The answer under a key, which is now the last to go. */
  get(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  /** Keeps an answer in place of the one before it; those too large are not kept. */
  put(key: string, answer: KeptAnswer & Term): void {
    this.remove(key)
    const entry: Entry = { ...answer, key, packed: new Map(), begun: new Set() }
    if (sizeOf(entry) > this.#limit * LARGEST_SHARE) return
    this.#entries.set(key, entry)
    this.#size += sizeOf(entry)
    this.#shrink()
  }

  /** Forgets an answer. */
  remove(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#size -= sizeOf(entry)
  }

  /** Begins to compress a body, once; `packed` has it as soon as it is ready. Failures leave the plain body. */
  async pack(entry: Entry, encoding: Encoding): Promise<void> {
    if (entry.begun.has(encoding)) return
    entry.begun.add(encoding)
    const bytes = await compress(entry.body, encoding).catch(() => entry.body)
    if (this.#entries.get(entry.key) !== entry || bytes.length >= entry.body.length) return
    entry.packed.set(encoding, bytes)
    this.#size += bytes.length
    this.#shrink()
  }

  #shrink(): void {
    for (const key of this.#entries.keys()) {
      if (this.#size <= this.#limit) return
      this.remove(key)
      this.#evicted += 1
    }
  }
}

function sizeOf({ key, body, packed }: Entry): number {
  let size = BESIDE + 2 * key.length + body.length
  for (const bytes of packed.values()) size += bytes.length
  return size
}
