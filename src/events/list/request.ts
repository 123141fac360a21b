import { inLinkOrder, linkParameters, resolveFilters } from '../../entries/filters.ts'
import { statusLink, visibilityOf } from '../../entries/listing.ts'
import { isPlain } from '../../http/answer.ts'
import type { Part } from '../../http/cache/versions.ts'
import { type Listing, listReply, type Paging, pagingOf } from '../../http/pages.ts'
import type { Call, Lasting, Refusal, Reply } from '../../http/route.ts'
import type { Reader } from '../../storage/engine.ts'
import type { Lookups } from '../show/load.ts'
import { listItems, listTexts } from '../show/texts.ts'
import {
  boundsOf,
  DATE_FILTERS,
  type DateParts,
  type Dates,
  datesHoldUntil,
  effectiveDates,
  unshownDates,
} from './dates.ts'
import { EVENT_FILTERS, type EventListing, type EventListValues, type EventQuery } from './filters.ts'
import { planOf, readPage } from './plan.ts'

/** What listing needs. */
export interface ListParts extends DateParts {
  readonly reader: Reader
  readonly lookups: Lookups
}

/** A list request with every name resolved. */
export interface ResolvedList {
  readonly query: EventQuery
  /** Effective dates as the links carry them. */
  readonly dates: Dates
}

/** Resolves dates, terms and ids of a list request, and refuses what names nothing. */
export async function resolveEventList(
  parts: ListParts,
  { caller, values, now }: Call<EventListValues>,
  refusals: Refusal[],
): Promise<ResolvedList> {
  const { reader, lookups } = parts
  for (const name of unshownDates(values, parts.site))
    refusals.push({ name, code: 'rest_invalid_param', reason: 'bad_date' })
  const dates = effectiveDates(values, { ...parts, now })
  const wanted = await resolveFilters(EVENT_FILTERS, values, { reader, lookups, caller, values, refusals })
  return { query: { ...wanted, bounds: boundsOf(dates, values.strict_dates === true) }, dates }
}

/** One page of a list request: its events, and what its response says in whichever form it is given. */
export interface ListedPage extends Pick<Listing, 'total' | 'filters' | 'pastEnd' | 'secret' | 'lasting'> {
  /** Ids of the events in their order. */
  readonly ids: readonly number[]
}

/** Finds the events of one page of a list. */
export async function listedPage(
  parts: ListParts,
  call: Call<EventListValues>,
  { resolved, paging }: { readonly resolved: ResolvedList; readonly paging: Paging },
): Promise<ListedPage> {
  const listing: EventListing = {
    query: resolved.query,
    visibility: visibilityOf(call.caller, call.values.status),
    limit: paging.perPage,
    offset: paging.offset,
  }
  const plan = planOf(parts.reader.engine, listing)
  return {
    ...(await readPage(parts.reader, listing, plan)),
    filters: linkFilters(call, resolved),
    pastEnd: 'event-archive-page-not-found',
    secret: call.values.password !== undefined,
    lasting: lastingOf(parts, call, { dates: resolved.dates, scope: plan.scope }),
  }
}

/** How long it lasts which events a list has. What the response says of the events comes on top, see `lastingWith`. */
function lastingOf(
  dateParts: DateParts,
  call: Call<EventListValues>,
  { dates, scope }: { readonly dates: Dates; readonly scope: () => readonly Part[] | undefined },
): Lasting | undefined {
  if (call.values.password !== undefined) return undefined
  const values: Readonly<Record<string, unknown>> = call.values
  const others = UNSCOPED.filter(({ name }) => values[name] !== undefined)
  const until = datesHoldUntil(dateParts, call, { dates, others })
  const parts = until === undefined ? undefined : scope()
  if (until === undefined || parts === undefined) return undefined
  return { parts, ...(until < Number.POSITIVE_INFINITY && { until }) }
}

/** Filters that do not say what decides which events they mean: it may be the time. */
const UNSCOPED = EVENT_FILTERS.filter((filter) => 'where' in filter && !('scope' in filter))

/** How long a list lasts with everything that it says of its events. */
export function lastingWith(lasting: Lasting | undefined, used: readonly Part[]): Lasting | undefined {
  return lasting && { ...lasting, parts: [...lasting.parts, ...used] }
}

/** Answers a list of events (interface: Events). */
export async function listEvents(
  parts: ListParts,
  call: Call<EventListValues>,
  resolved: ResolvedList,
): Promise<Reply> {
  const { values, caller, urls, fragments, tries } = call
  const { reader, site, lookups } = parts
  const paging = pagingOf(values, site.perPageMax)
  const { ids, lasting, ...page } = await listedPage(parts, call, { resolved, paging })
  const viewer = { caller, urls, site, tries }
  const listed = { reader, lookups, viewer, password: values.password }
  const { parts: used, ...shown } = await (isPlain(call)
    ? listTexts({ ...listed, fragments }, ids)
    : listItems(listed, ids))
  const list = { path: '/events', member: 'events', paging, lasting: lastingWith(lasting, used) }
  return listReply(call, { ...list, ...page, ...shown })
}

/** The filters in the order of the wire, then those that it leaves out of its links; never the password. */
const LINKED = inLinkOrder(EVENT_FILTERS)

/** Effective filters in their order. */
function linkFilters({ caller, values, sent }: Call<EventListValues>, { dates }: ResolvedList): [string, string][] {
  const moments = Object.fromEntries(DATE_FILTERS.map(({ name }) => [name, dates[name]]))
  return linkParameters(LINKED, { ...values, ...moments, status: statusLink(caller, values.status) }, sent)
}
