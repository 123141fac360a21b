import type { ServerResponse } from 'node:http'
import type { Sendable } from '../answer.ts'
import { REQUEST_ID_HEADER } from '../request/request-id.ts'
import type { ServerRequest } from '../request/server-request.ts'
import { matchingTag } from '../response/etag.ts'
import type { Lasting } from '../route.ts'
import { AnswerStore, type Entry } from './answer-store.ts'
import type { BoundedStats } from './bounded-map.ts'
import { cacheKeyOf, type KeyOptions } from './cache-key.ts'
import { chooseEncoding, type Encoding, PLAIN_LIMIT } from './encodings.ts'
import { FragmentStore, type Fragments, type FragmentsOfForm } from './fragments.ts'
import { ownBytes } from './own-bytes.ts'
import { packedTag, readyAnswer } from './ready-answer.ts'
import type { CacheKey, CacheTicket } from './ticket.ts'
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
  readonly #shelf: AnswerStore
  readonly #fragments: FragmentStore
  /** Answers that are being made, by the key that says most of them; each resolves when it has been made, or never will be. */
  readonly #making = new Map<string, Promise<void>>()
  #isClosed = false
  // Plain numbers, because a kept answer costs next to nothing besides.
  #hits = 0
  #misses = 0
  #notModified = 0

  constructor(parts: AnswerCacheParts) {
    this.#parts = parts
    this.#shelf = new AnswerStore(parts.limit / 2)
    this.#fragments = new FragmentStore(parts.limit / 2, parts.versions)
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

  /**
   * Responds from the cache where it can, at once, and leaves the rest to `waiting`. What may be cached has a ticket when it
   * is begun.
   */
  respond(request: ServerRequest, waiting: Waiting): void {
    const key = this.#isClosed ? undefined : cacheKeyOf(request.raw, this.#parts)
    if (key === undefined) waiting.admit(request, waiting.begin)
    else if (this.#isUpToDate()) this.#respondOrWait({ key, request, waiting })
    else void this.#respondLater({ key, request, waiting })
  }

  /** Caches the response to a request with a ticket, where it says how long it lasts. */
  keep(ticket: CacheTicket, { answer, lasting }: Keeping): void {
    const { versions } = this.#parts
    // What has changed since the request came may or may not be in the answer.
    if (lasting === undefined || versions.total !== ticket.total) return
    const { headers, body } = answer
    // What a password opened, or credentials, is nobody's to keep.
    if (headers['cache-control']?.startsWith('public') !== true) return
    const key = /\baccept-language\b/i.test(headers['vary'] ?? '') ? ticket.spokenKey : ticket.key
    const term = { stamp: versions.stamp(lasting.parts), from: ticket.at, until: lasting.until ?? Infinity }
    if (term.until <= term.from) return
    const own = Buffer.isBuffer(body) ? [ownBytes(body)] : body
    const length = own.reduce((sum, part) => sum + part.length, 0)
    this.#shelf.put(key, term, { length, make: () => readyAnswer(headers, own) })
  }

  /** The texts that a request with a ticket may use. */
  fragmentsFor(ticket: CacheTicket): Fragments {
    return { of: (form) => this.#asOf(ticket, this.#fragments.of(form)) }
  }

  /** Texts that are kept only where nothing has changed since the request came: the change may or may not be in them. */
  #asOf({ total }: CacheTicket, texts: FragmentsOfForm): FragmentsOfForm {
    return {
      get: texts.get,
      put: (id, text, parts) => {
        if (this.#parts.versions.total === total) texts.put(id, text, parts)
      },
    }
  }

  /** From now on everything is left to the handler behind. */
  close(): void {
    this.#isClosed = true
  }

  #respondOrWait(lookup: Lookup): void {
    const entry = this.#findFor(lookup.key)
    if (entry !== undefined) this.#send(entry, lookup.request)
    else lookup.waiting.admit(lookup.request, () => this.#begin(lookup, false))
  }

  /** Those who stood before in the queue may have asked for the same, so that it is cached by now. */
  #begin(lookup: Lookup, hasWaited: boolean): void {
    if (this.#isClosed) this.#pass(lookup)
    else if (this.#isUpToDate()) this.#respondOrMake(lookup, hasWaited)
    else void this.#catchUp().then((isDone) => (isDone ? this.#respondOrMake(lookup, hasWaited) : this.#pass(lookup)))
  }

  #respondOrMake(lookup: Lookup, hasWaited: boolean): void {
    const { key, request, waiting } = lookup
    const entry = this.#findFor(key)
    const underWay = this.#making.get(key.spokenKey)
    if (entry !== undefined) this.#send(entry, request)
    // Once is enough: what cannot be cached is made for everybody at the same time.
    else if (underWay === undefined || hasWaited) this.#make(lookup)
    else void underWay.then(() => waiting.queue(request, () => this.#begin(lookup, true)))
  }

  #make(lookup: Lookup): void {
    const { key, request } = lookup
    this.#announce(key.spokenKey, request.response)
    request.ticket = { ...key, at: this.#parts.now(), total: this.#parts.versions.total }
    this.#pass(lookup)
  }

  /** Lets those who ask for the same wait until a response has been made, or its reader has gone away. */
  #announce(key: string, response: ServerResponse): void {
    // Of a reader who has gone away already nobody will be told.
    if (response.closed || response.destroyed) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#making.set(key, promise)
    const ended = (): void => {
      if (this.#making.get(key) === promise) this.#making.delete(key)
      resolve()
    }
    // The one comes when all has been written, however slowly it is read, the other when nothing will be.
    response.once('prefinish', ended).once('close', ended)
  }

  #pass({ request, waiting }: Lookup): void {
    this.#misses += 1
    waiting.begin(request)
  }

  /** Nobody would catch what is thrown here: the request itself says what is wrong with the database. */
  #isUpToDate(): boolean {
    try {
      return this.#parts.changes.isUpToDate()
    } catch {
      return false
    }
  }

  async #respondLater(lookup: Lookup): Promise<void> {
    if (await this.#catchUp()) this.#respondOrWait(lookup)
    else lookup.waiting.admit(lookup.request, () => this.#pass(lookup))
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

  #findFor({ key, spokenKey }: CacheKey): Entry | undefined {
    const at = this.#parts.now()
    return this.#find(key, at) ?? this.#find(spokenKey, at)
  }

  #find(key: string, at: number): Entry | undefined {
    const entry = this.#shelf.get(key)
    if (entry === undefined) return undefined
    if (at >= entry.from && at < entry.until && this.#parts.versions.isCurrent(entry.stamp)) return entry
    this.#shelf.remove(key)
    return undefined
  }

  #send(entry: Entry, request: ServerRequest): void {
    this.#hits += 1
    request.isCached = true
    const { headers, sentMethod, response } = request
    const encoding = this.#encodingFor(entry, headers['accept-encoding'])
    const { answer } = entry
    const body = (encoding && entry.packed.get(encoding)) ?? answer.body
    const etag = encoding === undefined ? answer.etag : packedTag(answer.etag, encoding)
    const fields = [...answer.fields, REQUEST_ID_HEADER, request.id]
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
    response.end(sentMethod === 'HEAD' ? undefined : body)
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

/** What becomes of a request whose response is not cached. */
export interface Waiting {
  /** Does a step when the gate has let the request in and its turn has come. */
  admit(request: ServerRequest, step: (request: ServerRequest) => void): void
  /** Does a step of a request that is in when its turn has come again. */
  queue(request: ServerRequest, step: () => void): void
  /** Has the response made. */
  begin(request: ServerRequest): void
}

interface Lookup {
  readonly key: CacheKey
  readonly request: ServerRequest
  readonly waiting: Waiting
}
