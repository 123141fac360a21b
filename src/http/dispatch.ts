import { fail } from '../base/errors.ts'
import { prepareLongHtml } from '../model/kinds/html-thread.ts'
import type { FieldContext } from '../model/kinds/kind.ts'
import { forbidden, requireScope } from './auth/rights.ts'
import { missingFailure, missingFields, readFields, refusedFailure, reportedNames } from './params.ts'
import type { AnyRoute, Call, Incoming, InvalidParam, Reply } from './route.ts'

/** The call that a route sees, with no value read yet. */
export function callOf(route: AnyRoute, incoming: Incoming): Call {
  const { query, body } = incoming
  const sent = { ...query }
  // The path wins: what names an item counts in the path and in the body, never in the query string (decisions: Path wins).
  if (route.pathFields.length > 0) for (const name of SELECTORS) delete sent[name]
  for (const name in body) if (body[name] !== undefined) sent[name] = body[name]
  return { ...incoming, sent, values: {} }
}

const SELECTORS = ['id', 'slug']

/** What a route without `target` has found. */
const NO_TARGET = { item: undefined }

/**
 * Runs the stages of a route in their order; `unknown` are names that are refused because they mean nothing.
 * @throws Failure of the first stage that fails
 */
export async function dispatch(route: AnyRoute, call: Call, unknown: readonly string[] = []): Promise<Reply> {
  requireScope(call.caller, route.scope ?? 'admin')
  const ready = unknown.length === 0 ? readyReply(route, call) : undefined
  if (ready !== undefined) return ready
  const { read, item, loaded, rows } = await prepare(route, call, unknown)
  if (rows > 1) call.spend?.(rows - 1)
  return route.handle(read, item, loaded)
}

/** A call whose stages have found nothing wrong. */
export interface Prepared {
  readonly read: Call
  readonly item: unknown
  readonly loaded: unknown
  /** How many rows it changes, see `Route.rows`. */
  readonly rows: number
}

/** Runs all stages but the last, which is the only one that changes anything. @throws Failure of the first that fails */
export async function prepare(route: AnyRoute, call: Call, unknown: readonly string[] = []): Promise<Prepared> {
  if (route.fillsDefaults) requirePresence(route, call)
  const found = (await route.target?.(call)) ?? NO_TARGET
  const shown = 'item' in found ? await route.shown?.(call, found.item) : undefined
  const { sent } = call
  const isOpen = route.open(call.caller.role)
  const context: FieldContext = { ...call.context, checkOnly: !isOpen }
  if (route.method !== 'GET' && context.checkOnly !== true && call.isBatched !== true)
    await prepareLongHtml(call.body, 'item' in found ? found.item : undefined, context.iframeHosts ?? [])
  const { values, refusals } = readFields(route.fields, { sent, context, fillsDefaults: route.fillsDefaults, shown })
  const read: Call = { ...call, values }
  if ('refused' in found) refusals.unshift(found.refused)
  const item = 'item' in found ? found.item : undefined
  const loaded = 'item' in found ? await route.resolve?.(read, item, refusals) : undefined
  // Members from imports may be sent back with the rest.
  refusals.push(
    ...reportedNames(unknown.filter((name) => shown === undefined || !Object.hasOwn(shown, name))).map(unknownRefusal),
  )
  if (refusals.length > 0) throw refused(route, call, refusals)
  const decision = isOpen ? (route.permit?.(read, item, loaded) ?? true) : 'rest_forbidden'
  if (decision !== true)
    throw decision === 'rest_forbidden' ? forbidden(call.caller) : fail(decision as 'rest_no_route')
  if (route.method !== 'GET' && route.pathFields.length > 0) call.preconditions?.requireIfMatch()
  return { read, item, loaded, rows: (await route.rows?.(read, item, loaded)) ?? 1 }
}

function readyReply(route: AnyRoute, call: Call): Reply | undefined {
  if (route.ready === undefined || route.fields.some((one) => call.sent[one.name] !== undefined)) return undefined
  return route.ready(call)
}

function requirePresence(route: AnyRoute, call: Call): void {
  const missing = missingFields(route.fields, call.sent)
  if (missing.length > 0) throw missingFailure(missing)
}

function refused(route: AnyRoute, call: Call, refusals: readonly InvalidParam[]): Error {
  const declared = [...route.pathFields, ...route.fields].map((one) => one.name)
  const order = [...declared, ...refusals.map((one) => one.name)]
  return refusedFailure(refusals, order, call.language)
}

function unknownRefusal(name: string): InvalidParam {
  return { name, code: 'rest_invalid_param', reason: 'unknown_parameter' }
}
