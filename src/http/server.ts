import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ANONYMOUS, type Caller } from '../auth/caller.ts'
import { forbidden } from '../auth/rights.ts'
import { type Failure, fail } from '../errors.ts'
import { LANGUAGES } from '../i18n/languages.ts'
import { allowed, bytesOf, errorReply, type Sendable, SPOKEN, sendReply } from './answer.ts'
import { answerRoute, exchangeHeaders } from './answer-route.ts'
import { answeredOf } from './answered.ts'
import { claims, ignoreOddType, languageOf, methodSent, mounts, requireHost, responses } from './arrival.ts'
import { readForm, type Sent } from './body.ts'
import { boundQuery } from './body-bounds.ts'
import { freeBytes } from './body-memory.ts'
import { answerBrokenRequest, noteArrival, refuseTunnel } from './broken-request.ts'
import type { Handler } from './cache/answer-cache.ts'
import { factoryOf, SOCKET_OPTIONS } from './cache/socket-server.ts'
import { callerOf } from './caller-of.ts'
import { networksOf } from './client-of.ts'
import { refuseCrossOrigin } from './cross-origin.ts'
import { directly } from './direct.ts'
import { linked } from './discovery.ts'
import { callOf, type Incoming } from './dispatch.ts'
import { closeInTime, noteConnections } from './ending.ts'
import { failureOf } from './failure.ts'
import { type Exchange as HandedOver, handOver, isWrite } from './hand-over.ts'
import { HEALTH_ADDRESS } from './health.ts'
import { type Arrived, incomingOf, urlsFor } from './incoming.ts'
import { Intake } from './intake.ts'
import { keepReading } from './linger.ts'
import { type PageAnswer, type Pages, pageHeaders } from './page.ts'
import { hasBody, RequestGate } from './request-gate.ts'
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.ts'
import { servingRequest } from './requesting.ts'
import type { AnyRoute } from './route.ts'
import { routedUrl } from './routed-url.ts'
import { SEQ_HEADER } from './seq-header.ts'
import { answerFile, type ServedFiles } from './served-file.ts'
import type { ServerParts } from './server-parts.ts'
import { type PathRoutes, pathsOf } from './space.ts'
import { takeBody } from './take-body.ts'

/** A server that is set up but does not listen yet. */
export interface Server {
  /** Starts to listen and returns the port in use. @throws the system error of the socket */
  listen(at: { host: string; port: number }): Promise<number>
  /** Answers a request that came another way than through the port, from the beginning on; resolves when it has begun. */
  answer(exchange: HandedOver): Promise<void>
  /** Answers one request without a socket, for tests. */
  inject: FastifyInstance['inject']
  /** From now on answers every request that comes with 503, and its connection ends; the port stays open. */
  refuse(): void
  /** Stops accepting, finishes the requests under way and closes, at the latest after a minute. */
  close(): Promise<void>
}

/** Sets up the HTTP server: the only file that knows the web framework. */
export function createServer(parts: ServerParts): Server {
  const { options, log } = parts
  const mountOptions = { spaces: parts.spaces, languages: LANGUAGES }
  const bounds = { ...options.bounds, proxies: networksOf(options.trustedProxies) }
  const gate = new RequestGate(bounds)
  const fastify = Fastify({
    bodyLimit: options.bodyLimit,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    forceCloseConnections: 'idle',
    requestTimeout: SOCKET_OPTIONS.requestTimeout,
    return503OnClosing: false,
    http: SOCKET_OPTIONS,
    exposeHeadRoutes: true,
    serverFactory: factoryOf({
      cache: parts.cache,
      answers: directly(parts, mountOptions),
      gate,
      bounds,
      access: parts.access,
    }),
    frameworkErrors: (error, request, reply) => void sendError(parts, { request, reply, error }),
    clientErrorHandler: answerBrokenRequest,
    routerOptions: { maxParamLength: 2048, querystringParser: (text) => readForm(text) as Record<string, unknown> },
    rewriteUrl: (request) => routedUrl(request, mountOptions),
  })
  watchConnections(fastify)
  const state = guard(fastify, parts)
  const answerHandedOver = entrance(fastify, parts, gate)
  const stopAnswering = (): void => {
    state.isRefusing = true
    parts.cache?.close()
  }
  furnish(fastify, parts, new Intake({ bytes: bounds.bodyBytes, proxies: bounds.proxies }))
  return {
    listen: (at) => listen(fastify, at),
    // It may come before `listen`, when the framework has not put its routes together.
    answer: async ({ request, response }) => {
      await fastify.ready()
      answerHandedOver(request, response)
    },
    inject: fastify.inject.bind(fastify) as FastifyInstance['inject'],
    refuse: stopAnswering,
    close: () => {
      stopAnswering()
      return closeInTime(fastify.server, () => fastify.close()).then(() => log.debug('server closed'))
    },
  }
}

