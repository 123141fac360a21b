import type { Caller } from '../../auth/caller.ts'
import { mayRead } from '../../auth/rights.ts'
import { checkCentre, circleOf, DISTANCE_FILTERS } from '../../entries/filters-distance.ts'
import { checkSearch } from '../../entries/filters-search.ts'
import type { LinkedLookup } from '../../entries/linked/lookup.ts'
import { checkStatus, editableBy, statusLink, visibilityOf } from '../../entries/listing.ts'
import { findEvent } from '../../event-store/rows.ts'
import { isPlain } from '../../http/answer.ts'
import { type Listing, listReply, type Paging, pagingOf } from '../../http/pages.ts'
import type { Call, Refusal, Reply } from '../../http/route.ts'
import type { Reader } from '../../storage/engine.ts'
import type { EntryColumns } from '../../storage/schema.ts'
import type { TermLookup } from '../../terms/index.ts'
import { parseSearch } from '../../text/search.ts'
import type { Lookups } from '../show/load.ts'
import { listItems, listTexts } from '../show/texts.ts'
import { DATE_FILTERS, type DateFilter, type EventListValues, type EventQuery, type EventSearch } from './filters.ts'
import type { EventListing } from './store.ts'
import { pageOfEvents } from './store-pages.ts'
import {
  boundsOf,
  effectiveDates,
  lastingOf,
  lastingWith,
  type ResolvedList,
  unshownDates,
  type WindowParts,
} from './window.ts'

/** What listing needs. */
export interface ListParts extends WindowParts {
  readonly reader: Reader
  readonly lookups: Lookups
}

/** Resolves dates, terms and ids of a list request, and refuses what names nothing. */
export async function resolveEventList(
  parts: ListParts,
  call: Call<EventListValues>,
  refusals: Refusal[],
): Promise<ResolvedList> {
  const { caller, values } = call
  const { lookups, reader, site } = parts
  const refuse = (name: string, reason: Refusal['reason']): void =>
    void refusals.push({ name, code: 'rest_invalid_param', reason })
  checkStatus(call.caller, values.status, refusals)
  checkCentre(values, refusals)
  for (const name of unshownDates(values, site)) refuse(name, 'bad_date')
  // Nothing is waited for that was not asked for.
  const ask = (name: 'categories' | 'tags', refs: readonly string[]): TermQuestion => ({
    reader,
    refs,
    refuse: () => refuse(name, 'bad_term'),
  })
  const categories = values.categories && (await resolveTerms(lookups.category, ask('categories', values.categories)))
  const tags = values.tags && (await resolveTerms(lookups.tag, ask('tags', values.tags)))
  if (values.venue && !(await areKnown(lookups.venue, { reader, caller, ids: values.venue })))
    refuse('venue', 'unknown_id')
  if (values.organizer && !(await areKnown(lookups.organizer, { reader, caller, ids: values.organizer })))
    refuse('organizer', 'unknown_id')
  if (values.post_parent !== undefined && !(await isReadable(parts, call, values.post_parent)))
    refuse('post_parent', 'unknown_id')
  const dates = effectiveDates(values, { ...parts, now: call.now })
  const plain = plainQuery(call)
  // Of what `include` names, few texts are read.
  if (plain.include === undefined) await checkSearch(reader, { table: 'occurrence', search: plain.search }, refusals)
  return {
    query: { ...plain, categories, tags, bounds: boundsOf(dates, values.strict_dates === true) },
    dates,
  }
}

/** The parts of the query that are the sent values themselves. */
function plainQuery({ caller, values }: Call<EventListValues>): Omit<EventQuery, 'bounds' | 'categories' | 'tags'> {
  const { geoloc } = values
  const circle = circleOf(values)
  const venues = visibilityOf(caller, undefined)
  return {
    search: values.search === undefined ? undefined : searchOf(caller, values.search),
    venue: values.venue,
    organizer: values.organizer,
    featured: values.featured,
    located: geoloc === undefined ? undefined : { wanted: geoloc, venues },
    near: circle && { circle, venues },
    include: values.include,
    post_parent: values.post_parent,
    ticketed: values.ticketed,
  }
}

function searchOf(caller: Caller, text: string): EventSearch {
  const hidden = editableBy(caller)
  return { ...parseSearch(text), ...(hidden && { hidden }) }
}

interface TermQuestion {
  readonly reader: Reader
  readonly refs: readonly string[]
  refuse(): void
}

/** The ids that the named terms stand for, each once, by number. */
async function resolveTerms(lookup: TermLookup, { reader, refs, refuse }: TermQuestion): Promise<readonly number[]> {
  const found = await lookup.seek(reader, refs)
  const ids = refs.map((ref) => found.get(ref))
  const known = ids.filter((id) => id !== undefined)
  if (known.length !== ids.length) refuse()
  return [...new Set(known)].sort((one, other) => one - other)
}

interface LinkedQuestion {
  readonly reader: Reader
  readonly caller: Caller
  readonly ids: readonly number[]
}

/** Whether all ids name items that the caller may read: a filter tells nothing about those that are hidden. */
async function areKnown<Row extends EntryColumns>(
  lookup: LinkedLookup<Row>,
  { reader, caller, ids }: LinkedQuestion,
): Promise<boolean> {
  const rows = await lookup.byIds(reader, ids)
  return ids.every((id) => {
    const row = rows.get(id)
    return row !== undefined && mayRead(caller, { authorId: row.author_id, status: row.status })
  })
}

async function isReadable(parts: ListParts, call: Call<EventListValues>, id: number): Promise<boolean> {
  const row = await findEvent(parts.reader, { by: 'id', id })
  return row !== undefined && mayRead(call.caller, { authorId: row.author_id, status: row.status })
}

/** One page of a list request: its events, and what its answer says in whichever form it is given. */
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
  return {
    ...(await pageOfEvents(parts.reader, listing)),
    filters: linkFilters(call, resolved),
    pastEnd: 'event-archive-page-not-found',
    secret: call.values.password !== undefined,
    lasting: lastingOf(parts, call, resolved),
  }
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

/** Name and value of a parameter in a link. */
type LinkFilter = readonly [string, string]

/** The filters in the order of the wire, then those that it leaves out of its links; never the password. */
const LINK_ORDER = [
  'start_date',
  'end_date',
  'search',
  'geoloc',
  ...DISTANCE_FILTERS,
  'status',
  'post_parent',
  'include',
  'starts_before',
  'starts_after',
  'ends_before',
  'ends_after',
  'venue',
  'organizer',
  'featured',
  'categories',
  'tags',
  'strict_dates',
  'ticketed',
] as const

/** Effective filters in their order. */
function linkFilters({ caller, values }: Call<EventListValues>, { dates }: ResolvedList): LinkFilter[] {
  const effective = (name: (typeof LINK_ORDER)[number]): unknown => {
    if (isDateFilter(name)) return dates[name]
    return name === 'status' ? statusLink(caller, values.status) : values[name]
  }
  const filters: LinkFilter[] = []
  for (const name of LINK_ORDER) {
    const value = effective(name)
    if (value !== undefined) filters.push([name, Array.isArray(value) ? value.join(',') : String(value)])
  }
  return filters
}

const DATES: ReadonlySet<string> = new Set(DATE_FILTERS)

function isDateFilter(name: string): name is DateFilter {
  return DATES.has(name)
}
