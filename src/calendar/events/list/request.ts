import type { Dependency } from '../../../http/cache/versions.ts'
import { type Listing, listReply, type Paging, pagingOf } from '../../../http/paging.ts'
import type { ResourceDeclaration } from '../../../http/resource.ts'
import { isPlain } from '../../../http/response/http-response.ts'
import type { Call, Freshness, InvalidParam, Reply } from '../../../http/route.ts'
import type { Reader } from '../../../storage/engine.ts'
import { inLinkOrder, linkParameters, resolveFilters } from '../../shared/filters.ts'
import { orderOf, statusLink, visibilityOf } from '../../shared/listing.ts'
import type { Lookups } from '../show/load.ts'
import { listItems, listTexts, spokenHeaders } from '../show/texts.ts'
import {
  boundsOf,
  type DateContext,
  type Dates,
  datesHoldUntil,
  effectiveDates,
  linkedDates,
  unshownDates,
} from './dates.ts'
import {
  ALL_EVENT_FILTERS,
  EVENT_FILTERS,
  type EVENT_LIST_FIELDS,
  type EventListing,
  type EventListValues,
  type EventQuery,
} from './filters.ts'
import { planOf, readPage } from './plan.ts'

/** What listing needs. */
export interface ListDeps extends DateContext {
  readonly reader: Reader
  readonly lookups: Lookups
}

/** A list request with every name resolved. */
export interface ResolvedList {
  readonly query: EventQuery
  /** Effective dates as the links carry them. */
  readonly dates: Dates
}

/** Resolves dates, terms and IDs of a list request, and refuses what names nothing. */
export async function resolveEventList(
  deps: ListDeps,
  { caller, values, now }: Call<EventListValues>,
  refusals: InvalidParam[],
): Promise<ResolvedList> {
  const { reader, lookups } = deps
  for (const name of unshownDates(values, deps.site))
    refusals.push({ name, code: 'rest_invalid_param', reason: 'bad_date' })
  const dates = effectiveDates(values, { ...deps, now })
  const bounds = boundsOf(dates, values)
  const wanted = await resolveFilters(ALL_EVENT_FILTERS, values, { reader, lookups, caller, values, refusals })
  return { query: { ...wanted, bounds }, dates }
}

/** One page of a list request: its events, and what its response says in whichever form it is given. */
export interface ListedPage extends Pick<Listing, 'total' | 'filters' | 'pastEnd' | 'secret' | 'freshness'> {
  /** IDs of the events in their order. */
  readonly ids: readonly number[]
}

/** Finds the events of one page of a list. */
export async function listedPage(
  deps: ListDeps,
  call: Call<EventListValues>,
  { resolved, paging }: { readonly resolved: ResolvedList; readonly paging: Paging },
): Promise<ListedPage> {
  const listing: EventListing = { ...wholeListing(call, resolved), limit: paging.perPage, offset: paging.offset }
  const plan = planOf(listing)
  return {
    ...(await readPage(deps.reader, listing, plan)),
    filters: linkFilters(call, resolved),
    pastEnd: 'event-archive-page-not-found',
    secret: call.values.password !== undefined,
    freshness: freshnessOf(deps, call, { dates: resolved.dates, scope: plan.scope }),
  }
}

/** The list on all its pages, and its order. */
export function wholeListing(
  { caller, values, listsHidden }: Call<EventListValues>,
  { query }: ResolvedList,
): Omit<EventListing, 'limit' | 'offset'> {
  const order = orderOf(values, 'start')
  const visibility = { ...visibilityOf(caller, values.status), ...(listsHidden && { withHidden: true as const }) }
  return { query: withFirst(query, visibility), visibility, order }
}

/** The query with the list whose first date of each series is shown. */
function withFirst(query: EventQuery, visibility: EventListing['visibility']): EventQuery {
  if (query.hide_subsequent_recurrences === undefined) return query
  const { bounds, hide_subsequent_recurrences: _, ...filters } = query
  return { ...query, hide_subsequent_recurrences: { listing: { filters, bounds, visibility } } }
}

/** How long the membership of a list is fresh. `freshnessWith` adds what the response shows of the events. */
function freshnessOf(
  dateParts: DateContext,
  call: Call<EventListValues>,
  { dates, scope }: { readonly dates: Dates; readonly scope: () => readonly Dependency[] | undefined },
): Freshness | undefined {
  if (call.values.password !== undefined) return undefined
  const values: Readonly<Record<string, unknown>> = call.values
  const others = UNSCOPED.filter(({ name }) => values[name] !== undefined)
  const until = datesHoldUntil(dateParts, call, { dates, others })
  const parts = until === undefined ? undefined : scope()
  if (until === undefined || parts === undefined) return undefined
  return { dependencies: parts, ...(until < Number.POSITIVE_INFINITY && { until }) }
}

/** Filters without a scope: what they match may depend on the time. */
const UNSCOPED = EVENT_FILTERS.filter((filter) => 'where' in filter && !('scope' in filter))

/** How long a list is fresh, with everything that it shows of its events. */
export function freshnessWith(freshness: Freshness | undefined, used: readonly Dependency[]): Freshness | undefined {
  return freshness && { ...freshness, dependencies: [...freshness.dependencies, ...used] }
}

/** The stages of the list of events (interface: Events). */
export function eventListing(deps: ListDeps): ListStages {
  return {
    resolveList: (call, _item, refusals) => resolveEventList(deps, call, refusals),
    list: (call, _item, resolved) => listEvents(deps, call, resolved),
  }
}

type ListStages = Pick<
  ResourceDeclaration<typeof EVENT_LIST_FIELDS, [], [], unknown, unknown, ResolvedList>,
  'resolveList' | 'list'
>

async function listEvents(deps: ListDeps, call: Call<EventListValues>, resolved: ResolvedList): Promise<Reply> {
  const { values, caller, urls, fragments, tries } = call
  const { reader, site, lookups } = deps
  const address = urls.api('/events/')
  const paging = pagingOf(values, site.perPageMax)
  const { ids, freshness, ...page } = await listedPage(deps, call, { resolved, paging })
  const viewer = { caller, urls, site, tries, language: call.language }
  const listed = { reader, lookups, viewer, password: values.password }
  const { dependencies: used, ...shown } = await (isPlain(call)
    ? listTexts({ ...listed, fragments, address }, ids)
    : listItems(listed, ids))
  const headers = spokenHeaders('texts' in shown ? shown.texts : shown.items)
  const list = { address, member: 'events', paging, freshness: freshnessWith(freshness, used) }
  const reply = listReply({ ...list, ...page, ...shown })
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

/** The filters in the order in which links repeat them; never the password. */
const LINKED = inLinkOrder(EVENT_FILTERS)

/** The filters in effect, as links repeat them. */
function linkFilters(call: Call<EventListValues>, { dates }: ResolvedList): [string, string][] {
  const { caller, values, sent } = call
  const status = statusLink(caller, values.status)
  return linkParameters(LINKED, { ...values, ...linkedDates(dates, call), status }, sent)
}
