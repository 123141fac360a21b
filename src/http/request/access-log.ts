import type { Socket } from 'node:net'
import type { Logger } from '../../base/log.ts'
import type { ServerRequest } from './server-request.ts'
import { shownTarget } from './shown-target.ts'

/** Longest `User-Agent` in a line, in characters. */
const AGENT_LIMIT = 256

/** What an access log needs. */
export interface AccessLogDeps {
  /** Gets the lines. */
  readonly log: Logger
  /** Unix milliseconds. */
  readonly now: () => number
}

/**
 * The access log: one line per request, written when its response has been sent or its client has disconnected. It says
 * who requested what from where and how that ended; never credentials, passwords or bodies.
 */
export class AccessLog {
  readonly #log: Logger
  readonly #now: () => number
  /** Bytes that a connection had sent when its last request ended: responses leave in the order of their requests. */
  readonly #sent = new WeakMap<Socket, number>()

  constructor({ log, now }: AccessLogDeps) {
    this.#log = log
    this.#now = now
  }

  /** Writes the line of a request when its response has been sent. */
  watch(request: ServerRequest): void {
    const startedAt = this.#now()
    // A connection that has ended has no address any more.
    const { id, response, target, sentMethod: method } = request
    const { address: client } = request.client
    response.once('close', () => {
      const { user, isCached: cached } = request
      const bytes = this.#bytesSince(request.raw.socket)
      this.#log.info(
        {
          requestId: id,
          client,
          method,
          path: shownTarget(target),
          status: response.headersSent ? response.statusCode : 0,
          bytes,
          ms: Math.max(0, this.#now() - startedAt),
          ...(user && user.id !== 0 && { user: user.name, userId: user.id }),
          cached,
          ...(!response.writableFinished && { aborted: true }),
          agent: request.headers['user-agent']?.slice(0, AGENT_LIMIT),
        },
        'request',
      )
    })
  }

  #bytesSince(socket: Socket): number {
    const now = socket.bytesWritten ?? 0
    const before = this.#sent.get(socket) ?? 0
    this.#sent.set(socket, now)
    return now - before
  }
}
