import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ANONYMOUS } from '../auth/caller.ts'
import { forbidden } from '../auth/rights.ts'
import { Failure, fail } from '../errors.ts'
import { LANGUAGES } from '../i18n/languages.ts'
import { allowed, COMMON_HEADERS, errorReply, type Sendable, sendReply } from './answer.ts'
import { ignoreOddType, languageOf, methodSent, mounts, originOf, overrideMethod } from './arrival.ts'
import { readBody, readForm, type Sent } from './body.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { corsHeaders } from './cors.ts'
import { callOf, dispatch, type Incoming } from './dispatch.ts'
import { conditional } from './etag.ts'
import { failureOf } from './failure.ts'
import { type Mount, NAMESPACE, readTarget } from './mount.ts'
import { type PageAnswer, type Pages, pageHeaders } from './page.ts'
import type { AnyRoute, Reply } from './route.ts'
import type { ServerParts } from './server-parts.ts'
import { readUpload } from './upload.ts'
import { urlsOf } from './urls.ts'

/** A server that is set up but does not listen yet. */
export interface Server {
  /** Starts to listen and returns the port in use. @throws the system error of the socket */
  listen(at: { host: string; port: number }): Promise<number>
  /** Answers one request without a socket, for tests. */
  inject: FastifyInstance['inject']
  /** Stops accepting, finishes the requests under way and closes. */
  close(): Promise<void>
}

/** Mount that answers fall back to where the address was not an API address. */
const BARE: Mount = { language: '', prefix: '', namespace: NAMESPACE }

/** Time that a whole request may take to arrive, in milliseconds. */
const REQUEST_TIMEOUT = 60_000

/** Sets up the HTTP server: the only file that knows the web framework. */
export function createServer(parts: ServerParts): Server {
  const { options, log } = parts
  const mountOptions = { spaces: parts.spaces, languages: LANGUAGES }
  const fastify = Fastify({
    bodyLimit: options.bodyLimit,
    trustProxy: options.trustedProxies.length === 0 ? false : [...options.trustedProxies],
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_TIMEOUT,
    exposeHeadRoutes: true,
    frameworkErrors: (error, request, reply) => void sendError(parts, { request, reply, error }),
    clientErrorHandler: answerBrokenRequest,
    routerOptions: { maxParamLength: 2048, querystringParser: (text) => readForm(text) as Record<string, unknown> },
    rewriteUrl: (request) => {
      const target = readTarget(request.url ?? '/', mountOptions)
      if (target.mount !== undefined) mounts.set(request, target.mount)
      overrideMethod(request, target.url)
      return target.url
    },
  })
  fastify.addHook('onRequest', async (request) => ignoreOddType(request.raw))
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  fastify.setErrorHandler((error, request, reply) => sendError(parts, { request, reply, error }))
  fastify.setNotFoundHandler((request, reply) => answerUnknown(parts, request, reply))
  addRoutes(fastify, parts)
  if (parts.site !== undefined) addPages(fastify, parts, parts.site)
  return {
    listen: async (at) => {
      await fastify.listen({ ...at, listenTextResolver: () => '' })
      const [address] = fastify.addresses()
      return typeof address === 'object' ? address.port : at.port
    },
    inject: fastify.inject.bind(fastify) as FastifyInstance['inject'],
    close: () => fastify.close().then(() => log.debug('server closed')),
  }
}

function addRoutes(fastify: FastifyInstance, parts: ServerParts): void {
  for (const { name, routes } of parts.spaces) {
    for (const [path, own] of Map.groupBy(routes, (one) => one.path)) {
      addPath(fastify, parts, { url: `/${name}${path.replace(':id', ':id(^\\d+$)')}`, path, routes: own })
    }
  }
  for (const route of parts.above ?? []) addPath(fastify, parts, { url: route.path, path: '', routes: [route] })
}

/** The routes of one path, and how the router writes it. */
interface PathRoutes {
  readonly url: string
  /** As the routes have it. */
  readonly path: string
  readonly routes: readonly AnyRoute[]
}

function addPath(fastify: FastifyInstance, parts: ServerParts, { url, path, routes }: PathRoutes): void {
  for (const route of routes) {
    fastify.route({
      method: route.method,
      url,
      ...(route.uploadLimit !== undefined && {
        bodyLimit: route.uploadLimit,
        onRequest: (request) => refuseUpload(parts, route, request),
      }),
      handler: (request, reply) => answerRoute(parts, { route, routes, request, reply }),
    })
  }
  fastify.options(url, (request, reply) => answerOptions(parts, { path, routes, request, reply }))
}

