import { Failure, fail } from '../../base/errors.ts'
import { NAMESPACE } from '../../http/address.ts'
import { stretchAhead, withStretched } from '../../http/auth/entry-password.ts'
import { mayCreateEntries } from '../../http/auth/rights.ts'
import { callOf, dispatch, prepare } from '../../http/dispatch.ts'
import { EarlierResponse } from '../../http/idempotency/keyed-request.ts'
import { innerResponse } from '../../http/inner-request.ts'
import { ignoredHeader, isStrict, unknownNames } from '../../http/params.ts'
import { bytesOf, errorReply, renderReply } from '../../http/response/http-response.ts'
import { validated } from '../../http/response/representation.ts'
import { preconditionsOf } from '../../http/route/preconditions.ts'
import type { AnyRoute, Call, Reply } from '../../http/route.ts'
import { prepareLongHtml } from '../../model/kinds/html-thread.ts'
import type { Storage } from '../../storage/engine.ts'
import { insideTransaction } from '../../storage/reads.ts'
import { respondToWrite } from '../shared/respond-to-write.ts'
import { BatchBounds, requireFewRows } from './bounds.ts'
import { passwordsIn } from './passwords.ts'
import { resolveBody, resolvePath } from './references.ts'
import type { BatchRequest } from './requests.ts'
import { type BatchTargets, routeOf } from './routes-of-paths.ts'

/** What batches need. */
export interface BatchDeps extends BatchTargets {
  readonly storage: Storage
  /** Whether updates and deletions of items have to send `If-Match`, which may change. */
  readonly settings: { readonly requireIfMatch: boolean }
  /** Salt of the passwords of events, see `entryPasswordSalt`. */
  readonly passwordSalt: Buffer
  /** Unix milliseconds. */
  now(): number
}

/** The response to one request of a batch. */
export interface BatchResponse {
  readonly id?: string
  readonly status: number
  /** Those about the item (ETag, Last-Modified, Location), and X-Kalends-Ignored. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Thrown to undo an atomic batch. */
class BatchFailure extends Error {
  readonly index: number
  readonly response: BatchResponse

