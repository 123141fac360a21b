import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { LANGUAGES } from '../i18n/languages.ts'
import type { AnswerCache } from './cache/answer-cache.ts'
import { answerBrokenRequest, noteArrival, refuseTunnel } from './connection/broken-request.ts'
import { boundConnections, type ConnectionBounds } from './connection/connections.ts'
import { closeInTime, noteConnections } from './connection/ending.ts'
import { keepReading } from './connection/linger.ts'
import { type Pipeline, serve } from './pipeline.ts'
import { openAdmissionQueue } from './request/admission-queue.ts'
import { networksOf } from './request/client-of.ts'
import { Intake } from './request/intake.ts'
import { RequestGate } from './request/request-gate.ts'
import { type RawExchange, ServerRequest } from './request/server-request.ts'
import { openRouter } from './route/router.ts'
import { nowhere, targetsOf } from './route/targets.ts'
import type { ServerParts } from './server-parts.ts'

/** A server that is set up but does not listen yet. */
export interface Server {
  /** Starts to listen and returns the port in use. @throws the system error of the socket */
  listen(at: { host: string; port: number }): Promise<number>
  /** Responds to a request that came another way than through the port, from the beginning on, past the cache. */
  answer(exchange: RawExchange): void
  /** What was turned away so far. */
  readonly refused: Refused
  /** From now on answers every request that comes with 503, and its connection ends; the port stays open. */
  refuse(): void
  /** Stops accepting, finishes the requests under way and closes, at the latest after a minute. */
  close(): Promise<void>
}

/** What was turned away before anything was looked up for it, since the beginning. */
export interface Refused {
  /** Connections above the bounds. */
  readonly connections: number
  /** Requests above the bounds. */
  readonly requests: number
  /** Bytes that are no request, and requests that came too late or had too long a head. */
  readonly malformed: number
}

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

/** Sets up the HTTP server: where requests come in, and how far each one gets until `serve` has its turn. */
export function createServer(parts: ServerParts): Server {
  const { options, access, cache, log } = parts
  const proxies = networksOf(options.trustedProxies)
  const gate = new RequestGate(options.bounds.requests)
  const http = createHttpServer(SOCKET_OPTIONS)
  const connections = watchConnections(http, { ...options.bounds, proxies })
  let isRefusing = false
  const begin = pipelineOf(parts, () => isRefusing)
  const receive = receiverOf({ http, gate, begin, cache })
  http.on('request', (raw, response) => {
    const request = new ServerRequest({ request: raw, response }, { proxies })
    access?.watch(request)
    receive(request)
    noteArrival(raw, response)
    keepReading(raw)
  })
  const refuse = (): void => {
    isRefusing = true
    cache?.close()
  }
  return {
    listen: (at) => listen(http, at),
    answer: (exchange) => {
      const request = new ServerRequest(exchange, { proxies, isHandedOver: true })
      access?.watch(request)
      if (gate.enter(request)) begin(request)
    },
    get refused() {
      return { ...connections(), requests: gate.refused }
    },
    refuse,
    close: async () => {
      refuse()
      await closeInTime(http)
      log.debug('server closed')
    },
  }
}

type Step = (request: ServerRequest) => void

function pipelineOf(parts: ServerParts, isRefusing: () => boolean): Step {
  const names = { spaces: parts.spaces, languages: LANGUAGES }
  const router = openRouter(targetsOf(parts), nowhere(parts), names)
  const pipeline: Pipeline = { parts, router, intake: new Intake(parts.options.bounds.bodyBytes), isRefusing }
  return (request) => serve(pipeline, request)
}

interface Receiving {
  readonly http: HttpServer
  readonly gate: RequestGate
  /** What is begun when the turn of a request has come. */
  readonly begin: Step
  readonly cache: AnswerCache | undefined
}

/** What happens first to a request: the cache responds, or it waits until the gate lets it in and its turn has come. */
function receiverOf({ http, gate, begin, cache }: Receiving): Step {
  const line = openAdmissionQueue(acceptedBy(http))
  const queue = (request: ServerRequest, step: () => void): void => line(step, request.client.key)
  const admit = (request: ServerRequest, step: Step): void => {
    if (gate.enter(request)) queue(request, () => step(request))
  }
  return (request) => (cache === undefined ? admit(request, begin) : cache.respond(request, { admit, queue, begin }))
}

/** Whether a server has accepted a connection since that was last asked. */
function acceptedBy(http: HttpServer): () => boolean {
  let accepted = false
  http.on('connection', () => {
    accepted = true
  })
  return () => {
    const was = accepted
    accepted = false
    return was
  }
}

/** What happens below requests, on the connections themselves. Returns what was turned away so far. */
function watchConnections(http: HttpServer, bounds: ConnectionBounds): () => Omit<Refused, 'requests'> {
  const refused = boundConnections(http, bounds)
  let malformed = 0
  noteConnections(http)
  // An expectation that nobody knows changes nothing (RFC 9110 section 10.1.1).
  http.on('checkExpectation', (request, response) => http.emit('request', request, response))
  http.on('connect', refuseTunnel)
  http.on('clientError', (error, socket: Socket) => {
    if (answerBrokenRequest(error, socket)) malformed += 1
  })
  return () => ({ connections: refused(), malformed })
}

async function listen(http: HttpServer, at: { host: string; port: number }): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  http.once('error', reject)
  http.listen(at, () => {
    http.off('error', reject)
    resolve()
  })
  await promise
  return (http.address() as AddressInfo).port
}
