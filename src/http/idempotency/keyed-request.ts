import type { ServerRequest } from '../request/server-request.ts'

/** The response to a request, as it is sent again. */
export interface KeptResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What is kept under a key. */
export interface KeptKey {
  readonly fingerprint: string
  readonly response: KeptResponse
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
  responseOf(reply: KeyedReply): KeptResponse
}

/** What a route has replied, see `Reply`. */
export interface KeyedReply {
  readonly status: number
  readonly body: unknown
}

/** A request that writes. */
export type KeyedArrival = Pick<ServerRequest, 'target' | 'headers' | 'method' | 'body'>

/** Thrown inside the transaction of a write when its key is stored already: another process was first. */
export class EarlierResponse extends Error {
  readonly kept: KeptKey

  constructor(kept: KeptKey) {
    super('the request was answered before')
    this.kept = kept
  }
}