  constructor(index: number, response: BatchResponse) {
    super('a request of the batch failed')
    this.index = index
    this.response = response
  }
}

/** Runs the requests in one transaction, so that all or none of them are done. */
export async function runAtomic(
  deps: BatchDeps,
  call: Call<unknown>,
  requests: readonly BatchRequest[],
): Promise<Reply> {
  // What may take long is done first: the transaction waits for nothing else.
  for (const { body } of requests) await prepareLongHtml(body, undefined, call.context.iframeHosts ?? [])
  const setting = { salt: deps.passwordSalt, maySet: mayCreateEntries(call.caller.role) }
  const passwords = await stretchAhead(passwordsIn(requests), setting)
  const charged = await chargeRows(deps, call, requests)
  const run = () => runAll(deps, { ...call, keyed: undefined, isBatched: true }, { requests, charged })
  try {
    return await respondToWrite(deps.storage, call, {
      write: (tx) => insideTransaction(tx, () => withStretched(passwords, run)),
      respond: async (_reader, responses) => ({ status: 200, body: { responses } }),
    })
  } catch (error) {
    if (error instanceof BatchFailure) return failedReply(call, requests, error)
    throw error
  }
}

async function runAll(
  deps: BatchDeps,
  call: Call<unknown>,
  { requests, charged }: { readonly requests: readonly BatchRequest[]; readonly charged: number },
): Promise<BatchResponse[]> {
  const responses: BatchResponse[] = []
  const bodies = new Map<string, unknown>()
  const bounds = new BatchBounds({ now: deps.now, isAtomic: true, spend: call.spend, charged })
  for (const [index, request] of requests.entries()) {
    const response = await runOne(deps, call, { request, bodies, bounds })
    if (response.status >= 400) throw new BatchFailure(index, response)
    responses.push(response)
    if (request.id !== undefined) bodies.set(request.id, response.body)
  }
  return responses
}

/**
 * Charges the client for the rows that a batch changes beyond one for each request, before it starts; those of requests
 * that refer to others show only when their turn comes. Returns their number. @throws batch_too_much, rest_too_many_requests
 */
async function chargeRows(deps: BatchDeps, call: Call<unknown>, requests: readonly BatchRequest[]): Promise<number> {
  const bounds = new BatchBounds({ now: deps.now, isAtomic: false, spend: undefined, charged: 0 })
  let rows = 0
  for (const request of requests) {
    rows += (await rowsOf(deps, { ...call, isBatched: true }, { request, bodies: new Map(), bounds })) - 1
    requireFewRows(rows)
  }
  if (rows > 0) call.spend?.(rows)
  return rows
}

/** How many rows a request will change; 1 for one that will be refused. */
async function rowsOf(deps: BatchDeps, call: Call<unknown>, part: BatchPart): Promise<number> {
  try {
    const { route, call: own } = partOf(deps, call, part)
    const isPlainCreate = route.pathFields.length === 0 && own.sent['recurrence'] === undefined
    return route.rows === undefined || isPlainCreate ? 1 : (await prepare(route, own)).rows
  } catch (error) {
    if (error instanceof Failure) return 1
    throw error
  }
}

/** Names the request that failed, with its response. */
function failedReply(
  { language }: Call<unknown>,
  requests: readonly BatchRequest[],
  { index, response }: BatchFailure,
): Reply {
  const name = requests[index]?.id ?? String(index)
  const reply = errorReply(fail('batch_failed', { request: name }), language)
  const body = reply.body as { readonly data: object }
  const failed = { index, ...response }
  return {
    ...reply,
    body: { ...body, data: { ...body.data, failed } },
  }
}

/** Runs the requests one after the other, each for itself: what fails leaves the others alone. */
export async function runEach(deps: BatchDeps, call: Call<unknown>, requests: readonly BatchRequest[]): Promise<Reply> {
  const responses: BatchResponse[] = []
  const bodies = new Map<string, unknown>()
  const charged = await chargeRows(deps, call, requests)
  const bounds = new BatchBounds({ now: deps.now, isAtomic: false, spend: call.spend, charged })
  for (const [index, request] of requests.entries()) {
    // A retry after a crash repeats the responses of those that were done.
    const keyed = call.keyed && { ...call.keyed, id: `${call.keyed.id}.${index}` }
    const response = await runOne(deps, { ...call, keyed }, { request, bodies, bounds })
    responses.push(response)
    if (request.id !== undefined && response.status < 400) bodies.set(request.id, response.body)
  }
  return { status: 200, body: { responses } }
}

/** A request with what came before it. */
interface BatchPart {
  readonly request: BatchRequest
  readonly bodies: ReadonlyMap<string, unknown>
  readonly bounds: BatchBounds
}

async function runOne(deps: BatchDeps, call: Call<unknown>, part: BatchPart): Promise<BatchResponse> {
  const { request, bounds } = part
  const named = request.id === undefined ? {} : { id: request.id }
  try {
    bounds.requireRoom()
    const { route, call: own } = partOf(deps, call, part)
    const names = unknownNames(route, own)
    // The batch may be strict about all of its requests, or a request about itself.
    const refused = names.length > 0 && (isStrict(own) || isStrict(call)) ? names : []
    const { headers, ...response } = rendered(own, await dispatch(route, own, refused), { route, bounds })
    return { ...named, ...response, headers: { ...headers, ...ignoredHeader(names) } }
  } catch (error) {
    if (error instanceof EarlierResponse) return { ...named, ...repeated(error, bounds) }
    if (!(error instanceof Failure) || (call.isBatched === true && error.status >= 500)) throw error
    return { ...named, headers: {}, ...onlyBody(errorReply(error, call.language)) }
  }
}

/** The call of one request; everything but its address, body and preconditions is that of the batch. */
function partOf(
  deps: BatchDeps,
  call: Call<unknown>,
  { request, ...earlier }: BatchPart,
): { readonly route: AnyRoute; readonly call: Call } {
  const { method, headers } = request
  const target = resolvePath(request.path, earlier)
  const { route, path, query } = routeOf(deps, { method, target })
  const body = method === 'GET' ? {} : (resolveBody(request.body, earlier) as Readonly<Record<string, unknown>>)
  const urls = { ...call.urls, api: (below: string) => call.urls.root(`/${NAMESPACE}${below}`) }
  const spend = (rows: number): void => earlier.bounds.write(rows)
  const incoming = { ...call, urls, path, query, body, spend, mount: { ...call.mount, namespace: NAMESPACE } }
  const { keyed, preconditions: _, ...others } = incoming
  if (method === 'GET') return { route, call: callOf(route, others) }
  const preconditions = preconditionsOf(headers, deps.settings.requireIfMatch)
  return { route, call: callOf(route, { ...others, keyed, preconditions }) }
}

const TOLD = ['etag', 'last-modified', 'location']

function rendered(
  call: Call,
  reply: Reply,
  { route, bounds }: { readonly route: AnyRoute; readonly bounds: BatchBounds },
): Omit<BatchResponse, 'id'> {
  const response = validated(renderReply(call, reply), { reply, method: route.method })
  bounds.answer(bytesOf(response.body).length)
  const { headers, ...inner } = innerResponse(response)
  return { ...inner, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => TOLD.includes(name))) }
}

function repeated({ earlier }: EarlierResponse, bounds: BatchBounds): Omit<BatchResponse, 'id'> {
  const { status, body } = earlier.response
  bounds.answer(body.length)
  return { status, headers: {}, body: JSON.parse(body) }
}

function onlyBody({ status, body }: Reply): Pick<BatchResponse, 'status' | 'body'> {
  return { status, body }
}
