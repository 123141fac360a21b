import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../auth/caller.ts'
import type { Draw } from '../../limits/budget.ts'
import type { Requester } from '../../requester.ts'
import type { CacheTicket } from '../cache/ticket.ts'
import type { Mount } from '../mount.ts'
import { NOTHING, type Sent } from './body.ts'
import { type Client, clientOf, type Networks } from './client-of.ts'
import { requestIdOf } from './request-id.ts'
import { requesterOf } from './requesting.ts'

/** A request as Node hands it over, with what its response is written to. */
export interface RawExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Where a request comes from. */
interface Arrival {
  /** Proxies whose X-Forwarded headers are believed. */
  readonly proxies: Networks
  /** Whether another process of this machine has taken it from its client. */
  readonly isHandedOver?: boolean
}

/** One request from its arrival to its response: whatever is found out about it on the way, once. */
export class ServerRequest {
  readonly raw: IncomingMessage
  readonly response: ServerResponse
  /** See `requestIdOf`. */
  readonly id: string
  /** The address as the client wrote it. */
  readonly target: string
  /** The method that the client sent: it decides how a body may be written. */
  readonly sentMethod: string
  readonly isHandedOver: boolean
  /** The method that is meant, which may have come as POST. */
  method: string
  /** Undefined where the address is no API address. */
  mount: Mount | undefined
  /** Undefined where the response may not be cached. */
  ticket: CacheTicket | undefined
  /** Path parameters, percent-decoded. */
  path: Readonly<Record<string, string>> = {}
  /** Query parameters as `readForm` reads them. */
  query: Sent = NOTHING
  /** Undefined when there is none, and until it has been taken in. */
  body: Buffer | undefined
  /** What was drawn from budgets of its client. */
  readonly draws: Draw[] = []
  /** Who sent it, once that is known; nobody where the credentials are wrong. */
  caller: Promise<Caller> | undefined
  user: Caller | undefined
  /** Whether its response came from the cache. */
  isCached = false
  /** Whether another process responds to it, and counts and logs it. */
  isElsewhere = false
  readonly #proxies: Networks
  #client: Client | undefined

  constructor({ request, response }: RawExchange, { proxies, isHandedOver = false }: Arrival) {
    this.raw = request
    this.response = response
    this.id = requestIdOf(request)
    this.target = request.url ?? '/'
    this.sentMethod = request.method ?? 'GET'
    this.method = this.sentMethod
    this.isHandedOver = isHandedOver
    this.#proxies = proxies
  }

  get headers(): IncomingHttpHeaders {
    return this.raw.headers
  }

  /** Who sent it, by its address. */
  get client(): Client {
    this.#client ??= clientOf(this.raw, this.#proxies)
    return this.#client
  }

  /** For whom storage reads. */
  get requester(): Requester {
    return requesterOf(this.raw.socket, this.client.key)
  }

  /** The host that was called, as a believed proxy says it. */
  get host(): string {
    return this.#forwarded('x-forwarded-host') ?? this.headers.host ?? ''
  }

  /** `http` or `https`, or whatever a believed proxy says. */
  get protocol(): string {
    return this.#forwarded('x-forwarded-proto') ?? 'http'
  }

  /** The last value of a header that only proxies are believed. */
  #forwarded(name: string): string | undefined {
    const value = this.headers[name]
    if (typeof value !== 'string' || value === '' || !this.#proxies.has(this.raw.socket.remoteAddress)) return undefined
    return value.slice(value.lastIndexOf(',') + 1).trim()
  }
}
