import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Caller } from '../auth/caller.ts'
import type { Logger } from '../log.ts'
import { requestIdOf } from './request-id.ts'
import { shownTarget } from './shown-target.ts'

/** Longest `User-Agent` in a line, in characters. */
const AGENT_LIMIT = 256

/** What is known of a request while it is under way. */
interface Known {
  user?: Caller
  isCached?: true
  isElsewhere?: true
}

/** The address of the client that sent a request. */
export type AddressOf = (request: IncomingMessage) => string

/** What an access log works with. */
export interface AccessLogParts {
  /** Gets the lines. */
  readonly log: Logger
  readonly addressOf: AddressOf
  /** Unix milliseconds. */
  readonly now: () => number
}

/** A handler of requests as Node has it. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * The access log: one line for each request, written when its response has been sent or its client has gone away. It holds
 * who asked from where for what and how that ended; never credentials, passwords or bodies.
 */
export class AccessLog {
  readonly #log: Logger
  readonly #addressOf: AddressOf
  readonly #now: () => number
  readonly #known = new WeakMap<IncomingMessage, Known>()
  /** Bytes that a connection had sent when its last request ended: responses leave in the order of their requests. */
  readonly #sent = new WeakMap<Socket, number>()

  constructor({ log, addressOf, now }: AccessLogParts) {
    this.#log = log
    this.#addressOf = addressOf
    this.#now = now
  }

  /** A handler that does what another one does, with a line for each request. */
  before(handler: Handler): Handler {
    return (request, response) => {
      this.#watch(request, response)
      handler(request, response)
    }
  }

  /** Notes whose credentials came with a request, when that is known; nothing where they are wrong. */
  identify(request: IncomingMessage, caller: Promise<Caller>): void {
    caller.then(
      (user) => this.#merge(request, { user }),
      () => undefined,
    )
  }

  /** Notes that a request is answered from the cache. */
  cached(request: IncomingMessage): void {
    this.#merge(request, { isCached: true })
  }

  /** Notes that another process answers a request, and writes its line. */
  passedOn(request: IncomingMessage): void {
    this.#merge(request, { isElsewhere: true })
  }

  #merge(request: IncomingMessage, known: Known): void {
    this.#known.set(request, { ...this.#known.get(request), ...known })
  }

  #watch(request: IncomingMessage, response: ServerResponse): void {
    const begun = this.#now()
    // Method and address are rewritten on the way, and a connection that has ended has no address any more.
    const { method, url = '' } = request
    const client = this.#addressOf(request)
    response.once('close', () => {
      const { user, isCached = false, isElsewhere } = this.#known.get(request) ?? {}
      const bytes = this.#bytesSince(request.socket)
      if (isElsewhere) return
      this.#log.info(
        {
          requestId: requestIdOf(request),
          client,
          method,
          path: shownTarget(url),
          status: response.headersSent ? response.statusCode : 0,
          bytes,
          ms: Math.max(0, this.#now() - begun),
          ...(user && user.id !== 0 && { user: user.name, userId: user.id }),
          cached: isCached,
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