async function listen(fastify: FastifyInstance, at: { host: string; port: number }): Promise<number> {
  await fastify.listen({ ...at, listenTextResolver: () => '' })
  const [address] = fastify.addresses()
  return typeof address === 'object' ? address.port : at.port
}

/** Where requests come in that other processes hand over. */
function entrance(fastify: FastifyInstance, { access }: ServerParts, gate: RequestGate): Handler {
  const enter: Handler = (request, response) => {
    if (gate.enter(request, response) !== undefined) fastify.routing(request, response)
  }
  return access?.before(enter) ?? enter
}

/** What happens to every request before anything else; a promise only where something is waited for. */
function guard(fastify: FastifyInstance, parts: ServerParts): { isRefusing: boolean } {
  const state = { isRefusing: false }
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, requestIdOf(request.raw))
    if (state.isRefusing) return void refuse(parts, { request, reply })
    const counting = count(parts, request)
    const admitting =
      counting === undefined ? admit(parts, request, reply) : counting.then(() => admit(parts, request, reply))
    if (admitting === undefined) done()
    else void admitting.then(() => done(), done)
  })
  return state
}

/** Whoever decides where requests go asks for health however often. Undefined where nothing has to be waited for. */
function count({ limits }: ServerParts, { raw, routeOptions }: FastifyRequest): Promise<void> | undefined {
  if (routeOptions.url !== HEALTH_ADDRESS) return limits?.admit(raw)
  limits?.pass(raw)
  return undefined
}

/** Everything that it answers. */
function furnish(fastify: FastifyInstance, parts: ServerParts, intake: Intake): void {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('*', ({ raw, routeOptions }: FastifyRequest) =>
    takeBody({ authenticate: parts.authenticate, intake }, raw, routeOptions.bodyLimit),
  )
  watchAnswers(fastify, parts)
  fastify.setErrorHandler((error, request, reply) => sendError(parts, { request, reply, error }))
  fastify.setNotFoundHandler((request, reply) => answerUnknown(parts, request, reply))
  addRoutes(fastify, parts)
  if (parts.site !== undefined) addPages(fastify, parts, parts.site)
  if (parts.files !== undefined) addFiles(fastify, parts, parts.files)
}

/** What happens below the framework, on the connections themselves. */
function watchConnections({ server }: FastifyInstance): void {
  noteConnections(server)
  server.on('request', noteArrival)
  server.on('request', keepReading)
  // An expectation that nobody knows changes nothing (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', refuseTunnel)
}

/** Requests that another process answers are counted there. */
const handedOver = new WeakSet<FastifyRequest>()

function watchAnswers(fastify: FastifyInstance, parts: ServerParts): void {
  const { limits } = parts
  if (limits !== undefined)
    fastify.addHook('onSend', async (request, reply) => {
      reply.headers(limits.fieldsOf(request.raw))
    })
  if (parts.answered === undefined) return
  fastify.addHook('onResponse', (request, reply, done) => {
    if (!handedOver.has(request)) parts.answered?.(answeredOf({ request, reply }))
    done()
  })
}

/** Before anything of the body is read. Undefined where nothing has to be waited for. */
function admit(parts: ServerParts, request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
  if (hasBody(request.raw)) responses.set(request.raw, reply.raw)
  requireHost(request.raw)
  boundQuery(request.originalUrl)
  refuseCrossOrigin(request, parts.options)
  ignoreOddType(request.raw)
  const isElsewhere = parts.writing?.isMine() === false && isWrite(methodSent(request.raw))
  const isLater = request.headers[SEQ_HEADER] !== undefined
  return isElsewhere || isLater ? admitLater(parts, request, reply) : undefined
}

