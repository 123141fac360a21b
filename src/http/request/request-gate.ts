import type { IncomingMessage } from 'node:http'
import { fail } from '../../errors.ts'
import { COMMON_HEADERS, errorReply } from '../answer.ts'
import { Counter } from '../connection/counter.ts'
import { REQUEST_ID_HEADER } from './request-id.ts'
import type { ServerRequest } from './server-request.ts'

/** Whether a request has a body, however long. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/**
 * Bounds the requests that are under way, from their arrival until their response has been sent. Requests with a body are
 * counted apart: whoever sends bodies slowly takes no place from those who only ask.
 */
export class RequestGate {
  readonly #most: number
  readonly #asking = new Counter()
  readonly #sending = new Counter()
  #refused = 0

  /** @param most requests under way at a time; one client may have a quarter of them */
  constructor(most: number) {
    this.#most = most
  }

  /** How many requests were turned away. */
  get refused(): number {
    return this.#refused
  }

  /** Lets a request in, or responds with 503 and ends its connection; whether it is in. */
  enter(request: ServerRequest): boolean {
    const counter = hasBody(request) ? this.#sending : this.#asking
    const { key } = request.client
    if (counter.total >= this.#most || counter.of(key) >= Math.max(1, this.#most / 4)) {
      this.#refused += 1
      turnAway(request)
      return false
    }
    counter.add(key, 1)
    request.response.once('close', () => counter.add(key, -1))
    return true
  }
}

/** Nothing of the request has been looked at, so its language and the form it asks for are not known. */
function turnAway({ id, response }: ServerRequest): void {
  const { status, body, headers } = errorReply(fail('rest_unavailable'), 'en')
  const bytes = Buffer.from(JSON.stringify(body))
  const own = { ...headers, [REQUEST_ID_HEADER]: id }
  const fields = { ...COMMON_HEADERS, ...own, 'access-control-allow-origin': '*', connection: 'close' }
  response.writeHead(status, { ...fields, 'content-length': bytes.length }).end(bytes)
}
