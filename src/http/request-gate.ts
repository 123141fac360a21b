import type { IncomingMessage, ServerResponse } from 'node:http'
import { fail } from '../errors.ts'
import { COMMON_HEADERS, errorReply } from './answer.ts'
import { clientOf, type Networks } from './client-of.ts'
import { Counter } from './counter.ts'
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts'

/** What a gate goes by. */
export interface GateOptions {
  /** Most requests under way at a time; one client may have a quarter of them. */
  readonly requests: number
  readonly proxies: Networks
}

/** Whether a request has a body, however long. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/**
 * Bounds the requests that are under way, from their arrival until their response has been sent. Requests with a body are
 * counted apart: whoever sends bodies slowly takes no place from those who only ask.
 */
export class RequestGate {
  readonly #options: GateOptions
  readonly #asking = new Counter()
  readonly #sending = new Counter()

  constructor(options: GateOptions) {
    this.#options = options
  }

  /**
   * Lets a request in, or answers 503 and ends its connection. Returns the client it comes from, see `clientKey`;
   * undefined when it was turned away.
   */
  enter(request: IncomingMessage, response: ServerResponse): string | undefined {
    const { requests, proxies } = this.#options
    const counter = hasBody(request) ? this.#sending : this.#asking
    const client = clientOf(request, proxies)
    if (counter.total >= requests || counter.of(client) >= Math.max(1, requests / 4)) {
      turnAway(request, response)
      return undefined
    }
    counter.add(client, 1)
    response.once('close', () => counter.add(client, -1))
    return client
  }
}

/** Nothing of the request has been looked at, so its language and the form it asks for are not known. */
function turnAway(request: IncomingMessage, response: ServerResponse): void {
  const { status, body, headers } = errorReply(fail('rest_unavailable'), 'en')
  const bytes = Buffer.from(JSON.stringify(body))
  const own = { ...headers, [REQUEST_ID_HEADER]: requestIdOf(request) }
  const fields = { ...COMMON_HEADERS, ...own, 'access-control-allow-origin': '*', connection: 'close' }
  response.writeHead(status, { ...fields, 'content-length': bytes.length }).end(bytes)
}