async function admitLater(
  { writing, reach, access, limits }: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const seq = request.headers[SEQ_HEADER]
  if (seq !== undefined) await reach?.(Number(seq))
  const method = methodSent(request.raw)
  if (writing === undefined || writing.isMine() || !isWrite(method)) return
  const exchange = { request: request.raw, response: reply.raw, method, target: request.originalUrl }
  const answering = (): Readonly<Record<string, string>> => {
    handedOver.add(request)
    access?.passedOn(request.raw)
    reply.hijack()
    return limits?.fieldsOf(request.raw) ?? {}
  }
  await handOver({ ...exchange, answering }, writing)
}

function addRoutes(fastify: FastifyInstance, parts: ServerParts): void {
  for (const own of parts.spaces.flatMap(pathsOf)) addPath(fastify, parts, own)
  for (const route of parts.above ?? []) addPath(fastify, parts, { path: route.path, below: '', routes: [route] })
}

function addPath(fastify: FastifyInstance, parts: ServerParts, { path, below, routes }: PathRoutes): void {
  const url = path.replace(':id', ':id(^\\d+$)')
  for (const route of routes) {
    fastify.route({
      method: route.method,
      url,
      ...(route.uploadLimit !== undefined && {
        bodyLimit: route.uploadLimit,
        onRequest: (request, reply) => refuseUpload(parts, { route, routes, request, reply }),
      }),
      handler: (request, reply) => answerByRoute(parts, { route, routes, request, reply }),
    })
  }
  fastify.options(url, (request, reply) => answerOptions(parts, { path: below, routes, request, reply }))
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

type RouteExchange = Exchange & { readonly route: AnyRoute; readonly routes: readonly AnyRoute[] }

/** Files are large: a caller who may not send them is refused before the body is taken in. */
async function refuseUpload(parts: ServerParts, exchange: RouteExchange): Promise<FastifyReply | undefined> {
  const { route, routes, request } = exchange
  const caller = await callerOf(parts, request.raw)
  if (route.open(caller)) return undefined
  const incoming = incomingOf(parts, arrivedOf(request), caller)
  const refusal = errorReply(forbidden(caller), incoming.language)
  return send(parts, exchange, sendReply(callOf(route, incoming), refusal, allowed(routes, incoming)))
}

async function answerByRoute(
  parts: ServerParts,
  { route, routes, request, reply }: RouteExchange,
): Promise<FastifyReply> {
  const arrived = arrivedOf(request)
  await answerRoute(parts, { route, routes, request: arrived, response: reply.raw }).finally(
    () => arrived.body && freeBytes(arrived.body),
  )
  return reply.hijack()
}

/** A request in the terms of routes. */
function arrivedOf(request: FastifyRequest): Arrived {
  const { raw, headers, method, host, protocol, ip: address, params, query, body } = request
  const content = body instanceof Buffer ? body : undefined
  return {
    raw,
    headers,
    method,
    host,
    protocol,
    address,
    mount: mounts.get(raw),
    claim: claims.get(raw),
    params,
    query,
    body: content,
  }
}

async function answerOptions(
  parts: ServerParts,
  exchange: Exchange & { path: string; routes: readonly AnyRoute[] },
): Promise<FastifyReply | undefined> {
  const { path, routes, request } = exchange
  const first = routes[0]
  if (first === undefined) return undefined
  const incoming = incomingOf(parts, arrivedOf(request), await callerOf(parts, request.raw))
  const call = callOf(first, incoming)
  const body = parts.describe(path, routes, call)
  return send(parts, exchange, sendReply(call, { status: 200, body, headers: SPOKEN }, allowed(routes, incoming)))
}

function send(parts: ServerParts, { request, reply }: Exchange, answer: Sendable): FastifyReply {
  return transmit(parts, { request, reply }, linked(answer, urlsFor(parts, arrivedOf(request))))
}

/** An answer with all headers but those that its origin decides about. */
function transmit(parts: ServerParts, { request, reply }: Exchange, answer: Sendable): FastifyReply {
  // An empty text would get a type and a length, and those of a 304 are said of the answer (RFC 9110 section 8.6).
  const body = answer.status === 304 ? undefined : bytesOf(answer.body)
  return reply
    .code(answer.status)
    .headers({ ...answer.headers, ...exchangeHeaders(parts, request) })
    .send(body)
}

/** Anything without a route: JSON for API addresses, credentials checked first. */
async function answerUnknown(parts: ServerParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const caller = await callerOf(parts, request.raw)
  const exchange = { request, reply }
  if (request.method === 'OPTIONS' && mounts.has(request.raw)) {
    return send(parts, exchange, sendReply({ caller, sent: sentInQuery(request) }, { status: 200, body: [] }))
  }
  const site = mounts.has(request.raw) ? undefined : parts.site
  if (site !== undefined) return answerPage(parts, { ...exchange, show: (incoming) => site.missing(incoming) })
  return sendError(parts, { ...exchange, error: fail('rest_no_route'), caller })
}

/** The answer to a request that no route has taken; `caller` is absent where credentials were not checked, or wrong. */
async function sendError(
  parts: ServerParts,
  exchange: Exchange & { error: unknown; caller?: Caller },
): Promise<FastifyReply> {
  const { request, reply, error, caller = ANONYMOUS } = exchange
  // What the framework refuses by itself has passed no hook.
  reply.header(REQUEST_ID_HEADER, requestIdOf(request.raw))
  const failure = failureOf(error, request.routeOptions.bodyLimit)
  // Why nothing can be answered for a while is told once, by whoever knows.
  if (failure.status >= 500 && failure.status !== 503)
    parts.log.error({ err: error, requestId: requestIdOf(request.raw) }, 'request failed')
  return sendFailure(parts, { request, reply, failure, caller })
}

/** The answer of a server that is stopping: nothing of the request was begun, which is no fault that a log tells of. */
function refuse(parts: ServerParts, { request, reply }: Exchange): FastifyReply {
  reply.header('connection', 'close')
  return sendFailure(parts, { request, reply, failure: fail('rest_unavailable'), caller: ANONYMOUS })
}

function sendFailure(parts: ServerParts, exchange: Exchange & { failure: Failure; caller: Caller }): FastifyReply {
  const { request, failure, caller } = exchange
  const { site } = parts
  if (site !== undefined && !mounts.has(request.raw)) return failPage(parts, { ...exchange, site })
  const answer = errorReply(failure, languageOf(arrivedOf(request), parts.options.language))
  return send(parts, exchange, sendReply({ caller, sent: sentInQuery(request) }, answer))
}

function sentInQuery({ query }: FastifyRequest): (name: string) => unknown {
  return (name) => (query as Sent | undefined)?.[name]
}

function addPages(fastify: FastifyInstance, parts: ServerParts, site: Pages): void {
  for (const { path, show } of site.pages) {
    const ends = path.endsWith('/') || path.endsWith('*') ? [path] : [path, `${path}/`]
    for (const url of ends) fastify.get(url, (request, reply) => answerPage(parts, { show, request, reply }))
  }
}

async function answerPage(
  parts: ServerParts,
  exchange: Exchange & { show(incoming: Incoming): PageAnswer | Promise<PageAnswer> },
): Promise<FastifyReply> {
  const arrived = arrivedOf(exchange.request)
  const shown = servingRequest(arrived, async () => {
    const incoming = incomingOf(parts, arrived, await callerOf(parts, arrived.raw))
    return { incoming, answer: await exchange.show(incoming) }
  })
  const { incoming, answer } = await shown
  return exchange.reply.code(answer.status).headers(pageHeaders(answer, incoming.caller)).send(answer.html)
}

function addFiles(fastify: FastifyInstance, parts: ServerParts, files: ServedFiles): void {
  fastify.route({
    method: ['GET', 'HEAD'],
    url: `${files.path}:name`,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const { name = '' } = request.params as Record<string, string>
      const file = await files.open(name)
      if (file === undefined) return answerUnknown(parts, request, reply)
      const { status, headers, part } = answerFile(file, request)
      reply.code(status).headers(headers)
      if (part !== undefined) return reply.send(file.read(part))
      await file.close()
      return reply.send()
    },
  })
}

function failPage(
  parts: ServerParts,
  { request, reply, failure, site }: Exchange & { failure: Failure; site: Pages },
): FastifyReply {
  const { status, body, headers = {} } = errorReply(failure, 'en')
  const { code, message } = body as { code: string; message: string }
  const answer = site.failed({ status, code, message, urls: urlsFor(parts, arrivedOf(request)) })
  const again = headers['retry-after']
  if (again !== undefined) reply.header('retry-after', again)
  return reply.code(status).headers(pageHeaders(answer, ANONYMOUS)).send(answer.html)
}
