import { pipeline as pipe } from 'node:stream/promises'
import { forbidden } from '../../auth/rights.ts'
import { fail } from '../../errors.ts'
import { allowed, errorReply, SPOKEN, sendReply } from '../answer.ts'
import { callOf, type Incoming } from '../dispatch.ts'
import type { PageAnswer, Pages } from '../page.ts'
import { callerOf } from '../request/caller-of.ts'
import { incomingOf } from '../request/incoming.ts'
import type { ServerRequest } from '../request/server-request.ts'
import { linked } from '../response/discovery.ts'
import { headersOf, send, sendError, sendPage } from '../response/respond.ts'
import { answerFile, type ServedFiles } from '../response/served-file.ts'
import type { AnyRoute } from '../route.ts'
import type { ServerParts } from '../server-parts.ts'
import { type PathRoutes, pathsOf } from '../space.ts'
import { HEALTH_ADDRESS } from './health.ts'
import { respondByRoute } from './respond-by-route.ts'
import type { Target, TargetPath } from './router.ts'

/** Everything that a server responds to, by path. */
export function targetsOf(parts: ServerParts): TargetPath[] {
  const above = (parts.above ?? []).map((route) => ({ path: route.path, below: '', routes: [route] }))
  const paths = [...parts.spaces.flatMap(pathsOf), ...above].flatMap((one) => targetsOfPath(parts, one))
  if (parts.site !== undefined) paths.push(...targetsOfPages(parts, parts.site))
  if (parts.files !== undefined) paths.push(targetOfFiles(parts, parts.files))
  return paths
}

/** The target of all other addresses. */
export function nowhere(parts: ServerParts): Target {
  return { name: 'none', bodyLimit: parts.options.bodyLimit, respond: (request) => respondUnknown(parts, request) }
}

function targetsOfPath(parts: ServerParts, { path: name, below, routes }: PathRoutes): TargetPath[] {
  const path = name.replace(':id', ':id(^\\d+$)')
  const { bodyLimit } = parts.options
  const describe = (request: ServerRequest): Promise<void> => describePath(parts, request, { below, routes })
  return [
    ...routes.map((route): TargetPath => {
      const common = { name, bodyLimit: route.uploadLimit ?? bodyLimit, isUncounted: name === HEALTH_ADDRESS }
      const respond = (request: ServerRequest): Promise<void> => respondByRoute(parts, request, { route, routes })
      const target: Target = { ...common, respond }
      if (route.uploadLimit !== undefined)
        target.precheck = (request) => refuseUpload(parts, request, { route, routes })
      return { methods: route.method === 'GET' ? ['GET', 'HEAD'] : [route.method], path, target }
    }),
    { methods: ['OPTIONS'], path, target: { name, bodyLimit, respond: describe } },
  ]
}

interface OfPath {
  readonly routes: readonly AnyRoute[]
}

/** Files are large: a caller who may not send them is refused before the body is taken in. */
async function refuseUpload(
  parts: ServerParts,
  request: ServerRequest,
  { route, routes }: OfPath & { readonly route: AnyRoute },
): Promise<boolean> {
  const caller = await callerOf(parts, request)
  if (route.open(caller)) return false
  const incoming = incomingOf(parts, request, caller)
  const refusal = errorReply(forbidden(caller), incoming.language)
  send(parts, request, linked(sendReply(callOf(route, incoming), refusal, allowed(routes, incoming)), incoming.urls))
  return true
}

/** The response to OPTIONS. */
async function describePath(
  parts: ServerParts,
  request: ServerRequest,
  { below, routes }: OfPath & { readonly below: string },
): Promise<void> {
  const [first] = routes
  if (first === undefined) return
  const incoming = incomingOf(parts, request, await callerOf(parts, request))
  const call = callOf(first, incoming)
  const reply = { status: 200, body: parts.describe(below, routes, call), headers: SPOKEN }
  send(parts, request, linked(sendReply(call, reply, allowed(routes, incoming)), incoming.urls))
}

/** Anything without a route: JSON for API addresses, credentials checked first. */
async function respondUnknown(parts: ServerParts, request: ServerRequest): Promise<void> {
  const caller = await callerOf(parts, request)
  const { site } = parts
  if (request.mount === undefined && site !== undefined)
    return respondWithPage(parts, request, (incoming) => site.missing(incoming))
  if (request.mount === undefined || request.method !== 'OPTIONS')
    return sendError(parts, request, { error: fail('rest_no_route'), caller })
  const asking = { caller, sent: (name: string): unknown => request.query[name] }
  send(parts, request, linked(sendReply(asking, { status: 200, body: [] }), incomingOf(parts, request, caller).urls))
}

function targetsOfPages(parts: ServerParts, site: Pages): TargetPath[] {
  const { bodyLimit } = parts.options
  return site.pages.flatMap(({ path: name, show }) => {
    const respond = (request: ServerRequest): Promise<void> => respondWithPage(parts, request, show)
    const ends = name.endsWith('/') || name.endsWith('*') ? [name] : [name, `${name}/`]
    return ends.map(
      (path): TargetPath => ({ methods: ['GET', 'HEAD'], path, target: { name: path, bodyLimit, respond } }),
    )
  })
}

async function respondWithPage(
  parts: ServerParts,
  request: ServerRequest,
  show: (incoming: Incoming) => PageAnswer | Promise<PageAnswer>,
): Promise<void> {
  const incoming = incomingOf(parts, request, await callerOf(parts, request))
  sendPage(parts, request, { page: await show(incoming), caller: incoming.caller })
}

function targetOfFiles(parts: ServerParts, files: ServedFiles): TargetPath {
  const path = `${files.path}:name`
  const respond = (request: ServerRequest): Promise<void> => respondWithFile(parts, request, files)
  return { methods: ['GET', 'HEAD'], path, target: { name: path, bodyLimit: parts.options.bodyLimit, respond } }
}

async function respondWithFile(parts: ServerParts, request: ServerRequest, files: ServedFiles): Promise<void> {
  const file = await files.open(request.path['name'] ?? '')
  if (file === undefined) return respondUnknown(parts, request)
  const { status, headers, part } = answerFile(file, request)
  const { response } = request
  // One that breaks off breaks off for the client, too.
  response.writeHead(status, { ...headersOf(parts, request, headers) })
  if (part !== undefined) return pipe(file.read(part), response).catch(() => undefined)
  await file.close()
  response.end()
}
