import { fail } from '../../errors.ts'
import { Counter } from '../connection/counter.ts'
import { freeBytes } from './body-memory.ts'
import type { ServerRequest } from './server-request.ts'

/** Largest body of a caller without valid credentials, in bytes: nothing that he may do takes more. */
export const ANONYMOUS_BODY_LIMIT = 64 * 1024

/** Time that a body of a caller without credentials may take to arrive, in milliseconds. */
const ANONYMOUS_PATIENCE = 15_000

/** Pieces that are smaller are put together as they come: each would take more memory than it has bytes. */
const SMALL = 4 * 1024

/** A request whose body is to be taken in. */
export interface Sending {
  /** The bytes of its body count as held until its response has been sent. */
  readonly request: Pick<ServerRequest, 'raw' | 'response' | 'client'>
  /** Most bytes that it may have. */
  readonly limit: number
  /** Whether the caller has given credentials, and the right ones. */
  readonly isKnown: boolean
}

/**
 * Takes in the bodies of requests and bounds the bytes that are held, in all and of each client: of callers without
 * credentials all may have half and one client a quarter, of the others one client three quarters. What is not taken any
 * more is 503, so that bodies that are held back take memory from nobody else.
 */
export class Intake {
  readonly #bytes: number
  readonly #anonymous = new Counter()
  readonly #known = new Counter()

  /** @param bytes most bytes of bodies in memory at a time */
  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** Bytes that are held now. */
  get held(): number {
    return this.#anonymous.total + this.#known.total
  }

  /**
   * The body of a request, whole.
   * @throws rest_body_too_large, rest_unavailable, rest_request_timeout; rest_bad_request when it breaks off
   */
  async take(sending: Sending): Promise<Buffer> {
    const { limit } = sending
    const { raw, response } = sending.request
    const declared = Number(raw.headers['content-length'] ?? 0)
    if (declared > limit) throw fail('rest_body_too_large', { limit })
    const share = this.#shareFor(sending)
    if (!share.hasRoomFor(declared)) throw fail('rest_unavailable')
    try {
      const body = await collect(sending, share)
      if (response.closed || response.destroyed) share.release()
      else response.once('close', () => share.release())
      return body
    } catch (error) {
      share.release()
      throw error
    }
  }

  #shareFor({ request, limit, isKnown }: Sending): Share {
    const bytes = this.#bytes
    const client = request.client.key
    const counter = isKnown ? this.#known : this.#anonymous
    const [mostOfAll, mostOfOne] = isKnown ? [bytes, (bytes / 4) * 3] : [bytes / 2, bytes / 4]
    const hasRoomFor = (amount: number): boolean =>
      this.held + amount <= bytes &&
      counter.total + amount <= mostOfAll &&
      counter.of(client) + amount <= Math.max(mostOfOne, limit)
    let own = 0
    return {
      hasRoomFor,
      grow: (amount) => {
        if (!hasRoomFor(amount)) return false
        own += amount
        counter.add(client, amount)
        return true
      },
      release: () => {
        counter.add(client, -own)
        own = 0
      },
    }
  }
}

/** The bytes that one request holds. */
interface Share {
  hasRoomFor(amount: number): boolean
  /** False, with nothing taken, when there is no room. */
  grow(amount: number): boolean
  release(): void
}

function collect({ request: { raw }, limit, isKnown }: Sending, share: Share): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const pieces = new Pieces()
  const late = isKnown ? undefined : setTimeout(() => finish(fail('rest_request_timeout')), ANONYMOUS_PATIENCE)
  const take = (piece: Buffer): void => {
    if (pieces.length + piece.length > limit) refuse(piece, fail('rest_body_too_large', { limit }))
    else if (share.grow(piece.length)) pieces.add(piece)
    else refuse(piece, fail('rest_unavailable'))
  }
  const refuse = (piece: Buffer, failure: Error): void => {
    freeBytes(piece)
    finish(failure)
  }
  const end = (): void => finish()
  const broken = (): void => finish(fail('rest_bad_request'))
  const finish = (failure?: Error): void => {
    clearTimeout(late)
    raw.off('data', take).off('end', end).off('error', broken).off('close', broken)
    // Errors after this point have no effect on the response.
    raw.on('error', () => undefined)
    if (failure === undefined) {
      resolve(pieces.whole())
      return
    }
    pieces.free()
    // The request keeps flowing, and the rest of its body is discarded.
    raw.on('data', freeBytes)
    reject(failure)
  }
  raw.on('data', take).on('end', end).on('error', broken).on('close', broken)
  // Who has gone away while the credentials were looked up is not told of again.
  if (raw.destroyed) broken()
  return promise
}

/** Bytes in the order of their coming. */
class Pieces {
  readonly #done: Buffer[] = []
  #tail: Buffer | undefined
  #used = 0
  length = 0

  add(piece: Buffer): void {
    this.length += piece.length
    if (piece.length >= SMALL || this.length === piece.length) {
      this.#settle()
      this.#done.push(piece)
      return
    }
    if (this.#tail === undefined || this.#used + piece.length > this.#tail.length) {
      this.#settle()
      this.#tail = Buffer.allocUnsafeSlow(SMALL * 2)
    }
    this.#tail.set(piece, this.#used)
    this.#used += piece.length
  }

  whole(): Buffer {
    this.#settle()
    const [first] = this.#done
    if (first !== undefined && this.#done.length === 1) return first
    const whole = Buffer.allocUnsafeSlow(this.length)
    let at = 0
    for (const piece of this.#done) {
      const { length } = piece
      whole.set(piece, at)
      at += length
      freeBytes(piece)
    }
    return whole
  }

  free(): void {
    for (const piece of this.#done.splice(0)) freeBytes(piece)
  }

  #settle(): void {
    if (this.#tail !== undefined) this.#done.push(this.#tail.subarray(0, this.#used))
    this.#tail = undefined
    this.#used = 0
  }
}
