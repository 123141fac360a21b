import { fail } from '../../base/errors.ts'
import { ClientCounts } from './clients.ts'
import type { ServerRequest } from './server-request.ts'

/** Largest body of a caller without valid credentials, in bytes, where a path does not take more from anyone. */
export const ANONYMOUS_BODY_LIMIT = 64 * 1024

/** Bytes that are reserved for a body whose length is unknown, or declared by someone unknown. */
const FIRST = 16 * 1024

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
 * quarters. Requests beyond that get 503, so that slow bodies take memory from no one else.
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
   * @throws rest_body_too_large, rest_unavailable; rest_bad_request when it is cut off
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
      const body = await collect(sending, share, sending.isKnown ? declared : 0)
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

/** Reads a body; `reserved` are those of its bytes that its share holds already. */
function collect({ request: { raw }, limit }: BodyRequest, share: Share, reserved: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const body = new GrowingBuffer(reserved === 0 ? FIRST : reserved)
  const take = (piece: Buffer): void => {
    const length = body.length + piece.length
    if (length > limit) finish(fail('rest_body_too_large', { limit }))
    else if (length <= reserved || share.grow(piece.length)) body.add(piece)
    else finish(fail('rest_unavailable'))
  }
  const end = (): void => finish()
  const broken = (): void => finish(fail('rest_bad_request'))
  const finish = (failure?: Error): void => {
    raw.off('data', take).off('end', end).off('error', broken).off('close', broken)
    // Errors after this point have no effect on the response.
    raw.on('error', () => undefined)
    if (failure === undefined) {
      resolve(body.whole())
      return
    }
    // The rest of the body is read and discarded.
    raw.resume()
    reject(failure)
  }
  raw.on('data', take).on('end', end).on('error', broken).on('close', broken)
  // No event follows for a client that disconnected while its credentials were checked.
  if (raw.destroyed) broken()
  return promise
}

/** Bytes in the order of their coming, copied: a piece of a few bytes may hold on to all that was read with it. */
class GrowingBuffer {
  #room: Buffer
  length = 0

  constructor(size: number) {
    this.#room = Buffer.allocUnsafeSlow(size)
  }

  add(piece: Buffer): void {
    const length = this.length + piece.length
    if (length > this.#room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, this.#room.length * 2))
      larger.set(this.#room.subarray(0, this.length))
      this.#room = larger
    }
    this.#room.set(piece, this.length)
    this.length = length
  }

  whole(): Buffer {
    return this.#room.subarray(0, this.length)
  }
}
