import openTable, { type HTTPMethod } from 'find-my-way'
import { fail } from '../base/errors.ts'
import { LANGUAGES } from '../base/i18n/languages.ts'
import { onBehalfOf } from '../base/requester.ts'
import { belowPath, type MountOptions, readPageTarget, readTarget } from './address.ts'
import { boundQuery, PARAMETER_LIMIT, type RawInput, readForm } from './request/body.ts'
import { crossOriginRefusal } from './request/cross-origin.ts'
import { callerOf } from './request/incoming.ts'
import { ANONYMOUS_BODY_LIMIT, Intake } from './request/intake.ts'
import { SEQ_HEADER, type ServerRequest } from './request/server-request.ts'
import { classOf } from './response/http-response.ts'
import { sendError } from './response/respond.ts'
import type { PathHandler, RoutedPath } from './route/path-handler.ts'
import { nowhere, targetsOf } from './route/targets.ts'
import type { ServerDeps } from './server-deps.ts'

/** What requests go through. */
export interface Pipeline {
  /** Responds to an admitted request whose turn has come. Its reads are attributed to its client. */
  serve(request: ServerRequest): void
  /** The server is stopping: from now on no request is started. */
  refuse(): void
}

/** Opens the way to everything that a server responds to. */
export function openPipeline(deps: ServerDeps): Pipeline {
  const names = { namespaces: deps.namespaces, languages: LANGUAGES }
  const router = openRouter(targetsOf(deps), nowhere(deps), { ...names, options: deps.options })
  const stages = { deps, router, intake: new Intake(deps.options.bounds.bodyBytes), isRefusing: false }
  return {
    serve: (request) => onBehalfOf(request.requester, () => void run(stages, request)),
    refuse: () => {
      stages.isRefusing = true
    },
  }
}

interface Stages {
  readonly deps: ServerDeps
  readonly router: Router
  readonly intake: Intake
  readonly isRefusing: boolean
}

async function run(stages: Stages, request: ServerRequest): Promise<void> {
  const { deps } = stages
  const target = targetOf(stages, request)
  const form = target.failed === undefined ? {} : { failed: target.failed }
  try {
    time(deps, request, target)
    // Nothing was started, so this is not an error for the log.
    if (stages.isRefusing) return sendError(deps, request, { error: fail('rest_unavailable'), isLast: true, ...form })
    deps.unread?.requireRoom(request)
    const refusal = request.isWrite ? crossOriginRefusal(request, deps.options) : undefined
    const isChange = request.isWrite && refusal === undefined
    if (target.isUncounted?.(request) !== true) deps.limits?.admit(request, isChange)
    if (!request.hasSoundHost) throw fail('rest_bad_request')
    if (request.target.length > PARAMETER_LIMIT) boundQuery(request.target)
    if (refusal !== undefined) throw refusal
    if (request.headers[SEQ_HEADER] !== undefined) await deps.reach?.(Number(request.headers[SEQ_HEADER]))
    if (target.precheck !== undefined && (await target.precheck(request))) return
    const mayHaveBody = request.method !== 'GET' && request.method !== 'HEAD' && request.hasBody
    if (mayHaveBody) await takeBody(stages, request, target)
    await target.respond(request)
  } catch (error) {
    sendError(deps, request, { error, ...form })
  }
}

/** What responds to a request; one whose address cannot be read is refused after it was counted. */
function targetOf({ router }: Stages, request: ServerRequest): PathHandler {
  try {
    return router(request)
  } catch (error) {
    const refuse = (): Promise<never> => Promise.reject(error)
    return { name: 'none', bodyLimit: 0, precheck: refuse, respond: refuse }
  }
}

/** Reports the time until the response has been sent. */
function time({ timer }: ServerDeps, request: ServerRequest, { name: route }: PathHandler): void {
  if (timer === undefined) return
  const end = timer()
  const { response } = request
  response.once('finish', () => {
    end({ route, method: request.method, status: classOf(response.statusCode) })
  })
}

/** Reads the body, whose limit depends on the caller. */
async function takeBody(
  { deps, intake }: Stages,
  request: ServerRequest,
  { bodyLimit, anonymousBodyLimit = ANONYMOUS_BODY_LIMIT }: PathHandler,
): Promise<void> {
  const isKnown = (await callerOf(deps, request)).id > 0
  const limit = isKnown ? bodyLimit : Math.min(bodyLimit, anonymousBodyLimit)
  request.body = await intake.take({ request, limit, isKnown })
}

/** Finds what responds to a request, and reads its address on the way. */
type Router = (request: ServerRequest) => PathHandler

/** Longest path parameter, in characters. */
const PARAMETER_LENGTH = 2048

/**
 * A router for paths; `fallback` is the target of all others. Where the public address of the site has a path, it may stand
 * before theirs: pages link to it, and only a proxy takes it away. @throws Error for two targets of one path and method
 */
function openRouter(
  paths: readonly RoutedPath[],
  fallback: PathHandler,
  names: MountOptions & Pick<ServerDeps, 'options'>,
): Router {
  const table = openTable({
    maxParamLength: PARAMETER_LENGTH,
    querystringParser: readForm,
    // Both are recognized by the missing handler.
    onBadUrl: () => undefined,
    onMaxParamLength: () => undefined,
  })
  for (const { methods, path, target } of paths) table.on([...methods], path, () => undefined, target)
  const find = (request: ServerRequest, sent: string) => {
    const { url: target, mount } = readTarget(sent, names)
    const { url, language } = mount === undefined ? readPageTarget(target, names.languages) : { url: target, ...mount }
    request.mount = mount
    request.language = language
    if (request.method === 'POST') request.method = overridden(request, url)
    const found = table.find(request.method as HTTPMethod, url)
    if (found === null) request.query = queryIn(url)
    return found
  }
  const findBelow = (request: ServerRequest) => {
    const below = belowPath(request.target, names.options.baseUrl)
    return below === undefined ? null : find(request, below)
  }
  return (request) => {
    const found = find(request, request.target) ?? findBelow(request)
    if (found === null) return fallback
    if (found.store === null) throw fail('rest_bad_request')
    const handler = found.store as PathHandler
    request.query = found.searchParams as RawInput
    request.path = found.params as Readonly<Record<string, string>>
    return handler.isThere?.() === false ? fallback : handler
  }
}

const OVERRIDES = ['PUT', 'PATCH', 'DELETE', 'GET']

/** The method that a POST means: `_method` of the query string, X-HTTP-Method-Override, or POST (decisions). */
function overridden({ headers }: ServerRequest, url: string): string {
  const header = headers['x-http-method-override']
  const named = /[?&]_method=([A-Za-z]+)/.exec(url)?.[1] ?? (typeof header === 'string' ? header : '')
  const method = named.toUpperCase()
  return OVERRIDES.includes(method) ? method : 'POST'
}

function queryIn(url: string): RawInput {
  const cut = url.indexOf('?')
  return readForm(cut < 0 ? '' : url.slice(cut + 1))
}
