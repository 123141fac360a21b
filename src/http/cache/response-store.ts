import { type HttpResponse, ownBytes } from '../response/http-response.ts'
import { compress, type Encoding } from '../response/representation.ts'
import { BoundedMap } from './fragments.ts'
import type { DependencyVersion } from './versions.ts'

/** A cached response: always a 200 that is the same for everybody who sends the same request. */
export interface CachedResponse {
  /**
   * Names and values of the header fields in turn, the form that Node writes fastest; without type, ETag, length, encoding
   * and CORS.
   */
  readonly fields: readonly string[]
  /** Whether CORS headers are added when it is sent: it varies by origin, and allows none itself. */
  readonly hasCors: boolean
  readonly type: string
  /** In quotes. */
  readonly etag: string
  readonly body: Buffer
}

/** A response that is prepared for sending when it is first requested again: many never are. */
export interface LazyResponse {
  /** Bytes of its body. */
  readonly length: number
  /** Called once. */
  make(): CachedResponse
}

/** How long a response is fresh. */
export interface Lifetime {
  readonly version: DependencyVersion
  /** Moments between which it is fresh unless a dependency changes, Unix milliseconds: the first inclusive, the last exclusive. */
  readonly from: number
  readonly until: number
}

// Shared: most responses are never requested again.
const NOT_COMPRESSED: ReadonlyMap<Encoding, Buffer> = new Map()
const NOT_COMPRESSING: ReadonlyMap<Encoding, Promise<void>> = new Map()

/** A cached response with its compressed bodies. */
export class CacheEntry implements Lifetime {
  readonly key: string
  readonly version: DependencyVersion
  readonly from: number
  readonly until: number
  /** Bytes of the body. */
  readonly length: number
  compressed: ReadonlyMap<Encoding, Buffer> = NOT_COMPRESSED
  /** When it was requested last, Unix milliseconds. */
  usedAt: number
  /** Compressions that were started, each until it has ended. */
  compressing: ReadonlyMap<Encoding, Promise<void>> = NOT_COMPRESSING
  #response: LazyResponse | CachedResponse

  constructor(key: string, { version, from, until }: Lifetime, response: LazyResponse) {
    this.key = key
    this.version = version
    this.from = from
    this.usedAt = from
    this.until = until
    this.length = response.length
    this.#response = response
  }

  /** The response, prepared for sending. */
  get response(): CachedResponse {
    if ('make' in this.#response) this.#response = this.#response.make()
    return this.#response
  }
}

/** Share of the whole that one response may take. */
const LARGEST_SHARE = 1 / 8

/** What a response takes beside its body and key, in bytes: headers and bookkeeping. */
const OVERHEAD = 2048

/** Milliseconds without a request after which a response makes room for any other. */
const IDLE = 10_000

/** Keys that are remembered: several times as many as there are lists of ten events in 64 MB. */
const RECENT_KEYS = 8_192

/**
 * Remembers which keys came lately, in a fixed amount of memory: after as many others as it has places a key is probably
 * forgotten. In rare cases it takes one key for another.
 */
export class RecentKeys {
  readonly #hashes: Uint32Array

  /** @param places places for keys; each key has one, from which it displaces the key before. Four bytes each. */
  constructor(places: number) {
    this.#hashes = new Uint32Array(places)
  }

  /** Whether a key is remembered. It is from now on. */
  note(key: string): boolean {
    const hash = hashOf(key)
    const place = hash % this.#hashes.length
    const isKnown = this.#hashes[place] === hash
    this.#hashes[place] = hash
    return isKnown
  }
}

/** A hash of 32 bits, FNV-1a over the UTF-16 code units; never 0, which stands for a place without a key. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  return hash >>> 0 || 1
}

/** Responses by key, bounded in bytes; the least recently used are evicted first. */
export class ResponseStore extends BoundedMap<string, CacheEntry> {
  readonly #recent = new RecentKeys(RECENT_KEYS)

  /**
   * Stores a response in place of the one before, unless it is too large. While responses that are in use would have to
   * be evicted for it, it is not stored before its key comes for the second time: most of what crawlers request never is
   * requested again.
   */
  store(key: string, lifetime: Lifetime, response: LazyResponse): void {
    // Fragments that the body shares with the fragment store count here, too: this entry keeps them in memory.
    const size = OVERHEAD + 2 * key.length + response.length
    const isKnown = this.#recent.note(key)
    const entry = new CacheEntry(key, lifetime, response)
    if (size > this.limit * LARGEST_SHARE) this.remove(key)
    else if (isKnown) this.put(key, entry, size)
    else this.putWhereRoom(key, entry, { size, mayGo: ({ usedAt }) => lifetime.from - usedAt > IDLE })
  }

  /** Counts a request for an entry that is not stored: its next response will be. */
  expect(key: string): void {
    this.#recent.note(key)
  }

  /** Compresses a body, once; `compressed` has it then. After a failure, and where that saves nothing, the plain body is sent. */
  compress(entry: CacheEntry, encoding: Encoding): Promise<void> {
    const started = entry.compressing.get(encoding) ?? this.#compress(entry, encoding)
    entry.compressing = new Map([...entry.compressing, [encoding, started]])
    return started
  }

  async #compress(entry: CacheEntry, encoding: Encoding): Promise<void> {
    const { body } = entry.response
    const bytes = await compress(body, encoding).catch(() => body)
    if (bytes.length >= body.length) return
    // One that was evicted meanwhile is still sent to those who wait for it.
    entry.compressed = new Map([...entry.compressed, [encoding, ownBytes(bytes)]])
    if (this.get(entry.key) === entry) this.grow(entry.key, bytes.length)
  }
}

/** A response prepared for being sent many times, assembled from the pieces of its body. */
export function cachedResponse(sent: HttpResponse['headers'], pieces: readonly Buffer[]): CachedResponse {
  const { etag = '', 'content-type': type = '', ...headers } = lowerCased(sent)
  const [first, ...others] = pieces
  const body = first !== undefined && others.length === 0 ? first : ownBytes(Buffer.concat(pieces))
  const hasCors = /\borigin\b/i.test(headers['vary'] ?? '') && headers['access-control-allow-origin'] === undefined
  return { fields: Object.entries(headers).flat(), hasCors, type, etag, body }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
