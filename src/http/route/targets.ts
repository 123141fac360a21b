import { pipeline as pipe } from 'node:stream/promises'
import { fail } from '../../base/errors.ts'
import { type Caller, forbidden } from '../auth/rights.ts'
import { chooseEncoding, compress, compressedTag, PLAIN_LIMIT } from '../cache/response-store.ts'
import { callOf } from '../dispatch.ts'
import { type PageResponse, type Pages, pageHeaders } from '../html-page.ts'
import { type PathRoutes, pathsOf } from '../namespace.ts'
import { callerOf, incomingOf, incomingOfPage } from '../request/incoming.ts'
import type { ServerRequest } from '../request/server-request.ts'
import { conditional, validated } from '../response/etag.ts'
import {
  allowByRole,
  bytesOf,
  errorReply,
  type HttpResponse,
  linked,
  renderReply,
  SPOKEN,
} from '../response/http-response.ts'
import { headersOf, send, sendError, sendPage, write } from '../response/respond.ts'
import { fileResponse, type ServedFiles } from '../response/served-file.ts'
import type { Incoming } from '../route.ts'
import type { ServerParts } from '../server-parts.ts'
import { targetsOfForms } from './form-pages.ts'
import { HEALTH_ADDRESS } from './health.ts'
import { isCostly, type RouteOfPath, responderOf } from './respond-by-route.ts'
import type { PathHandler, RoutedPath } from './router.ts'

/** Everything that a server responds to, by path. */
export function targetsOf(parts: ServerParts): RoutedPath[] {
  const above = (parts.above ?? []).map((route) => ({ path: route.path, below: '', routes: [route] }))
  const paths = [...parts.namespaces.flatMap(pathsOf), ...above].flatMap((one) => targetsOfPath(parts, one))
  if (parts.site !== undefined) paths.push(...targetsOfPages(parts, parts.site), ...targetsOfForms(parts, parts.site))
  if (parts.files !== undefined) paths.push(targetOfFiles(parts, parts.files))
  return paths
}

/** The target of all other addresses. */
export function nowhere(parts: ServerParts): PathHandler {
  return { name: 'none', bodyLimit: parts.options.bodyLimit, respond: (request) => respondUnknown(parts, request) }
}

function targetsOfPath(parts: ServerParts, { path: name, below, routes }: PathRoutes): RoutedPath[] {
  const path = name.replace(':id', ':id(^\\d+$)')
  const { bodyLimit } = parts.options
  const allow = allowByRole(routes)
  const describe = (request: ServerRequest): Promise<void> => describePath(parts, request, { below, routes, allow })
  return [
    ...routes.map((route): RoutedPath => {
      const common = { name, bodyLimit: route.uploadLimit ?? bodyLimit, ...(name === HEALTH_ADDRESS && UNCOUNTED) }
      const target: PathHandler = { ...common, respond: responderOf(parts, { route, allow }) }
      if (route.uploadLimit !== undefined) target.precheck = (request) => refuseUpload(parts, request, { route, allow })
      return { methods: route.method === 'GET' ? ['GET', 'HEAD'] : [route.method], path, target }
    }),
    { methods: ['OPTIONS'], path, target: { name, bodyLimit, respond: describe } },
  ]
}

/** Files are large: a caller who may not send them is refused before the body is read. */
async function refuseUpload(
  parts: ServerParts,
  request: ServerRequest,
  { route, allow }: RouteOfPath,
): Promise<boolean> {
  const caller = await callerOf(parts, request)
  if (route.open(caller.role)) return false
  const incoming = incomingOf(parts, request, caller)
  const refusal = errorReply(forbidden(caller), incoming.language)
  send(parts, request, linked(renderReply(callOf(route, incoming), refusal, allow[caller.role]), incoming.urls))
  return true
}

/** The response to OPTIONS. */
async function describePath(
  parts: ServerParts,
  request: ServerRequest,
  { below, routes, allow }: Pick<PathRoutes, 'below' | 'routes'> & Pick<RouteOfPath, 'allow'>,
): Promise<void> {
  const [first] = routes
  if (first === undefined) return
  const incoming = incomingOf(parts, request, await callerOf(parts, request))
  const call = callOf(first, incoming)
  const reply = { status: 200, body: parts.describe(below, routes, call), headers: SPOKEN }
  send(parts, request, linked(renderReply(call, reply, allow[incoming.caller.role]), incoming.urls))
}

