import { fail } from '../../base/errors.ts'
import { ClientCounts } from '../client-counts.ts'
import { COMMON_HEADERS, errorReply } from '../response/http-response.ts'
import { REQUEST_ID_HEADER, type ServerRequest } from './server-request.ts'

/**
 * Bounds the requests in progress, from their arrival until their response has been sent. Requests with a body are
 * counted separately: slow uploads take no places from reads.
 */
export class RequestGate {
  readonly #most: number
  readonly #asking = new ClientCounts()
  readonly #sending = new ClientCounts()
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
    const counter = request.hasBody ? this.#sending : this.#asking
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

/** Nothing of the request has been read, so the language and form of its response are unknown. */
function turnAway({ id, response }: ServerRequest): void {
  const { status, body, headers } = errorReply(fail('rest_unavailable'), 'en')
  const bytes = Buffer.from(JSON.stringify(body))
  const own = { ...headers, [REQUEST_ID_HEADER]: id }
  const fields = { ...COMMON_HEADERS, ...own, 'access-control-allow-origin': '*', connection: 'close' }
  response.writeHead(status, { ...fields, 'content-length': bytes.length }).end(bytes)
}
