import { BoundedMap, type BoundedStats } from './bounded-map.ts'
import { compress, type Encoding } from './encodings.ts'
import { ownBytes } from './own-bytes.ts'
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

/** An answer that is made ready for sending when it is asked for again: many never are. */
export interface Keepable {
  /** Bytes of its body. */
  readonly length: number
  /** Called once. */
  make(): KeptAnswer
}

/** How long an answer is true. */
export interface Term {
  readonly stamp: Stamp
  /** Moments between which it is true unless something changes, Unix milliseconds: the first included, the last not. */
  readonly from: number
  readonly until: number
}

// Shared: most answers are never asked for again.
const NOT_PACKED: ReadonlyMap<Encoding, Buffer> = new Map()
const NOT_BEGUN: ReadonlySet<Encoding> = new Set()

/** An answer on the shelf with its compressed forms. */
export class Entry implements Term {
  readonly key: string
  readonly stamp: Stamp
  readonly from: number
  readonly until: number
  /** Bytes of the body. */
  readonly length: number
  packed: ReadonlyMap<Encoding, Buffer> = NOT_PACKED
  /** Compressions that were begun. */
  begun: ReadonlySet<Encoding> = NOT_BEGUN
  #kept: Keepable | KeptAnswer

  constructor(key: string, { stamp, from, until }: Term, kept: Keepable) {
    this.key = key
    this.stamp = stamp
    this.from = from
    this.until = until
    this.length = kept.length
    this.#kept = kept
  }

  /** The answer, ready for sending. */
  get answer(): KeptAnswer {
    if ('make' in this.#kept) this.#kept = this.#kept.make()
    return this.#kept
  }
}

/** Part of the whole that one answer may take. */
const LARGEST_SHARE = 1 / 8

/** What an answer takes beside its body and its key, in bytes: headers and books. */
const BESIDE = 2048

/** Answers by key, the least recently used going first when they take more than a number of bytes. */
export class AnswerStore {
  readonly #limit: number
  readonly #entries: BoundedMap<string, Entry>

  /** @param limit bytes that all answers together may take */
  constructor(limit: number) {
    this.#limit = limit
    this.#entries = new BoundedMap(limit)
  }

  /** The answers in numbers. */
  get stats(): BoundedStats {
    return this.#entries.stats
  }

  /** The answer under a key, which is now one of the last to go. */
  get(key: string): Entry | undefined {
    return this.#entries.get(key)
  }

  /** Keeps an answer in place of the one before it; those too large are not kept. */
  put(key: string, term: Term, kept: Keepable): void {
    // Parts of a body that are kept by themselves as well count here, too: they stay for as long as this one does.
    const size = BESIDE + 2 * key.length + kept.length
    if (size > this.#limit * LARGEST_SHARE) this.#entries.remove(key)
    else this.#entries.put(key, new Entry(key, term, kept), size)
  }

  /** Forgets an answer. */
  remove(key: string): void {
    this.#entries.remove(key)
  }

  /** Begins to compress a body, once; `packed` has it as soon as it is ready. Failures leave the plain body. */
  async pack(entry: Entry, encoding: Encoding): Promise<void> {
    if (entry.begun.has(encoding)) return
    entry.begun = new Set([...entry.begun, encoding])
    const { body } = entry.answer
    const bytes = await compress(body, encoding).catch(() => body)
    if (this.#entries.get(entry.key) !== entry || bytes.length >= body.length) return
    entry.packed = new Map([...entry.packed, [encoding, ownBytes(bytes)]])
    this.#entries.grow(entry.key, bytes.length)
  }
}
