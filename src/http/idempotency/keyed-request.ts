import type { ServerRequest } from '../request/server-request.ts'

/** The response to a request, as it is replayed. */
export interface ReplayableResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What is stored under a key. */
export interface KeyedResponse {
  readonly fingerprint: string
  readonly response: ReplayableResponse
}

/** A write with an Idempotency-Key: what its transaction has to store so that it happens only once. */
export interface KeyedRequest {
  /** Stands for credentials and key. */
  readonly id: string
  /** The caller. */
  readonly owner: number
  readonly fingerprint: string
  /** Moment of the request, Unix milliseconds. */
  readonly now: number
  /** The response that a reply is sent as. */
  responseOf(reply: KeyedReply): ReplayableResponse
}

/** The reply of a route, see `Reply`. */
export interface KeyedReply {
  readonly status: number
  readonly body: unknown
  readonly replayed?: unknown
}

/** A request that writes. */
export type KeyedMessage = Pick<ServerRequest, 'target' | 'headers' | 'method' | 'body' | 'session'>

/** Thrown inside the transaction of a write when its key is stored already: another process was first. */
export class EarlierResponse extends Error {
  readonly earlier: KeyedResponse

  constructor(kept: KeyedResponse) {
    super('the request was answered before')
    this.earlier = kept
  }
}