/** Files are large: a caller who may not send them is refused before the body is taken in. */
async function refuseUpload(parts: ServerParts, route: AnyRoute, request: FastifyRequest): Promise<void> {
  const caller = await parts.authenticate(request.headers.authorization)
  if (!route.open(caller)) throw forbidden(caller)
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

async function answerRoute(
  parts: ServerParts,
  exchange: Exchange & { route: AnyRoute; routes: readonly AnyRoute[] },
): Promise<FastifyReply> {
  const { route, routes, request } = exchange
  const incoming = await readIncoming(parts, request, route)
  const call = callOf(route, incoming)
  const answer = await dispatch(route, incoming).catch((error: unknown) =>
    failureReply(parts, error, incoming.language),
  )
  const sendable = sendReply(call, answer, allowed(routes, incoming))
  return send(parts, exchange, conditional(sendable, { reply: answer, ...validatorsOf(request) }))
}

function failureReply(parts: ServerParts, error: unknown, language: string): Reply {
  if (!(error instanceof Failure)) parts.log.error({ err: error }, 'request failed')
  return errorReply(error, language)
}

async function answerOptions(
  parts: ServerParts,
  exchange: Exchange & { path: string; routes: readonly AnyRoute[] },
): Promise<FastifyReply | undefined> {
  const { path, routes, request } = exchange
  const first = routes[0]
  if (first === undefined) return undefined
  const incoming = await readIncoming(parts, request)
  const call = callOf(first, incoming)
  const body = parts.describe(path, routes, call)
  return send(parts, exchange, sendReply(call, { status: 200, body }, allowed(routes, incoming)))
}

/** Credentials are checked first, then the body is read: both may end the request (wire: events 0.1). */
async function readIncoming(parts: ServerParts, request: FastifyRequest, route?: AnyRoute): Promise<Incoming> {
  const caller = await parts.authenticate(request.headers.authorization)
  const mount = mounts.get(request.raw) ?? BARE
  const now = parts.now()
  return {
    caller,
    now,
    context: { now, siteZone: parts.options.siteZone, iframeHosts: parts.options.iframeHosts },
    language: languageOf(request, parts.options.language),
    mount,
    urls: urlsOf(originOf(request, parts.options.baseUrl), mount),
    path: request.params as Record<string, string>,
    query: request.query as Sent,
    ...(await readContent(request, route?.uploadLimit !== undefined)),
  }
}

async function readContent(request: FastifyRequest, isUpload: boolean): Promise<Pick<Incoming, 'body' | 'upload'>> {
  const body = request.body instanceof Buffer ? request.body : undefined
  const type = request.headers['content-type'] ?? ''
  if (!isUpload) return { body: await readBody(body, type, methodSent(request.raw)) }
  const { sent, upload } = await readUpload(body, { type, disposition: request.headers['content-disposition'] })
  return { body: sent, ...(upload && { upload }) }
}

function send(parts: ServerParts, { request, reply }: Exchange, answer: Sendable): FastifyReply {
  return reply
    .code(answer.status)
    .headers({ ...answer.headers, ...corsHeaders(request.headers.origin, parts.options.corsOrigins) })
    .send(answer.body)
}

function validatorsOf({ method, headers }: FastifyRequest): { method: string; ifNoneMatch: string | undefined } {
  return { method, ifNoneMatch: headers['if-none-match'] }
}

/** Anything without a route: JSON for API addresses, credentials checked first. */
async function answerUnknown(parts: ServerParts, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  await parts.authenticate(request.headers.authorization)
  if (request.method === 'OPTIONS' && mounts.has(request.raw)) {
    return send(parts, { request, reply }, { status: 200, headers: COMMON_HEADERS, body: '[]' })
  }
  const site = mounts.has(request.raw) ? undefined : parts.site
  if (site !== undefined) return answerPage(parts, { show: (incoming) => site.missing(incoming), request, reply })
  throw fail('rest_no_route')
}

async function sendError(parts: ServerParts, exchange: Exchange & { error: unknown }): Promise<FastifyReply> {
  const { request, reply, error } = exchange
  const failure = failureOf(error, request.routeOptions.bodyLimit)
  if (failure.status >= 500) parts.log.error({ err: error }, 'request failed')
  const { site } = parts
  if (site !== undefined && !mounts.has(request.raw)) return failPage(parts, { request, reply, failure, site })
  const answer = errorReply(failure, languageOf(request, parts.options.language))
  const secret = answer.secret === true ? { 'cache-control': 'no-store' } : {}
  const headers = { ...COMMON_HEADERS, ...answer.headers, ...secret }
  const body = JSON.stringify(answer.body)
  return send(parts, { request, reply }, { status: answer.status, headers, body })
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
  const incoming = await readIncoming(parts, exchange.request)
  const answer = await exchange.show(incoming)
  return exchange.reply.code(answer.status).headers(pageHeaders(answer, incoming.caller)).send(answer.html)
}

function failPage(
  parts: ServerParts,
  { request, reply, failure, site }: Exchange & { failure: Failure; site: Pages },
): FastifyReply {
  const { status, body } = errorReply(failure, 'en')
  const { code, message } = body as { code: string; message: string }
  const urls = urlsOf(originOf(request, parts.options.baseUrl), BARE)
  const answer = site.failed({ status, code, message, urls })
  return reply.code(status).headers(pageHeaders(answer, ANONYMOUS)).send(answer.html)
}
