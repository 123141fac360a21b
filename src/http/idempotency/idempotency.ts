import { fail } from '../../base/errors.ts'
import { secretIn } from '../auth/authenticate.ts'
import type { Caller } from '../auth/rights.ts'
import { bytesOf, type HttpResponse } from '../response/http-response.ts'
import type { Reply } from '../route.ts'
import { fingerprintOf } from './fingerprint.ts'
import { KEY_HEADER, readKey } from './key.ts'
import {
  EarlierResponse,
  type KeyedMessage,
  type KeyedReply,
  type KeyedRequest,
  type KeyedResponse,
  type ReplayableResponse,
} from './keyed-request.ts'

/** Where responses are stored for a day; the transactions of writes store theirs themselves. */
export interface KeyStore {
  /** A digest of the credentials of a user and a key. */
  idOf(owner: number, password: string, key: string): string
  find(id: string): Promise<KeyedResponse | undefined>
  /**
   * Stores a response without a write. Returns what is stored already if another process was first; otherwise
   * undefined.
   */
  store(key: Omit<KeyedRequest, 'responseOf'>, response: ReplayableResponse): Promise<KeyedResponse | undefined>
  /** Waits until this process knows as much of the journal as those that made the responses it reads. */
  reach(): Promise<void>
}

/** How a request is responded to: what its route replied, and how that is sent. */
export interface RouteResult {
  readonly reply: Reply
  readonly response: HttpResponse
}

/** A request that writes, and how to respond to it. */
export interface KeyedWrite {
  readonly request: KeyedMessage
  readonly incoming: { readonly caller: Caller; readonly now: number }
  finish(reply: KeyedReply): HttpResponse
  /** Runs the request. */
  respond(keyed?: KeyedRequest): Promise<RouteResult>
}

/** Bodies up to this many characters are stored whole. */
const BODY_LIMIT = 1024 ** 2

/** Answers each request with an Idempotency-Key once, and repetitions with the same response (IETF draft). */
export class Idempotency {
  readonly #store: KeyStore
  /** Fingerprints of the requests that this process is working on, by ID. */
  readonly #running = new Map<string, string>()

  constructor(store: KeyStore) {
    this.#store = store
  }

  /**
   * The response to a request. Anonymous callers have no keys: nothing they send changes anything.
   * @throws rest_invalid_header, idempotency_in_progress, idempotency_mismatch
   */
  async respond(write: KeyedWrite): Promise<HttpResponse> {
    const { request, incoming } = write
    const { [KEY_HEADER]: header, authorization } = request.headers
    if (header === undefined) return (await write.respond()).response
    const key = readKey(String(header))
    if (incoming.caller.id === 0) return (await write.respond()).response
    const fingerprint = await fingerprintOf(request)
    const id = this.#store.idOf(incoming.caller.id, request.session ?? secretIn(authorization), key)
    const running = this.#running.get(id)
    if (running !== undefined) throw fail(running === fingerprint ? 'idempotency_in_progress' : 'idempotency_mismatch')
    this.#running.set(id, fingerprint)
    try {
      return await this.#respondOnce(write, { id, fingerprint, owner: incoming.caller.id, now: incoming.now })
    } finally {
      this.#running.delete(id)
    }
  }

  async #respondOnce(write: KeyedWrite, key: Omit<KeyedRequest, 'responseOf'>): Promise<HttpResponse> {
    const earlier = await this.#store.find(key.id)
    if (earlier !== undefined) return this.#repeat(earlier, key)
    let stored: KeyedReply | undefined
    const responseOf = (reply: KeyedReply): ReplayableResponse => {
      stored = reply
      return replayableOf(write, reply)
    }
    try {
      const { reply, response: sent } = await write.respond({ ...key, responseOf })
      if (stored === reply || !isReplayable(reply)) return sent
      // Nothing was changed, so nothing is lost when this cannot be stored.
      const other = await this.#store.store(key, replayableOf(write, reply)).catch(() => undefined)
      return other === undefined ? sent : await this.#repeat(other, key)
    } catch (error) {
      if (error instanceof EarlierResponse) return this.#repeat(error.earlier, key)
      throw error
    }
  }

  async #repeat(
    { fingerprint, response }: KeyedResponse,
    key: Pick<KeyedRequest, 'fingerprint'>,
  ): Promise<HttpResponse> {
    if (fingerprint !== key.fingerprint) throw fail('idempotency_mismatch')
    await this.#store.reach()
    const { status, headers, body } = response
    return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, body: Buffer.from(body) }
  }
}

/** Responses that may differ the next time are not stored: server errors, and too many requests. */
function isReplayable({ status }: Reply): boolean {
  return status < 500 && status !== 429
}

/** A body that is too long is reduced to the identifier in it, of which the ETag of the whole says nothing. */
function replayableOf({ finish }: KeyedWrite, reply: KeyedReply): ReplayableResponse {
  const { status, headers, body } = finish(reply.replayed === undefined ? reply : { ...reply, body: reply.replayed })
  const text = bytesOf(body).toString('utf8')
  if (text.length <= BODY_LIMIT) return { status, headers, body: text }
  const { etag: _, ...others } = headers
  return { status, headers: others, body: JSON.stringify({ id: idIn(reply.body) }) }
}

function idIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, 'id') : undefined
}
