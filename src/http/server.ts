import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { turns } from '../base/requester.ts'
import { openAdmission } from './admit.ts'
import { closeInTime, noteConnections, type RefusedConnections, watchConnections } from './connections.ts'
import { openPipeline } from './pipeline.ts'
import { networksOf, UnreadBytes } from './request/clients.ts'
import type { RawExchange } from './request/server-request.ts'
import { EventStreams } from './response/event-streams.ts'
import type { ServerDeps } from './server-deps.ts'

/** A server that is set up but does not listen yet. */
export interface Server {
  /** Starts to listen and returns the port in use. @throws the system error of the socket */
  listen(at: { host: string; port: number }): Promise<number>
  /** Responds to a request as to those that arrive through the port. */
  handle(exchange: RawExchange): void
  /** What was rejected so far. */
  readonly refused: Refused
  /** From now on every request gets 503 and its connection closes; the port stays open. */
  refuse(): void
  /** Stops accepting, finishes the requests under way and closes, at the latest after a minute. */
  close(): Promise<void>
}

/** What was rejected before anything was looked up for it, since the start. */
export interface Refused extends RefusedConnections {
  /** Requests above the bounds. */
  readonly requests: number
}

/** How the server of the sockets is set up. */
export const SOCKET_OPTIONS = {
  // Node itself would refuse without a word; `hasSoundHost` says why.
  requireHostHeader: false,
  /** Time in which a whole request must arrive, in milliseconds. */
  requestTimeout: 60_000,
  /** Time in which its head must arrive, the first one of a new connection since that started to be read. */
  headersTimeout: 20_000,
  /** Time between checks for late requests. */
  connectionsCheckingInterval: 5_000,
  /** Time that an idle connection is kept open, in milliseconds: longer than common proxies do. */
  keepAliveTimeout: 72_000,
  /** Bytes of a body that are buffered until it is decided whether to read it. */
  highWaterMark: 16 * 1024,
}

/** Creates the HTTP server: where requests arrive, and how far each one gets until the pipeline serves it. */
export function createServer(deps: ServerDeps): Server {
  const { options, cache, log } = deps
  const streams = new EventStreams()
  const proxies = networksOf(options.trustedProxies)
  const http = createHttpServer(SOCKET_OPTIONS)
  // Node closes connections on which nothing moves, also those whose response nobody reads.
  http.timeout = options.bounds.stillness
  const connections = watchConnections(http, { ...options.bounds, proxies })
  noteConnections(http)
  http.on('connection', turns.noteConnection)
  const pipeline = openPipeline({ ...deps, streams, unread: new UnreadBytes() })
  const admission = openAdmission(deps, pipeline.serve)
  http.on('request', (request, response) => admission.admit({ request, response }))
  const refuse = (): void => {
    pipeline.refuse()
    cache?.close()
    streams.close()
  }
  return {
    listen: (at) => listen(http, at),
    handle: admission.admit,
    get refused() {
      return { ...connections(), requests: admission.refused }
    },
    refuse,
    close: async () => {
      refuse()
      await closeInTime(http)
      log.debug('server closed')
    },
  }
}

/**
 * Connections that the system holds until they are accepted, as far as it does (`net.core.somaxconn`). Beyond the 511 that
 * Node asks for, a visitor who comes among hundreds of connections of someone else would try again after a second.
 */
const BACKLOG = 4096

async function listen(http: HttpServer, at: { host: string; port: number }): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  http.once('error', reject)
  http.listen({ ...at, backlog: BACKLOG }, () => {
    http.off('error', reject)
    resolve()
  })
  await promise
  return (http.address() as AddressInfo).port
}
