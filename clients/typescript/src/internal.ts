import type { Code } from './types.ts'

/** What a response that refuses holds. */
export interface ErrorBody {
  readonly code?: Code
  readonly message?: string
  readonly data?: {
    readonly params?: Readonly<Record<string, unknown>>
    /** Of a batch: the response to the request that failed. */
    readonly failed?: { readonly status: number; readonly body: ErrorBody }
  }
}

/** What tells items of a list apart. */
export interface Listed {
  readonly id: number
  readonly start_date?: string
}

/** A request to an absolute address. */
export interface Outgoing {
  readonly url: URL
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, unless it is a form. */
  readonly body?: object | undefined
  readonly signal?: AbortSignal | undefined
}

/** A response with a good status. */
export interface Incoming {
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what it is depends on the address
  readonly body: any
}

/** Sends requests with the same credentials. */
export interface Sender {
  /** Repeats it when that is safe: writes carry an `Idempotency-Key`. */
  send(request: Outgoing): Promise<Incoming>
  /** One attempt, without limit of time. @throws network */
  open(url: URL, init: RequestInit & { readonly headers?: Readonly<Record<string, string>> }): Promise<Response>
}

/** Values of a query; lists are separated by commas, undefined is left out. */
export type Query = Readonly<Record<string, unknown>>

/** A write as a batch lists it. */
export interface Write extends Pick<Outgoing, 'headers' | 'body'> {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
}

/** A place among the changes, which moves on while they are read. */
export interface Feed {
  cursor: string | undefined
  /** Whether the latest stream has sent anything. */
  wasHeard: boolean
  readonly signal: AbortSignal | undefined
  url(path: string): Promise<URL>
}
