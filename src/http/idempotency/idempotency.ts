import { passwordIn } from '../../auth/authenticate.ts'
import type { Caller } from '../../auth/caller.ts'
import { fail } from '../../errors.ts'
import { bytesOf, type Sendable } from '../answer.ts'
import type { Reply } from '../route.ts'
import { fingerprintOf } from './fingerprint.ts'
import { KEY_HEADER, readKey } from './key.ts'
import {
  EarlierResponse,
  type KeptKey,
  type KeptResponse,
  type KeyedArrival,
  type KeyedReply,
  type KeyedRequest,
} from './keyed-request.ts'

/** Where responses are kept for a day; the transactions of writes store theirs themselves. */
export interface KeyStore {
  /** What stands for the password of a user and a key. */
  idOf(owner: number, password: string, key: string): string
  find(id: string): Promise<KeptKey | undefined>
  /** Stores a response without a write. What is stored already, when another process was first; else undefined. */
  store(key: Omit<KeyedRequest, 'responseOf'>, response: KeptResponse): Promise<KeptKey | undefined>
  /** Waits until this process knows of the journal what those know who made the responses that it reads. */
  reach(): Promise<void>
}

/** How a request is answered: what its route replied, and how that is sent. */
export interface Answering {
  readonly reply: Reply
  readonly sendable: Sendable
}

/** A request that writes, and how to answer it. */
export interface AnsweredWrite {
  readonly request: KeyedArrival
  readonly incoming: { readonly caller: Caller; readonly now: number }
  finish(reply: KeyedReply): Sendable
  /** Runs the request. */
  answer(keyed?: KeyedRequest): Promise<Answering>
}

/** Bodies up to so many characters are kept whole. */
const BODY_LIMIT = 1024 ** 2

/** Answers each request with an Idempotency-Key once, and repetitions with the same response (IETF draft). */
export class Idempotency {
  readonly #store: KeyStore
  /** Fingerprints of the requests that this process is working on, by id. */
  readonly #running = new Map<string, string>()

  constructor(store: KeyStore) {
    this.#store = store
  }

  /**
   * The response to a request. Callers without credentials have no keys: nothing they send changes anything.
   * @throws rest_invalid_header, idempotency_in_progress, idempotency_mismatch
   */
  async answer(write: AnsweredWrite): Promise<Sendable> {
    const { request, incoming } = write
    const { [KEY_HEADER]: header, authorization } = request.headers
    if (header === undefined) return (await write.answer()).sendable
    const key = readKey(String(header))
    if (authorization === undefined || incoming.caller.id === 0) return (await write.answer()).sendable
    const fingerprint = await fingerprintOf(request)
    const id = this.#store.idOf(incoming.caller.id, passwordIn(authorization), key)
    const running = this.#running.get(id)
    if (running !== undefined) throw fail(running === fingerprint ? 'idempotency_in_progress' : 'idempotency_mismatch')
    this.#running.set(id, fingerprint)
    try {
      return await this.#answerOnce(write, { id, fingerprint, owner: incoming.caller.id, now: incoming.now })
    } finally {
      this.#running.delete(id)
    }
  }

  async #answerOnce(write: AnsweredWrite, key: Omit<KeyedRequest, 'responseOf'>): Promise<Sendable> {
    const earlier = await this.#store.find(key.id)
    if (earlier !== undefined) return this.#repeat(earlier, key)
    let stored: KeyedReply | undefined
    const responseOf = (reply: KeyedReply): KeptResponse => {
      stored = reply
      return keptOf(write, reply)
    }
    try {
      const { reply, sendable } = await write.answer({ ...key, responseOf })
      if (stored === reply || !isKept(reply)) return sendable
      // Nothing was changed, so nothing is lost when this cannot be stored.
      const other = await this.#store.store(key, keptOf(write, reply)).catch(() => undefined)
      return other === undefined ? sendable : await this.#repeat(other, key)
    } catch (error) {
      if (error instanceof EarlierResponse) return this.#repeat(error.kept, key)
      throw error
    }
  }

  async #repeat({ fingerprint, response }: KeptKey, key: Pick<KeyedRequest, 'fingerprint'>): Promise<Sendable> {
    if (fingerprint !== key.fingerprint) throw fail('idempotency_mismatch')
    await this.#store.reach()
    const { status, headers, body } = response
    return { status, headers: { ...headers, 'idempotency-replayed': 'true' }, body: Buffer.from(body) }
  }
}

/** What may be different the next time is not kept: faults of the server, and too many requests. */
function isKept({ status }: Reply): boolean {
  return status < 500 && status !== 429
}

/** A body that is too long to be kept is cut down to the identifier in it. */
function keptOf({ finish }: AnsweredWrite, reply: KeyedReply): KeptResponse {
  const { status, headers, body } = finish(reply)
  const text = bytesOf(body).toString('utf8')
  return { status, headers, body: text.length <= BODY_LIMIT ? text : JSON.stringify({ id: idIn(reply.body) }) }
}

function idIn(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, 'id') : undefined
}
