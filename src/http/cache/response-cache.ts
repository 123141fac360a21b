import type { ServerResponse } from 'node:http'
import { REQUEST_ID_HEADER, type ServerRequest } from '../request/server-request.ts'
import { type HttpResponse, ownBytes } from '../response/http-response.ts'
import { chooseEncoding, compressedTag, type Encoding, matchingTag, PLAIN_LIMIT } from '../response/representation.ts'
import type { Freshness } from '../route.ts'
import { cacheKeyOf, type KeyOptions } from './cache-key.ts'
import { type BoundedStats, FragmentStore, type Fragments } from './fragments.ts'
import { type CacheEntry, cachedResponse, ResponseStore } from './response-store.ts'
import type { CacheKey, CacheTicket } from './ticket.ts'
import type { Versions } from './versions.ts'

/** Reports whether all committed changes are counted in the versions, and counts those that are not. */
export interface Changes {
  isUpToDate(): boolean
  catchUp(): Promise<void>
}

/** What a response cache works with. */
export interface ResponseCacheOptions extends KeyOptions {
  /** Bytes that all responses and all fragments may take, half of it each. */
  readonly limit: number
  readonly versions: Versions
  readonly changes: Changes
  now(): number
  /** The CORS headers for the Origin header of a request. */
  corsFor(origin: string | undefined): Readonly<Record<string, string>>
}

/** A response that may be cached. */
export interface CacheableResponse {
  /** A 200 to GET or HEAD with its ETag and all headers but CORS; cached only if it is public. */
  readonly response: HttpResponse
  readonly freshness: Freshness | undefined
}

/** Hits and misses of one kind of entries. */
interface UseStats extends BoundedStats {
  readonly hits: number
  readonly misses: number
}

/** What the cache has done since the start. */
export interface CacheStats {
  readonly responses: UseStats
  /** The fragments that responses are assembled from. */
  readonly fragments: UseStats
}

/** How often a request waits for changes to be counted before it bypasses the cache. */
const CATCH_UP_ATTEMPTS = 3

/**
 * Caches whole responses to anonymous readers. They are looked up before anything else is done with a request, and are sent
 * only while they are fresh (architecture: Caches).
 */
export class ResponseCache {
  readonly #options: ResponseCacheOptions
  readonly #store: ResponseStore
  readonly #fragments: FragmentStore
  /** Pending responses, by key and language; each resolves when it is ready, or never will be. */
  readonly #making = new Map<string, Promise<void>>()
  #isClosed = false
  // Plain numbers, because a cached response costs next to nothing otherwise.
  #hits = 0
  #misses = 0

  constructor(options: ResponseCacheOptions) {
    this.#options = options
    this.#store = new ResponseStore(options.limit / 2)
    this.#fragments = new FragmentStore(options.limit / 2, options.versions)
  }

