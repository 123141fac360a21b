import { createServer, type Server } from 'node:http'
import type { AccessLog } from '../access-log.ts'
import { claims } from '../arrival.ts'
import { boundConnections, type ConnectionBounds } from '../connections.ts'
import type { RequestGate } from '../request-gate.ts'
import { openLine } from '../turns.ts'
import type { AnswerCache, Arrival, ClaimsHandler, Handler } from './answer-cache.ts'

/** How the server of the sockets is set up. */
export const SOCKET_OPTIONS = {
  // Node itself would refuse without a word; `requireHost` says why.
  requireHostHeader: false,
  /** Time that a whole request may take to arrive, in milliseconds. */
  requestTimeout: 60_000,
  /** Time that its head may take, also the first one of a new connection. */
  headersTimeout: 20_000,
  /** Time between looks at what is late. */
  connectionsCheckingInterval: 5_000,
  /** Time that an idle connection is kept, in milliseconds: longer than that of common proxies. */
  keepAliveTimeout: 72_000,
}

/** What servers of sockets are made with. */
export interface SocketServerParts {
  readonly cache: AnswerCache | undefined
  /** Answers a request with a claim to the cache; false leaves it to the web framework. */
  readonly answers: (arrival: Arrival) => boolean
  readonly gate: RequestGate
  readonly bounds: ConnectionBounds
  /** Absent when nobody wants a line for each request. */
  readonly access: AccessLog | undefined
}

/**
 * Makes servers that ask the cache, if there is one, before the handler of the web framework, and then whoever may answer
 * requests with a claim to the cache: returns whether it does.
 */
export function factoryOf({ cache, answers, gate, bounds, access }: SocketServerParts): (handler: Handler) => Server {
  return (handler) => {
    let accepted = false
    const line = openLine(() => {
      const was = accepted
      accepted = false
      return was
    })
    const inLine: Handler = (request, response) => {
      const client = gate.enter(request, response)
      if (client !== undefined) line(() => handler(request, response), client)
    }
    const either: ClaimsHandler = (request, response, claim) => {
      if (claim !== undefined && answers({ request, response, claim })) return
      if (claim !== undefined) claims.set(request, claim)
      handler(request, response)
    }
    const first = cache === undefined ? inLine : cache.before(either, { line, gate })
    const server = createServer(SOCKET_OPTIONS, access === undefined ? first : access.before(first))
    boundConnections(server, bounds)
    server.on('connection', () => {
      accepted = true
    })
    return server
  }
}
