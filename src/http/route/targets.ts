import { pipeline as pipe } from 'node:stream/promises'
import { fail } from '../../base/errors.ts'
import { type Caller, forbidden, requireScope } from '../auth/rights.ts'
import { callOf } from '../dispatch.ts'
import { type PageResponse, type Pages, pageHeaders } from '../html-page.ts'
import { type PathRoutes, pathsOf } from '../namespace.ts'
import { callerOf, incomingOf, incomingOfPage } from '../request/incoming.ts'
import type { ServerRequest } from '../request/server-request.ts'
import { allowByRole, errorReply, type HttpResponse, linked, renderReply, SPOKEN } from '../response/http-response.ts'
import { conditional, packed, validated } from '../response/representation.ts'
import { headersOf, send, sendError, sendPage, write } from '../response/respond.ts'
import { fileResponse, type ServedFiles } from '../response/served-file.ts'
import type { Incoming } from '../route.ts'
import type { ServerDeps } from '../server-deps.ts'
import { targetsOfForms } from './form-pages.ts'
import { HEALTH_ADDRESS } from './health.ts'
import type { PathHandler, RoutedPath } from './path-handler.ts'
import { isCostly, type RouteOfPath, responderOf } from './respond-by-route.ts'

/** Everything that a server responds to, by path. */
export function targetsOf(deps: ServerDeps): RoutedPath[] {
  const above = (deps.above ?? []).map((route) => ({ path: route.path, below: '', routes: [route] }))
  const paths = [...deps.namespaces.flatMap(pathsOf), ...above].flatMap((one) => targetsOfPath(deps, one))
  if (deps.site !== undefined) paths.push(...targetsOfPages(deps, deps.site), ...targetsOfForms(deps, deps.site))
  if (deps.files !== undefined) paths.push(targetOfFiles(deps, deps.files))
  paths.push(...(deps.further?.(deps) ?? []))
  return paths
}

/** The target of all other addresses. */
export function nowhere(deps: ServerDeps): PathHandler {
  return { name: 'none', bodyLimit: deps.options.bodyLimit, respond: (request) => respondUnknown(deps, request) }
}

function targetsOfPath(deps: ServerDeps, { path: name, below, routes }: PathRoutes): RoutedPath[] {
  const path = name.replace(':id', ':id(^\\d+$)')
  const { bodyLimit } = deps.options
  const allow = allowByRole(routes)
  const describe = (request: ServerRequest): Promise<void> => describePath(deps, request, { below, routes, allow })
  return [
    ...routes.map((route): RoutedPath => {
      const common = { name, bodyLimit: route.uploadLimit ?? bodyLimit, ...(name === HEALTH_ADDRESS && UNCOUNTED) }
      const target: PathHandler = { ...common, respond: responderOf(deps, { route, allow }) }
      if (route.uploadLimit !== undefined) target.precheck = (request) => refuseUpload(deps, request, { route, allow })
      return { methods: route.method === 'GET' ? ['GET', 'HEAD'] : [route.method], path, target }
    }),
    { methods: ['OPTIONS'], path, target: { name, bodyLimit, respond: describe } },
  ]
}

/** Files are large: a caller who may not send them is refused before the body is read. */
async function refuseUpload(deps: ServerDeps, request: ServerRequest, { route, allow }: RouteOfPath): Promise<boolean> {
  const caller = await callerOf(deps, request)
  requireScope(caller, route.scope ?? 'admin')
  if (route.open(caller.role)) return false
  const incoming = incomingOf(deps, request, caller)
  const refusal = errorReply(forbidden(caller), incoming.language)
  send(deps, request, linked(renderReply(callOf(route, incoming), refusal, allow[caller.role]), incoming.urls))
  return true
}

/** The response to OPTIONS. */
async function describePath(
  deps: ServerDeps,
  request: ServerRequest,
  { below, routes, allow }: Pick<PathRoutes, 'below' | 'routes'> & Pick<RouteOfPath, 'allow'>,
): Promise<void> {
  const [first] = routes
  if (first === undefined) return
  const incoming = incomingOf(deps, request, await callerOf(deps, request))
  const call = callOf(first, incoming)
  const reply = { status: 200, body: deps.describe(below, routes, call), headers: SPOKEN }
  send(deps, request, linked(renderReply(call, reply, allow[incoming.caller.role]), incoming.urls))
}

/** Anything without a route: JSON for API addresses, credentials checked first. */
async function respondUnknown(deps: ServerDeps, request: ServerRequest): Promise<void> {
  const caller = await callerOf(deps, request)
  const { site } = deps
  if (request.mount === undefined && site !== undefined)
    return respondWithPage(deps, request, (incoming) => site.notFound(incoming))
  if (request.mount === undefined || request.method !== 'OPTIONS')
    return sendError(deps, request, { error: fail('rest_no_route'), caller })
  const asking = { caller, sent: request.query }
  send(deps, request, linked(renderReply(asking, { status: 200, body: [] }), incomingOf(deps, request, caller).urls))
}

/** Of no request for a path anything is counted. */
const UNCOUNTED = { isUncounted: () => true }

function targetsOfPages(deps: ServerDeps, site: Pages): RoutedPath[] {
  const { bodyLimit } = deps.options
  return site.pages.flatMap(({ path: name, show, isUncounted }) => {
    const respond = (request: ServerRequest): Promise<void> => respondWithPage(deps, request, show)
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
  deps: ServerDeps,
  request: ServerRequest,
  show: (incoming: Incoming) => PageResponse | Promise<PageResponse>,
): Promise<void> {
  const caller = await callerOf(deps, request)
  deps.limits?.ask(request, { caller, isCostly: isCostly(request) })
  const incoming = incomingOfPage(deps, request, caller)
  const shown = await show(incoming)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const moved = shown.status === 404 && isRead ? await deps.site?.moved?.(request.target, incoming) : undefined
  await respondPage(deps, request, { page: moved ?? shown, caller })
}

function targetOfFiles(deps: ServerDeps, files: ServedFiles): RoutedPath {
  const path = `${files.path}:name`
  const respond = (request: ServerRequest): Promise<void> => respondWithFile(deps, request, files)
  return { methods: ['GET', 'HEAD'], path, target: { name: path, bodyLimit: deps.options.bodyLimit, respond } }
}

async function respondWithFile(deps: ServerDeps, request: ServerRequest, files: ServedFiles): Promise<void> {
  const file = await files.open(request.path['name'] ?? '')
  if (file === undefined) return respondUnknown(deps, request)
  const { status, headers, part } = fileResponse(file, request)
  const { response } = request
  response.writeHead(status, { ...headersOf(deps, request, headers) })
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
  deps: ServerDeps,
  request: ServerRequest,
  { page, caller }: { readonly page: PageResponse; readonly caller: Caller },
): Promise<void> {
  const headers = pageHeaders(page, caller)
  const isKept = page.status === 200 && headers['cache-control']?.startsWith('private') !== true
  if (!isKept || page.chunks !== undefined) return sendPage(deps, request, { page, caller })
  const { method, ticket } = request
  const body = Buffer.from(page.body)
  const response = withValidators({ status: 200, headers, body }, { page, method })
  if (ticket !== undefined) deps.cache?.store(ticket, { response, freshness: page.freshness })
  const condition = request.headers['if-none-match']
  const sent = conditional(response, condition)
  write(deps, request, sent.status === 304 ? sent : await packed(response, request.headers['accept-encoding']))
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