  /** What it has done so far, and what it holds. */
  get stats(): CacheStats {
    return {
      responses: { ...this.#store.stats, hits: this.#hits, misses: this.#misses },
      fragments: this.#fragments.stats,
    }
  }

  /**
   * Responds from the cache at once where it can, and leaves the rest to `onMiss`. A request whose response may be cached
   * gets a ticket before it is handled.
   */
  respond(request: ServerRequest, onMiss: MissHandler): void {
    const key = this.#isClosed ? undefined : cacheKeyOf(request.raw, this.#options)
    if (key === undefined) onMiss.admit(request, onMiss.begin)
    else this.#respondOrWait({ key, request, onMiss })
  }

  /** Caches the response to a request with a ticket, where it says how long it is fresh. */
  store(ticket: CacheTicket, { response, freshness }: CacheableResponse): void {
    const { versions } = this.#options
    // A change since the request arrived may or may not be in the response.
    if (freshness === undefined || versions.total !== ticket.total) return
    const { headers, body } = response
    // A response that needed a password or credentials is not public.
    if (headers['cache-control']?.startsWith('public') !== true) return
    const key = /\baccept-language\b/i.test(headers['vary'] ?? '') ? ticket.spokenKey : ticket.key
    const pieces = Buffer.isBuffer(body) ? [ownBytes(body)] : body
    let length = 0
    for (const piece of pieces) length += piece.length
    const until = freshness.until ?? Infinity
    if (until <= ticket.at) return
    const lifetime = { version: versions.versionOf(freshness.dependencies), from: ticket.at, until }
    this.#store.store(key, lifetime, { length, make: () => cachedResponse(headers, pieces) })
  }

  /** From now on every request bypasses the cache. */
  close(): void {
    this.#isClosed = true
  }

  /** Sends a cached response if it is known to be fresh; others wait for their turn and are looked up again then. */
  #respondOrWait(lookup: Lookup): void {
    const { key, request, onMiss } = lookup
    const entry = this.#findFor(key)
    if (entry === undefined) onMiss.admit(request, () => this.#begin(lookup, false))
    else if (this.#isUpToDate()) this.#send(entry, request)
    else void this.#respondLater(lookup)
  }

  /** An earlier request in the queue may have been for the same, so that its response is cached by now. */
  #begin(lookup: Lookup, hasWaited: boolean): void {
    if (this.#isClosed) this.#pass(lookup)
    else if (this.#isUpToDate()) this.#respondOrMake(lookup, hasWaited)
    else void this.#catchUp().then((isDone) => (isDone ? this.#respondOrMake(lookup, hasWaited) : this.#pass(lookup)))
  }

  #respondOrMake(lookup: Lookup, hasWaited: boolean): void {
    const { key, request, onMiss } = lookup
    const entry = this.#findFor(key)
    if (entry !== undefined) {
      this.#send(entry, request)
      return
    }
    const underWay = this.#making.get(key.spokenKey)
    // Waiting once is enough: uncacheable responses are built for all requests at the same time.
    if (underWay !== undefined && !hasWaited) {
      this.#store.expect(key.key)
      this.#store.expect(key.spokenKey)
      void underWay.then(() => onMiss.queue(request, () => this.#begin(lookup, true)))
      return
    }
    const { now, versions } = this.#options
    const { total } = versions
    const ended = this.#trackMaking(key.spokenKey, request.response)
    const fragments: Fragments = { of: (form) => this.#fragments.of(form, total) }
    request.ticket = { ...key, at: now(), total, fragments, ended }
    this.#pass(lookup)
  }

  /** Lets requests for the same response wait until it is ready, or its client has disconnected. */
  #trackMaking(key: string, response: ServerResponse): () => void {
    // No event follows for a client that has disconnected already.
    if (response.closed || response.destroyed) return () => undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#making.set(key, promise)
    const ended = (): void => {
      if (this.#making.get(key) === promise) this.#making.delete(key)
      response.off('prefinish', ended).off('close', ended)
      resolve()
    }
    // `prefinish` comes when all has been written, however slowly it is read; `close` when nothing more will be.
    response.on('prefinish', ended).on('close', ended)
    return ended
  }

  #pass({ request, onMiss }: Lookup): void {
    this.#misses += 1
    onMiss.begin(request)
  }

  /** Errors are ignored here: the request itself will report what is wrong with the database. */
  #isUpToDate(): boolean {
    try {
      return this.#options.changes.isUpToDate()
    } catch {
      return false
    }
  }

  async #respondLater(lookup: Lookup): Promise<void> {
    if (await this.#catchUp()) this.#respondOrWait(lookup)
    else lookup.onMiss.admit(lookup.request, () => this.#pass(lookup))
  }

  async #catchUp(): Promise<boolean> {
    const { changes } = this.#options
    try {
      for (let turn = 0; turn < CATCH_UP_ATTEMPTS; turn += 1) {
        await changes.catchUp()
        if (this.#isClosed || changes.isUpToDate()) return !this.#isClosed
      }
    } catch {
      // The request itself will report what is wrong with the database.
    }
    return false
  }

  #findFor({ key, spokenKey }: CacheKey): CacheEntry | undefined {
    const at = this.#options.now()
    for (const stored of [key, spokenKey]) {
      const entry = this.#store.get(stored)
      if (entry === undefined) continue
      if (at >= entry.from && at < entry.until && this.#options.versions.isFresh(entry.version)) {
        entry.usedAt = at
        return entry
      }
      this.#store.remove(stored)
      this.#store.expect(stored)
    }
    return undefined
  }

  #send(entry: CacheEntry, request: ServerRequest): void {
    this.#hits += 1
    const accepted = request.headers['accept-encoding']
    const encoding = accepted === undefined || entry.length <= PLAIN_LIMIT ? undefined : chooseEncoding(accepted)
    if (encoding === undefined || entry.compressed.has(encoding)) {
      this.#write(entry, request, encoding)
      return
    }
    void this.#store
      .compress(entry, encoding)
      .then(() => this.#write(entry, request, entry.compressed.has(encoding) ? encoding : undefined))
  }

  #write(entry: CacheEntry, request: ServerRequest, encoding: Encoding | undefined): void {
    const { headers, sentMethod, response } = request
    const { response: cached } = entry
    const body = (encoding && entry.compressed.get(encoding)) ?? cached.body
    const etag = encoding === undefined ? cached.etag : compressedTag(cached.etag, encoding)
    const fields = [...cached.fields, REQUEST_ID_HEADER, request.id]
    if (cached.hasCors) fields.push(...Object.entries(this.#options.corsFor(headers.origin)).flat())
    const matching = matchingTag(headers['if-none-match'], cached.etag)
    if (matching !== undefined) {
      fields.push('etag', matching === cached.etag ? etag : matching)
      response.writeHead(304, fields).end()
      return
    }
    fields.push('content-type', cached.type, 'etag', etag, 'content-length', String(body.length))
    if (encoding !== undefined) fields.push('content-encoding', encoding)
    response.writeHead(200, fields)
    response.end(sentMethod === 'HEAD' ? undefined : body)
  }
}

/** What happens to a request whose response is not cached. */
export interface MissHandler {
  /** Runs a step when the request has been admitted and its turn has come. */
  admit(request: ServerRequest, step: (request: ServerRequest) => void): void
  /** Runs a step of an admitted request when its turn has come again. */
  queue(request: ServerRequest, step: () => void): void
  /** Makes the response. */
  begin(request: ServerRequest): void
}

interface Lookup {
  readonly key: CacheKey
  readonly request: ServerRequest
  readonly onMiss: MissHandler
}
