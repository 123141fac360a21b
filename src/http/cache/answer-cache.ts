import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sendable } from '../answer.ts'
import { matchingTag } from '../etag.ts'
import type { Lasting } from '../route.ts'
import { type Asking, askingOf, type KeyOptions } from './asking.ts'
import type { BoundedStats } from './bounded-map.ts'
import { chooseEncoding, type Encoding, PLAIN_LIMIT } from './encodings.ts'
import { FragmentShelf, type Fragments } from './fragments.ts'
import { type Entry, type KeptAnswer, Shelf } from './shelf.ts'
import type { Versions } from './versions.ts'

/** Tells whether everything that was committed has been counted in the versions, and counts what was not. */
export interface Changes {
  isUpToDate(): boolean
  catchUp(): Promise<void>
}

/** What a cache of answers works with. */
export interface AnswerCacheParts extends KeyOptions {
  /** Bytes that all answers and all texts of which they are put together may take, half of it each. */
  readonly limit: number
  readonly versions: Versions
  readonly changes: Changes
  now(): number
  /** CORS headers for the Origin header of a request. */
  corsFor(origin: string | undefined): Readonly<Record<string, string>>
}

/** A handler of requests as Node has it. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A request that is being answered, and how things stood when it came. */
interface Claim extends Asking {
  readonly at: number
  /** All changes until then. */
  readonly total: number
}

/** An answer that may be kept. */
export interface Keeping {
  /** A 200 to GET or HEAD with its ETag and all headers but CORS; kept only if everybody may. */
  readonly answer: Sendable
  readonly lasting: Lasting | undefined
}

/** How often something that is kept was sent again or used, and how often it was not there. */
interface UseStats extends BoundedStats {
  readonly hits: number
  readonly misses: number
}

/** What a cache of answers has done since the beginning. */
export interface CacheStats {
  readonly answers: UseStats
  /** The texts that answers are put together from. */
  readonly texts: UseStats
  /** Answers that a client had already: 304, among the hits. */
  readonly notModified: number
  /** Changes that ended what was made of the changed. */
  readonly invalidations: number
}

/** How often a request waits for changes to be counted before it does without the cache. */
const PATIENCE = 3

/**
 * Whole answers to anonymous readers, looked up before anything else is done with a request and used only while all that
 * they are made of is as it was (architecture: Caches).
 */
export class AnswerCache {
  readonly #parts: AnswerCacheParts
  readonly #shelf: Shelf
  readonly #fragments: FragmentShelf
  readonly #claims = new WeakMap<IncomingMessage, Claim>()
  #isClosed = false
  // Plain numbers, because a kept answer costs next to nothing besides.
  #hits = 0
  #misses = 0
  #notModified = 0

  constructor(parts: AnswerCacheParts) {
    this.#parts = parts
    this.#shelf = new Shelf(parts.limit / 2)
    this.#fragments = new FragmentShelf(parts.limit / 2, parts.versions)
  }

