import { fail } from '../errors.ts'
import { onBehalfOf } from '../requester.ts'
import { classOf } from './answer.ts'
import { boundQuery } from './request/body-bounds.ts'
import { freeBytes } from './request/body-memory.ts'
import { refuseCrossOrigin } from './request/cross-origin.ts'
import { handOver, isWrite } from './request/hand-over.ts'
import { requireHost } from './request/head.ts'
import type { Intake } from './request/intake.ts'
import { hasBody } from './request/request-gate.ts'
import { SEQ_HEADER } from './request/seq-header.ts'
import type { ServerRequest } from './request/server-request.ts'
import { takeBody } from './request/take-body.ts'
import { sendError } from './response/respond.ts'
import type { Router, Target } from './route/router.ts'
import type { ServerParts } from './server-parts.ts'

/** What requests go through. */
export interface Pipeline {
  readonly parts: ServerParts
  readonly router: Router
  readonly intake: Intake
  /** Whether the server is stopping: then nothing is begun. */
  isRefusing(): boolean
}

/** Responds to a request that the gate has let in and whose turn has come. Reads on its way count for its client. */
export function serve(pipeline: Pipeline, request: ServerRequest): void {
  onBehalfOf(request.requester, () => void run(pipeline, request))
}

async function run(pipeline: Pipeline, request: ServerRequest): Promise<void> {
  const { parts, router, isRefusing } = pipeline
  try {
    const target = router(request)
    time(parts, request, target)
    // Nothing of the request was begun, which is no fault that a log tells of.
    if (isRefusing()) return sendError(parts, request, { error: fail('rest_unavailable'), isLast: true })
    const counting = target.isUncounted === true ? undefined : parts.limits?.admit(request)
    if (counting !== undefined) await counting
    requireHost(request)
    boundQuery(request.target)
    refuseCrossOrigin(request, parts.options)
    if (request.headers[SEQ_HEADER] !== undefined) await parts.reach?.(Number(request.headers[SEQ_HEADER]))
    if (isWrittenElsewhere(parts, request) && (await isHandedOver(parts, request))) return
    if ((await target.precheck?.(request)) === true) return
    if (mayHaveBody(request) && !(await hasTakenBody(pipeline, request, target))) return
    await target.respond(request)
  } catch (error) {
    sendError(parts, request, { error })
  }
  if (request.body !== undefined) freeBytes(request.body)
}

/** Tells of the time until the response has been sent. */
function time({ timer }: ServerParts, request: ServerRequest, { name: route }: Target): void {
  if (timer === undefined) return
  const end = timer()
  const { response } = request
  response.once('finish', () => {
    if (!request.isElsewhere) end({ route, method: request.method, status: classOf(response.statusCode) })
  })
}

function isWrittenElsewhere({ writing }: ServerParts, { sentMethod }: ServerRequest): boolean {
  return writing?.isMine() === false && isWrite(sentMethod)
}

/** Whether another process has responded; false when this one has become the one that writes. */
async function isHandedOver({ writing, limits }: ServerParts, request: ServerRequest): Promise<boolean> {
  if (writing === undefined) return false
  const answering = (): Readonly<Record<string, string>> => {
    request.isElsewhere = true
    return limits?.fieldsOf(request) ?? {}
  }
  return handOver({ request, answering }, writing)
}

function mayHaveBody(request: ServerRequest): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD' && hasBody(request)
}

/** Takes in the body; where it is refused that is the response, and the connection ends, because the rest is not read. */
async function hasTakenBody(
  { parts, intake }: Pipeline,
  request: ServerRequest,
  { bodyLimit }: Target,
): Promise<boolean> {
  try {
    request.body = await takeBody({ authenticate: parts.authenticate, intake }, request, bodyLimit)
    return true
  } catch (error) {
    sendError(parts, request, { error, isLast: true })
    return false
  }
}
