import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Sendable } from '../answer.ts'
import { matchingTag } from '../etag.ts'
import type { RequestGate } from '../request-gate.ts'
import { onceRequestIdOf, REQUEST_ID_HEADER, requestIdOf } from '../request-id.ts'
import type { Lasting } from '../route.ts'
import type { Line } from '../turns.ts'
import { type Asking, askingOf, type KeyOptions } from './asking.ts'
import type { BoundedStats } from './bounded-map.ts'
import { chooseEncoding, type Encoding, PLAIN_LIMIT } from './encodings.ts'
import { FragmentShelf, type Fragments, type FragmentsOfForm } from './fragments.ts'
import { ownBytes } from './own-bytes.ts'
import { packedTag, readyAnswer } from './ready-answer.ts'
import { type Entry, Shelf } from './shelf.ts'
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
  /** Told of every request that is answered from the cache. */
  readonly sent?: ((request: IncomingMessage) => void) | undefined
}

/** A handler of requests as Node has it. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A handler of requests some of which have a claim to the cache. */
export type ClaimsHandler = (request: IncomingMessage, response: ServerResponse, claim: Claim | undefined) => void

/** A request whose answer may be kept, and how things stood when it came. */
export interface Claim extends Asking {
  readonly at: number
  /** All changes until then. */
  readonly total: number
}

/** A request with a claim that is to be answered. */
export interface Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly claim: Claim
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
  /** Answers that are being made, by the key that says most of them; each resolves when it has been made, or never will be. */
  readonly #making = new Map<string, Promise<void>>()
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

  /**
   * A handler that answers what is kept at once, and leaves the rest to another one when the gate has let it in and its
   * turn has come.
   */
  before(handler: ClaimsHandler, { line, gate }: Waiting): Handler {
    return (request, response) => {
      const asking = this.#isClosed ? undefined : askingOf(request, this.#parts)
      const next = (claim?: Claim): void => handler(request, response, claim)
      if (asking !== undefined) return this.#enter({ asking, request, response, next, line, gate })
      const client = gate.enter(request, response)
      if (client !== undefined) line(next, client)
    }
  }

  /** Keeps the answer to a request with a claim, where it says how long it lasts. */
  keep(claim: Claim, { answer, lasting }: Keeping): void {
    const { versions } = this.#parts
    // What has changed since the request came may or may not be in the answer.
    if (lasting === undefined || versions.total !== claim.total) return
    const { headers, body } = answer
    // What a password opened, or credentials, is nobody's to keep.
    if (headers['cache-control']?.startsWith('public') !== true) return
    const key = /\baccept-language\b/i.test(headers['vary'] ?? '') ? claim.spokenKey : claim.key
    const term = { stamp: versions.stamp(lasting.parts), from: claim.at, until: lasting.until ?? Infinity }
    if (term.until <= term.from) return
    const own = Buffer.isBuffer(body) ? [ownBytes(body)] : body
    const length = own.reduce((sum, part) => sum + part.length, 0)
    this.#shelf.put(key, term, { length, make: () => readyAnswer(headers, own) })
  }

  /** The texts that a request with a claim may use. */
  fragmentsFor(claim: Claim): Fragments {
    return { of: (form) => this.#asOf(claim, this.#fragments.of(form)) }
  }

  /** Texts that are kept only where nothing has changed since the request came: the change may or may not be in them. */
  #asOf({ total }: Claim, texts: FragmentsOfForm): FragmentsOfForm {
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

  #enter(exchange: Exchange): void {
    if (this.#isUpToDate()) this.#answerOrWait(exchange)
    else void this.#enterLater(exchange)
  }

  #answerOrWait(exchange: Exchange): void {
    const entry = this.#findFor(exchange.asking)
    if (entry !== undefined) this.#send(entry, exchange)
    else letIn(exchange, (admitted) => this.#begin(admitted))
  }

  /** Those who stood before in the line may have asked for the same, so that it is kept by now. */
  #begin(exchange: Admitted): void {
    if (this.#isClosed) this.#pass(exchange)
    else if (this.#isUpToDate()) this.#answer(exchange)
    else void this.#catchUp().then((isCaughtUp) => (isCaughtUp ? this.#answer(exchange) : this.#pass(exchange)))
  }

  #answer(exchange: Admitted): void {
    const { asking, hasWaited } = exchange
    const entry = this.#findFor(asking)
    const underWay = this.#making.get(asking.spokenKey)
    if (entry !== undefined) this.#send(entry, exchange)
    // Once is enough: what cannot be kept is made for everybody at the same time.
    else if (underWay === undefined || hasWaited) this.#make(exchange)
    else void underWay.then(() => exchange.line(() => this.#begin({ ...exchange, hasWaited: true }), exchange.client))
  }

  #make(exchange: Admitted): void {
    const { asking, response } = exchange
    this.#announce(asking.spokenKey, response)
    this.#pass(exchange, { ...asking, at: this.#parts.now(), total: this.#parts.versions.total })
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

  #pass({ next }: Exchange, claim?: Claim): void {
    this.#misses += 1
    next(claim)
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
    if (await this.#catchUp()) return this.#answerOrWait(exchange)
    letIn(exchange, (admitted) => this.#pass(admitted))
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

  #findFor({ key, spokenKey }: Asking): Entry | undefined {
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

  #send(entry: Entry, { request, response }: Exchange): void {
    this.#hits += 1
    const { headers, method } = request
    const encoding = this.#encodingFor(entry, headers['accept-encoding'])
    const { answer } = entry
    const body = (encoding && entry.packed.get(encoding)) ?? answer.body
    const etag = encoding === undefined ? answer.etag : packedTag(answer.etag, encoding)
    const { sent } = this.#parts
    sent?.(request)
    const id = sent === undefined ? onceRequestIdOf(request) : requestIdOf(request)
    const fields = [...answer.fields, REQUEST_ID_HEADER, id]
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

/** Where a request waits that is not answered at once. */
export interface Waiting {
  readonly line: Line
  readonly gate: Pick<RequestGate, 'enter'>
}

interface Exchange extends Waiting {
  readonly asking: Asking
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Has it answered by the handler behind. */
  next(claim?: Claim): void
}

/** An exchange that the gate has let in. */
interface Admitted extends Exchange {
  /** Whom it comes from, see `clientKey`. */
  readonly client: string
  /** Whether it has waited for the same answer to somebody else. */
  readonly hasWaited: boolean
}

/** Does a step when the gate has let an exchange in and it is its turn. */
function letIn(exchange: Exchange, step: (admitted: Admitted) => void): void {
  const client = exchange.gate.enter(exchange.request, exchange.response)
  if (client !== undefined) exchange.line(() => step({ ...exchange, client, hasWaited: false }), client)
}
