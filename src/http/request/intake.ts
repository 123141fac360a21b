import { fail } from '../../base/errors.ts'
import { ClientCounts } from '../connection/client-counts.ts'
import { freeBytes } from './body-memory.ts'
import { paceBody } from './paced-body.ts'
import type { ServerRequest } from './server-request.ts'

/** Largest body of a caller without valid credentials, in bytes, where a path does not take more from anybody. */
export const ANONYMOUS_BODY_LIMIT = 64 * 1024

/** Times in which a body without credentials must arrive, in milliseconds: usual ones, and those that may be larger. */
const ANONYMOUS_PATIENCE = 15_000
const LARGE_PATIENCE = 60_000

/** Smaller chunks are merged as they arrive: each would take more memory than it has bytes. */
const SMALL = 4 * 1024

/** A body that declares at least as many bytes is read into one buffer of that length. */
const LARGE = 64 * 1024

/** A request whose body is to be read. */
export interface BodyRequest {
  /** The bytes of its body count until its response has been sent. */
  readonly request: Pick<ServerRequest, 'raw' | 'response' | 'client'>
  /** Most bytes that it may have. */
  readonly limit: number
  /** Whether the caller has given credentials, and the right ones. */
  readonly isKnown: boolean
}

/**
 * Reads the bodies of requests and bounds the bytes in memory, in all and per client: callers without credentials may
 * use half of it, larger bodies among theirs a quarter, one client of them a quarter, one client with credentials three
 * quarters. Requests beyond that get 503, so that slow bodies take memory from nobody else.
 */
export class Intake {
  readonly #bytes: number
  readonly #anonymous = new ClientCounts()
  readonly #known = new ClientCounts()

  /** @param bytes most bytes of bodies in memory at a time */
  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** Bytes in memory now. */
  get held(): number {
    return this.#anonymous.total + this.#known.total
  }

  /**
   * The whole body of a request.
   * @throws rest_body_too_large, rest_unavailable, rest_request_timeout; rest_bad_request when it is cut off
   */
  async take(sending: BodyRequest): Promise<Buffer> {
    const { limit } = sending
    const { raw, response } = sending.request
    const declared = Number(raw.headers['content-length'] ?? 0)
    if (declared > limit) throw fail('rest_body_too_large', { limit })
    const share = this.#shareFor(sending)
    // Whoever has no credentials declares what he likes: no memory is taken for it, nor counted, before it comes.
    const hasRoom = sending.isKnown ? share.grow(declared) : share.hasRoomFor(declared)
    if (!hasRoom) throw fail('rest_unavailable')
    try {
      const body = await collect(sending, share, { declared, reserved: sending.isKnown ? declared : 0 })
      if (response.closed || response.destroyed) share.release()
      else response.once('close', () => share.release())
      return body
    } catch (error) {
      share.release()
      throw error
    }
  }

  #shareFor({ request, limit, isKnown }: BodyRequest): Share {
    const bytes = this.#bytes
    const client = request.client.key
    const counter = isKnown ? this.#known : this.#anonymous
    const ofVisitors = limit > ANONYMOUS_BODY_LIMIT ? bytes / 4 : bytes / 2
    const [mostOfAll, mostOfOne] = isKnown ? [bytes, (bytes / 4) * 3] : [ofVisitors, bytes / 4]
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
  /** False, with nothing reserved, when there is no room. */
  grow(amount: number): boolean
  release(): void
}

/** The bytes that a body declares, 0 where it declares none, and those of them that its share holds already. */
interface Lengths {
  readonly declared: number
  readonly reserved: number
}

function collect(
  { request: { raw, client }, limit, isKnown }: BodyRequest,
  share: Share,
  { declared, reserved }: Lengths,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const pieces = new Pieces(reserved)
  const next = raw.complete ? undefined : paceBody(raw, client.key)
  const patience = limit > ANONYMOUS_BODY_LIMIT ? LARGE_PATIENCE : ANONYMOUS_PATIENCE
  const late = isKnown ? undefined : setTimeout(() => finish(fail('rest_request_timeout')), patience)
  const take = (piece: Buffer): void => {
    if (pieces.length + piece.length > limit) refuse(piece, fail('rest_body_too_large', { limit }))
    else if (pieces.length + piece.length <= reserved || share.grow(piece.length)) keep(piece)
    else refuse(piece, fail('rest_unavailable'))
  }
  const keep = (piece: Buffer): void => {
    pieces.add(piece)
    if (pieces.length !== declared) next?.()
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
  // No event follows for a client that disconnected while its credentials were checked.
  if (raw.destroyed) broken()
  else next?.()
  return promise
}

/** Bytes in the order of their coming. */
class Pieces {
  /**
   * For a large body of known length: its chunks are copied as they arrive and freed at once. Kept one by one they
   * would be scattered among objects that live longer, and the allocator could return none of that memory afterwards.
   */
  readonly #room: Buffer | undefined
  readonly #done: Buffer[] = []
  #tail: Buffer | undefined
  #used = 0
  length = 0

  /** @param declared the length that the request declares, in bytes; 0 where it declares none */
  constructor(declared: number) {
    this.#room = declared >= LARGE ? Buffer.allocUnsafeSlow(declared) : undefined
  }

  add(piece: Buffer): void {
    const at = this.length
    this.length += piece.length
    if (this.#room === undefined) {
      this.#keep(piece)
      return
    }
    this.#room.set(piece, at)
    freeBytes(piece)
  }

  #keep(piece: Buffer): void {
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
    if (this.#room !== undefined) return this.#room
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
    if (this.#room !== undefined) freeBytes(this.#room)
    for (const piece of this.#done.splice(0)) freeBytes(piece)
  }

  #settle(): void {
    if (this.#tail !== undefined) this.#done.push(this.#tail.subarray(0, this.#used))
    this.#tail = undefined
    this.#used = 0
  }
}