  /** What it has done so far, and what it keeps. */
  get stats(): CacheStats {
    return {
      answers: { ...this.#shelf.stats, hits: this.#hits, misses: this.#misses },
      texts: this.#fragments.stats,
      notModified: this.#notModified,
      invalidations: this.#parts.versions.changes,
    }
  }

  /** A handler that answers what is kept and leaves the rest to another one. */
  before(next: Handler): Handler {
    return (request, response) => {
      const asking = this.#isClosed ? undefined : askingOf(request, this.#parts)
      if (asking === undefined) next(request, response)
      else this.#enter({ asking, request, response, next })
    }
  }

  /** Keeps the answer to a request that came through `before`, where it says how long it lasts. */
  keep(request: IncomingMessage, { answer, lasting }: Keeping): void {
    const claim = this.#claims.get(request)
    const { versions } = this.#parts
    // What has changed since the request came may or may not be in the answer.
    if (claim === undefined || lasting === undefined || versions.total !== claim.total) return
    const { headers, body, pieces = [body] } = answer
    // What a password opened, or credentials, is nobody's to keep.
    if (headers['cache-control']?.startsWith('public') !== true) return
    const key = /\baccept-language\b/i.test(headers['vary'] ?? '') ? claim.spokenKey : claim.key
    const term = { stamp: versions.stamp(lasting.parts), from: claim.at, until: lasting.until ?? Infinity }
    if (term.until <= term.from) return
    this.#shelf.put(key, term, { length: body.length, make: () => readyAnswer(headers, pieces) })
  }

  /** The texts that a request may use: one that came through `before` and may see them all. */
  fragmentsFor(request: IncomingMessage): Fragments | undefined {
    const claim = this.#claims.get(request)
    if (claim === undefined) return undefined
    return {
      get: (name) => this.#fragments.get(name),
      put: (name, text, parts) => {
        if (this.#parts.versions.total === claim.total) this.#fragments.put(name, text, parts)
      },
    }
  }

  /** From now on everything is left to the handler behind. */
  close(): void {
    this.#isClosed = true
  }

  #enter(exchange: Exchange): void {
    if (this.#isUpToDate()) this.#answer(exchange)
    else void this.#enterLater(exchange)
  }

  /** Nobody would catch what is thrown before the web framework: the request itself says what is wrong with the database. */
  #isUpToDate(): boolean {
    try {
      return this.#parts.changes.isUpToDate()
    } catch {
      return false
    }
  }

  async #enterLater(exchange: Exchange): Promise<void> {
    if (await this.#catchUp()) return this.#answer(exchange)
    this.#misses += 1
    exchange.next(exchange.request, exchange.response)
  }

  async #catchUp(): Promise<boolean> {
    const { changes } = this.#parts
    try {
      for (let turn = 0; turn < PATIENCE; turn += 1) {
        await changes.catchUp()
        if (this.#isClosed || changes.isUpToDate()) return !this.#isClosed
      }
    } catch {
      // The request itself will say what is wrong with the database.
    }
    return false
  }

  #answer(exchange: Exchange): void {
    const { asking, request, response, next } = exchange
    const at = this.#parts.now()
    const entry = this.#find(asking.key, at) ?? this.#find(asking.spokenKey, at)
    if (entry === undefined) {
      this.#misses += 1
      this.#claims.set(request, { ...asking, at, total: this.#parts.versions.total })
      next(request, response)
    } else this.#send(entry, exchange)
  }

  #find(key: string, at: number): Entry | undefined {
    const entry = this.#shelf.get(key)
    if (entry === undefined) return undefined
    if (at >= entry.from && at < entry.until && this.#parts.versions.isCurrent(entry.stamp)) return entry
    this.#shelf.remove(key)
    return undefined
  }

  #send(entry: Entry, { request, response }: Exchange): void {
    this.#hits += 1
    const { headers, method } = request
    const encoding = this.#encodingFor(entry, headers['accept-encoding'])
    const { answer } = entry
    const body = (encoding && entry.packed.get(encoding)) ?? answer.body
    const etag = encoding === undefined ? answer.etag : packedTag(answer.etag, encoding)
    const fields = [...answer.fields]
    if (headers.origin !== undefined) fields.push(...Object.entries(this.#parts.corsFor(headers.origin)).flat())
    const matching = matchingTag(headers['if-none-match'], answer.etag)
    if (matching !== undefined) {
      this.#notModified += 1
      fields.push('etag', matching === answer.etag ? etag : matching)
      response.writeHead(304, fields).end()
      return
    }
    fields.push('content-type', answer.type, 'etag', etag, 'content-length', String(body.length))
    if (encoding !== undefined) fields.push('content-encoding', encoding)
    response.writeHead(200, fields)
    response.end(method === 'HEAD' ? undefined : body)
  }

  /** The compression in which an answer is sent: one that is ready. Others are begun for those who ask next. */
  #encodingFor(entry: Entry, accepted: string | undefined): Encoding | undefined {
    if (accepted === undefined || entry.length <= PLAIN_LIMIT) return undefined
    const encoding = chooseEncoding(accepted)
    if (encoding === undefined || entry.packed.has(encoding)) return encoding
    void this.#shelf.pack(entry, encoding)
    return undefined
  }
}

interface Exchange {
  readonly asking: Asking
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly next: Handler
}

/** A compressed answer is another one, byte for byte, so it has a tag of its own (RFC 9110 section 8.8.3.3). */
function packedTag(etag: string, encoding: Encoding): string {
  return `${etag.slice(0, -1)}-${encoding}"`
}

function readyAnswer(sent: Sendable['headers'], pieces: readonly Buffer[]): KeptAnswer {
  const { etag = '', 'content-type': type = '', ...headers } = lowerCased(sent)
  const [first, ...others] = pieces
  const body = first !== undefined && others.length === 0 ? first : Buffer.concat(pieces)
  return { fields: Object.entries(headers).flat(), type, etag, body }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