/** Anything without a route: JSON for API addresses, credentials checked first. */
async function respondUnknown(parts: ServerParts, request: ServerRequest): Promise<void> {
  const caller = await callerOf(parts, request)
  const { site } = parts
  if (request.mount === undefined && site !== undefined)
    return respondWithPage(parts, request, (incoming) => site.notFound(incoming))
  if (request.mount === undefined || request.method !== 'OPTIONS')
    return sendError(parts, request, { error: fail('rest_no_route'), caller })
  const asking = { caller, sent: request.query }
  send(parts, request, linked(renderReply(asking, { status: 200, body: [] }), incomingOf(parts, request, caller).urls))
}

/** Of no request for a path anything is counted. */
const UNCOUNTED = { isUncounted: () => true }

function targetsOfPages(parts: ServerParts, site: Pages): RoutedPath[] {
  const { bodyLimit } = parts.options
  return site.pages.flatMap(({ path: name, show, isUncounted }) => {
    const respond = (request: ServerRequest): Promise<void> => respondWithPage(parts, request, show)
    const ends = name.endsWith('/') || name.endsWith('*') ? [name] : [name, `${name}/`]
    return ends.map(
      (path): RoutedPath => ({
        methods: ['GET', 'HEAD'],
        path,
        target: {
          ...{ name: path, bodyLimit, respond },
          ...(isUncounted && { isUncounted: (request: ServerRequest) => isUncounted(request.path) }),
        },
      }),
    )
  })
}

async function respondWithPage(
  parts: ServerParts,
  request: ServerRequest,
  show: (incoming: Incoming) => PageResponse | Promise<PageResponse>,
): Promise<void> {
  const caller = await callerOf(parts, request)
  parts.limits?.ask(request, { caller, isCostly: isCostly(request) })
  const incoming = incomingOfPage(parts, request, caller)
  const shown = await show(incoming)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const moved = shown.status === 404 && isRead ? await parts.site?.moved?.(request.target, incoming) : undefined
  await respondPage(parts, request, { page: moved ?? shown, caller })
}

function targetOfFiles(parts: ServerParts, files: ServedFiles): RoutedPath {
  const path = `${files.path}:name`
  const respond = (request: ServerRequest): Promise<void> => respondWithFile(parts, request, files)
  return { methods: ['GET', 'HEAD'], path, target: { name: path, bodyLimit: parts.options.bodyLimit, respond } }
}

async function respondWithFile(parts: ServerParts, request: ServerRequest, files: ServedFiles): Promise<void> {
  const file = await files.open(request.path['name'] ?? '')
  if (file === undefined) return respondUnknown(parts, request)
  const { status, headers, part } = fileResponse(file, request)
  const { response } = request
  response.writeHead(status, { ...headersOf(parts, request, headers) })
  // Nothing is piped to a client that has left, and nothing would close the file. One that breaks off breaks off for the client, too.
  if (part !== undefined && !response.destroyed) return pipe(file.read(part), response).catch(() => undefined)
  await file.close()
  response.end()
}

/**
 * Responds with a page of the site: as responses of the API it has a tag, is compressed, and is cached for as long as it
 * says. What not everybody may see goes out as it is.
 */
async function respondPage(
  parts: ServerParts,
  request: ServerRequest,
  { page, caller }: { readonly page: PageResponse; readonly caller: Caller },
): Promise<void> {
  const headers = pageHeaders(page, caller)
  const isKept = page.status === 200 && headers['cache-control']?.startsWith('private') !== true
  if (!isKept || page.chunks !== undefined) return sendPage(parts, request, { page, caller })
  const { method, ticket } = request
  const body = Buffer.from(page.body)
  const response = withValidators({ status: 200, headers, body }, { page, method })
  if (ticket !== undefined) parts.cache?.store(ticket, { response, freshness: page.freshness })
  const condition = request.headers['if-none-match']
  const sent = conditional(response, condition)
  write(parts, request, sent.status === 304 ? sent : await packed(response, request.headers['accept-encoding']))
}

function withValidators(
  response: HttpResponse,
  { page, method }: { readonly page: PageResponse; readonly method: string },
) {
  const made = validated(response, { reply: { freshness: page.freshness }, method })
  const vary = made.headers['vary'] ?? ''
  return {
    ...made,
    headers: { ...made.headers, vary: /accept-encoding/i.test(vary) ? vary : `${vary}, Accept-Encoding` },
  }
}

async function packed(response: HttpResponse, accepted: string | undefined): Promise<HttpResponse> {
  const body = bytesOf(response.body)
  const encoding = body.length <= PLAIN_LIMIT ? undefined : chooseEncoding(accepted)
  if (encoding === undefined) return response
  const smaller = await compress(body, encoding)
  if (smaller.length >= body.length) return response
  const { etag = '' } = response.headers
  return {
    ...response,
    headers: { ...response.headers, 'content-encoding': encoding, etag: compressedTag(etag, encoding) },
    body: smaller,
  }
}
