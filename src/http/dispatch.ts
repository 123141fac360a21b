import type { Caller } from '../auth/caller.ts'
import { forbidden } from '../auth/rights.ts'
import { fail } from '../errors.ts'
import { prepareLongHtml } from '../fields/html-thread.ts'
import { type FieldContext, REASONS } from '../fields/kind.ts'
import { translate } from '../i18n/translate.ts'
import type { PasswordTries } from '../limits/guesses.ts'
import type { Fragments } from './cache/fragments.ts'
import type { KeyedRequest } from './idempotency/keyed-request.ts'
import type { Mount } from './mount.ts'
import { missingFailure, missingFields, readFields, refusedFailure } from './params.ts'
import type { Sent } from './request/body.ts'
import type { Upload } from './request/upload.ts'
import type { Preconditions } from './route/preconditions.ts'
import { isStrict, unknownNames } from './route/unknown-names.ts'
import type { AnyRoute, Call, Refusal, Reply } from './route.ts'
import type { Urls } from './urls.ts'

/** A request taken apart: everything a route may look at, before any field is read. */
export interface Incoming {
  readonly caller: Caller
  readonly now: number
  readonly language: string
  readonly mount: Mount
  readonly urls: Urls
  /** What reading a value turns on. */
  readonly context: FieldContext
  readonly path: Readonly<Record<string, string>>
  readonly query: Sent
  readonly body: Sent
  /** The file that was sent, on routes that take one. */
  readonly upload?: Upload
  /** Finished texts, see `Call`. */
  readonly fragments?: Fragments
  /** See `Call`. */
  readonly tries?: PasswordTries
  /** See `Call`. */
  readonly keyed?: KeyedRequest
  /** What a write demands, see `Call`. */
  readonly preconditions?: Preconditions
}

const NO_SELECTORS: ReadonlySet<string> = new Set()
/** What names an item: on item routes these count in the path and in the body, never in the query string. */
const SELECTORS: ReadonlySet<string> = new Set(['id', 'slug'])

/** The call that a route sees, with no value read yet. */
export function callOf(route: AnyRoute, incoming: Incoming): Call {
  const { caller, now, context, language, mount, urls, path, query, body } = incoming
  const { upload, fragments, tries, preconditions, keyed } = incoming
  const own = route.pathFields.length === 0 ? NO_SELECTORS : SELECTORS
  const sent = (name: string): unknown => {
    if (Object.hasOwn(body, name) && body[name] !== undefined) return body[name]
    // The path wins: a query parameter never stands in for what the path names (decisions: Path wins).
    return Object.hasOwn(query, name) && !own.has(name) ? query[name] : undefined
  }
  return {
    caller,
    now,
    context,
    language,
    mount,
    urls,
    path,
    sent,
    values: {},
    ...(upload && { upload }),
    ...(fragments && { fragments }),
    ...(tries && { tries }),
    ...(preconditions && { preconditions }),
    ...(keyed && { keyed }),
  }
}

/** Runs the stages of a route in their order. @throws Failure of the first stage that fails */
export async function dispatch(route: AnyRoute, incoming: Incoming): Promise<Reply> {
  const call = callOf(route, incoming)
  const unknown = isStrict(call) ? unknownNames(route, incoming) : []
  const ready = unknown.length === 0 ? readyReply(route, call) : undefined
  if (ready !== undefined) return ready
  if (route.fillsDefaults) requirePresence(route, call)
  const found = await findTarget(route, call)
  const shown = 'item' in found ? await route.shown?.(call, found.item) : undefined
  const { sent } = call
  const context: FieldContext = { ...call.context, checkOnly: !route.open(call.caller) }
  if (route.method !== 'GET' && context.checkOnly !== true)
    await prepareLongHtml(incoming.body, 'item' in found ? found.item : undefined, context.iframeHosts ?? [])
  const { values, refusals } = readFields(route.fields, { sent, context, fillsDefaults: route.fillsDefaults, shown })
  const read: Call = { ...call, values }
  if ('refused' in found) refusals.unshift(found.refused)
  const item = 'item' in found ? found.item : undefined
  const loaded = 'item' in found ? await route.resolve?.(read, item, refusals) : undefined
  refusals.push(...unknown.map(unknownRefusal))
  if (refusals.length > 0) throw refused(route, call, refusals)
  requirePermission(route, read, { item, loaded })
  if (route.method !== 'GET' && route.pathFields.length > 0) call.preconditions?.requireIfMatch()
  return route.handle(read, item, loaded)
}

function readyReply(route: AnyRoute, call: Call): Reply | undefined {
  if (route.ready === undefined || route.fields.some((one) => call.sent(one.name) !== undefined)) return undefined
  return route.ready(call)
}

function requirePresence(route: AnyRoute, call: Call): void {
  const missing = missingFields(route.fields, call.sent)
  if (missing.length > 0) throw missingFailure(missing)
}

async function findTarget(route: AnyRoute, call: Call): Promise<{ item: unknown } | { refused: Refusal }> {
  return route.target === undefined ? { item: undefined } : route.target(call)
}

function refused(route: AnyRoute, call: Call, refusals: readonly Refusal[]): Error {
  const declared = [...route.pathFields, ...route.fields].map((one) => one.name)
  const order = [...declared, ...refusals.map((one) => one.name)]
  return refusedFailure(refusals, order, (reason) => translate(call.language, REASONS[reason]))
}

function unknownRefusal(name: string): Refusal {
  return { name, code: 'rest_invalid_param', reason: 'unknown_parameter' }
}

function requirePermission(route: AnyRoute, call: Call, state: { item: unknown; loaded: unknown }): void {
  const decision = route.open(call.caller) ? (route.permit?.(call, state.item, state.loaded) ?? true) : 'rest_forbidden'
  if (decision === true) return
  throw decision === 'rest_forbidden' ? forbidden(call.caller) : fail(decision as 'rest_no_route')
}
