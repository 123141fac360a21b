import { addToLocal, localFromMillis } from '../../base/time/zones.ts'
import {
  EVENT_FILTERS,
  type EventListValues,
  type EventQueries,
  type EventWithRelations,
  type ListedPage,
} from '../../calendar/events/index.ts'
import type { Caller } from '../../http/auth/rights.ts'
import { callOf } from '../../http/dispatch.ts'
import { PAGE_FIELDS, type Paging, pagingOf } from '../../http/paging.ts'
import { readFields, refusedFailure } from '../../http/params.ts'
import type { AnyRoute, Call, Freshness, Incoming, InvalidParam } from '../../http/route.ts'

/** Query parameters of a view: those of the list of events. */
const FIELDS = [...PAGE_FIELDS, ...EVENT_FILTERS] as const

/** Parameters that say which dates a list has; views that are made of dates say these themselves. */
const DATE_PARAMETERS: readonly string[] = [
  ...['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after', 'strict_dates'],
]

/** Parameters of a view that are passed on with its links: everything but the place in the list. */
const FILTER_NAMES: readonly string[] = EVENT_FILTERS.map(({ name }) => name).filter(
  (name) => name !== 'password' && name !== 'status' && !DATE_PARAMETERS.includes(name),
)

/** A question to the list of events, as a view asks it. */
export interface Question {
  readonly queries: EventQueries
  readonly incoming: Incoming
  /** Parameters that the view sets itself, whatever was sent. */
  readonly set: Readonly<Record<string, string>>
  /** Whether the dates that were sent count. */
  readonly keepsDates: boolean
  readonly perPageMax: number
  /** Whose eyes see the list: anyone's, because pages are the same for everybody, unless they show unpublished items. */
  readonly caller: Caller
}

/** What the list has to say. */
export interface FoundEvents {
  readonly ids: readonly number[]
  readonly total: number
  readonly paging: Paging
  readonly freshness: Freshness | undefined
  /** Events by their IDs, as everybody sees them. */
  events(ids: readonly number[]): Promise<readonly EventWithRelations[]>
}

/**
 * Asks the list of events what anyone would be answered: pages are the same for everybody. `window` takes a part of the
 * list that `page` and `per_page` do not name: which, or how that follows from its total and the size of a page, for which the
 * list is asked twice.
 * @throws rest_invalid_param, event-archive-page-not-found
 */
export async function ask(
  question: Question,
  window?: Paging | ((total: number, perPage: number) => Paging),
): Promise<FoundEvents> {
  const { queries, perPageMax } = question
  const call = await callFor(question)
  const refusals: InvalidParam[] = [...call.refusals]
  const resolved = await queries.resolveList(call.call, refusals)
  if (refusals.length > 0) throw refused(question.incoming.language, refusals)
  const paging = pagingOf(call.call.values, perPageMax)
  const first = typeof window === 'function' ? { page: 1, perPage: 1, offset: 0 } : (window ?? paging)
  const page = await queries.page(call.call, { resolved, paging: first })
  if (typeof window !== 'function') return foundOf(queries, call.call, { ...page, paging: first })
  const wanted = window(page.total, paging.perPage)
  if (wanted.perPage <= 0) return foundOf(queries, call.call, { ...page, ids: [], paging: wanted })
  const { ids } = await queries.page(call.call, { resolved, paging: wanted })
  return foundOf(queries, call.call, { ...page, ids, paging: wanted })
}

type ListCall = Call<EventListValues>

function foundOf(
  queries: EventQueries,
  call: ListCall,
  found: Omit<FoundEvents, 'events' | 'freshness'> & Pick<ListedPage, 'freshness'>,
): FoundEvents {
  const { ids, total, paging, freshness } = found
  return { ids, total, paging, freshness, events: (wanted) => queries.events(call, wanted) }
}

async function callFor({ incoming, set, keepsDates, caller }: Question) {
  const sent: Record<string, unknown> = {}
  for (const { name } of FIELDS) {
    const isLeft = name === 'status' || name === 'password' || (!keepsDates && DATE_PARAMETERS.includes(name))
    const value = incoming.query[name]
    // Fields of a form that were left empty ask for nothing.
    if (!isLeft && Object.hasOwn(incoming.query, name) && value !== '') sent[name] = value
  }
  Object.assign(sent, set)
  const plain: Incoming = { ...incoming, caller, path: {}, query: sent as Incoming['query'] }
  const call = callOf(NO_ROUTE, plain)
  const { values, refusals } = readFields(FIELDS, { sent: call.sent, context: incoming.context, fillsDefaults: true })
  return { call: { ...call, values } as ListCall, refusals }
}

/** Lists have no parameters in their path. */
const NO_ROUTE = { pathFields: [] } as unknown as AnyRoute

function refused(language: string, refusals: readonly InvalidParam[]): Error {
  return refusedFailure(
    refusals,
    FIELDS.map(({ name }) => name),
    language,
  )
}

/** Whether a request says itself which dates it wants. */
export function hasDates({ query }: Incoming): boolean {
  return DATE_PARAMETERS.some((name) => Object.hasOwn(query, name) && query[name] !== '' && name !== 'strict_dates')
}

/** The filters that a request sent, as they are repeated in links. */
export function sentFilters({ query }: Incoming): [string, string][] {
  return [...FILTER_NAMES, 'embed'].flatMap((name): [string, string][] => {
    const value = Object.hasOwn(query, name) ? query[name] : undefined
    if (Array.isArray(value)) return [[name, value.filter((one) => typeof one === 'string').join(',')]]
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
}

const ORDER = [...FILTER_NAMES, 'embed', ...DATE_PARAMETERS]

/** Parameters in the order that links give them, so that the same events have one address in whatever order they were narrowed. */
export function inOrder(parameters: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  const placeOf = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)
  return parameters.toSorted(([one], [other]) => placeOf(one) - placeOf(other))
}

/** The dates that a request sent for a list, as they are repeated in links to the same dates. */
export function sentDates({ query }: Incoming): [string, string][] {
  return DATE_PARAMETERS.flatMap((name): [string, string][] => {
    const value = Object.hasOwn(query, name) ? query[name] : undefined
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
}

/** Everything that has not ended by the minute that has started: a page may be shown again until the next one. */
export function upcoming(zone: string, now: number): { readonly set: Record<string, string>; readonly until: number } {
  const minute = Math.floor(now / 60_000) * 60_000
  // What ends with the minute is over.
  const local = localFromMillis(minute, zone)
  return { set: { ends_after: local, strict_dates: 'true' }, until: minute + 60_000 }
}

/** Everything that has ended. */
export function past(zone: string, now: number): { readonly set: Record<string, string>; readonly until: number } {
  const { set, until } = upcoming(zone, now)
  const local = addToLocal(set['ends_after'] ?? '', { seconds: 1 })
  return { set: { ends_before: local, strict_dates: 'true' }, until }
}

/** The number of events on a page, if a request sent one, as it is repeated in links to other pages of the list. */
export function sentSize({ query }: Incoming, { perPage }: Pick<Paging, 'perPage'>): [string, string][] {
  return (query['per_page'] ?? '') === '' ? [] : [['per_page', String(perPage)]]
}

/** How long a page lasts that shows more than a list says, and until a moment at the latest. */
export function freshUntil(
  found: Freshness | undefined,
  dependencies: Freshness['dependencies'],
  until: number,
): Freshness | undefined {
  if (found === undefined) return undefined
  return {
    dependencies: [...found.dependencies, ...dependencies],
    until: Math.min(until, found.until ?? Number.POSITIVE_INFINITY),
  }
}
