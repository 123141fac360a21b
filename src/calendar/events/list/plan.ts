import type { Dependency } from '../../../http/cache/versions.ts'
import type { Lane, Reader } from '../../../storage/engine.ts'
import { cachedRows } from '../../../storage/reads.ts'
import { LINK_KIND } from '../../../storage/schema.ts'
import { type GivenAll, operand, statementTemplate } from '../../../storage/statement-template.ts'
import { activeFilters, scopeOf } from '../../shared/filters.ts'
import type { OrderBy, Visibility } from '../../shared/listing.ts'
import { narrowBounds } from './bounds.ts'
import { counterOf } from './counters.ts'
import {
  type ActiveEventFilter,
  ALL_EVENT_FILTERS,
  type AnyEventFilter,
  type EventListing,
  type EventQuery,
  type TargetCondition,
} from './filters.ts'
import { byCandidates } from './ways/by-candidates.ts'
import { byLength } from './ways/by-length.ts'
import { byTarget, eventsOf } from './ways/by-target.ts'
import { sortingOf } from './ways/order.ts'
import { type BuiltList, matching, type PageRow, totalOf, type Way } from './ways/way.ts'

/** Event IDs of a page of a list, and the number of events on all its pages. */
export interface EventPage {
  readonly ids: readonly number[]
  readonly total: number
}

/** How a page of a list and its total are read. */
export interface EventPlan {
  /** Expensive reads must not hold up cheap requests: far pages, and filters without an index. */
  readonly lane: Lane
  /** Whether the total is read first, because a page beyond the end would read all events for nothing. */
  readonly countsFirst: boolean
  /** Whether a page takes as long as the whole list: all events are found and sorted for it. */
  readonly sortsAll: boolean
  /** The rows of the page in order. */
  rows(reader: Reader): Promise<readonly PageRow[]>
  /** Event IDs of the page in order, and the total if the page has it. */
  page(reader: Reader): Promise<{ readonly ids: readonly number[]; readonly total?: number }>
  total(reader: Reader): Promise<number>
  /** What decides which events the list has; undefined where time does. */
  scope(): readonly Dependency[] | undefined
}

/** As many rows before a page are skipped at next to no cost. */
const NEAR_OFFSET = 1_000

/** Decides how a page of a list and its total are read. */
export function planOf(listing: EventListing): EventPlan {
  const narrow = withNarrowBounds(listing)
  const sent = activeFilters<AnyEventFilter>(ALL_EVENT_FILTERS, listing.query)
  const way = wayOf(listing, sent)
  const { order, query } = listing
  const { ends_after, ends_before } = query.bounds
  const isLed = sent.every(({ filter }) => way.covers.includes(filter.name))
  const isShort =
    isLed &&
    (order === undefined || order.by === 'start') &&
    ends_after === undefined &&
    ends_before === undefined &&
    listing.offset <= NEAR_OFFSET
  const lane = isShort ? 'inline' : 'offloaded'
  const rowsOf = (reader: Reader, list: EventListing): Promise<readonly PageRow[]> => {
    const statement = cachedPage(reader, list, way)
    return isShort ? reader.all(statement) : cachedRows(reader, statement)
  }
  const readRows: EventPlan['rows'] = async (reader) => {
    const start = await startBehind(reader, listing, sent)
    if (start === undefined) return rowsOf(reader, narrow)
    const rows = await rowsOf(reader, withNarrowBounds(startingBefore(listing, start)))
    return rows.length === listing.limit ? rows : rowsOf(reader, narrow)
  }
  return {
    lane,
    countsFirst: sent.some(isExclusion) && counterOf(listing, sent) !== undefined,
    sortsAll: way.tellsTotal || (order !== undefined && order.by !== 'start'),
    rows: readRows,
    page: async (reader) => {
      const rows = await readRows(reader)
      const [first] = rows
      const ids = rows.map((row) => row.id)
      return way.tellsTotal && first !== undefined ? { ids, total: Number(first.total) } : { ids }
    },
    total: async (reader) => {
      const count = counterOf(listing, sent)
      if (count !== undefined) return count(reader)
      const [row] = await cachedRows(reader, way.total(reader, narrow))
      return Number(row?.total ?? 0)
    },
    scope: () => dependenciesOf(sent, order),
  }
}

/** Of a list with each series once, that many dates are looked at first, and that many for each event of its page. */
const DATES = { least: 500, each: 5 } as const

/**
 * A start before which a list with each series once probably has enough events for its page, so that the first dates are
 * looked for among those before it; undefined for other lists, and where the list ends sooner.
 */
async function startBehind(
  reader: Reader,
  listing: EventListing,
  sent: readonly ActiveEventFilter[],
): Promise<string | undefined> {
  const { hide_subsequent_recurrences: first, ...query } = listing.query
  const { order, limit, offset } = listing
  const isByStart = order === undefined || (order.by === 'start' && order.descending !== true)
  const dates = Math.max(DATES.least, DATES.each * (offset + limit))
  if (first === undefined || !isByStart || dates > NEAR_OFFSET || sent.some(({ filter }) => filter.isById))
    return undefined
  const plan = planOf({ ...listing, query, limit: 1, offset: dates })
  if (plan.sortsAll) return undefined
  const [row] = await plan.rows(reader)
  return row?.start_local
}

function startingBefore(listing: EventListing, start: string): EventListing {
  const { query } = listing
  const { listing: asked } = query.hide_subsequent_recurrences ?? {}
  const before = (bounds: EventQuery['bounds']) => ({ ...bounds, starts_before: start })
  const first = asked && { listing: { ...asked, bounds: before(asked.bounds) } }
  return { ...listing, query: { ...query, bounds: before(query.bounds), hide_subsequent_recurrences: first } }
}

/** What decides which events an anonymous reader's list has, and in which order; undefined where time does. */
function dependenciesOf(
  sent: readonly ActiveEventFilter[],
  order: EventListing['order'],
): readonly Dependency[] | undefined {
  const isById = sent.some(({ filter }) => filter.isById)
  const scope = scopeOf(sent)
  if (scope === undefined) return undefined
  if (order !== undefined && !LISTED_ORDERS.has(order.by)) return [{ of: 'event' }, ...scope]
  return isById ? scope : [{ of: 'event', listed: true }, ...scope]
}

/** Orders by columns of the lists themselves; any change of an event may affect the others. */
const LISTED_ORDERS: ReadonlySet<OrderBy> = new Set(['start', 'published'])

/** Reads one page of a list with its total, which the last page shows by itself. */
export async function readPage(
  reader: Reader,
  listing: EventListing,
  plan: EventPlan = planOf(listing),
): Promise<EventPage> {
  const { limit, offset } = listing
  const known = plan.countsFirst ? await plan.total(reader) : undefined
  if (known !== undefined && known <= offset) return { ids: [], total: known }
  const { ids, total } = await plan.page(reader)
  if (total !== undefined) return { ids, total }
  const isLast = ids.length < limit && (ids.length > 0 || offset === 0)
  return { ids, total: isLast ? offset + ids.length : (known ?? (await plan.total(reader))) }
}

/** The statement of one page. It is built once for all dates and offsets, because that takes as long as reading the page. */
function cachedPage(reader: Reader, { query, visibility, limit, offset, order }: EventListing, { page }: Way) {
  const { bounds, ...others } = query
  return pageWith(reader, { shape: { query: others, visibility, order, page }, values: { ...bounds, limit, offset } })
}

type PageShape = Pick<EventListing, 'visibility' | 'order'> &
  Pick<Way, 'page'> & { readonly query: Omit<EventQuery, 'bounds'> }

type PageValues = EventQuery['bounds'] & Pick<EventListing, 'limit' | 'offset'>

const pageWith = statementTemplate(
  (reader, { query, page, ...shape }: PageShape, { limit, offset, ...bounds }: GivenAll<PageValues>) =>
    page(reader, { ...shape, query: { ...query, bounds }, limit, offset }),
)

/** The statement of one page; exported for tests that inspect its query plan. */
export function pageStatement(reader: Reader, listing: EventListing) {
  const sent = activeFilters<AnyEventFilter>(ALL_EVENT_FILTERS, listing.query)
  return wayOf(listing, sent).page(reader, withNarrowBounds(listing))
}

function withNarrowBounds(listing: EventListing): EventListing {
  const { query } = listing
  return { ...listing, query: { ...query, bounds: narrowBounds(query.bounds) } }
}

/** More targets than this are read together: their events are found first, and then sorted. */
const FEW_TARGETS = 20

/** Chooses the way by everything but the values of the bounds, so that one statement serves all of them. */
function wayOf(list: BuiltList, sent: readonly ActiveEventFilter[]): Way {
  if (sent.some(({ filter }) => filter.isById)) return inOrder(sent)
  const without = (one: ActiveEventFilter) => sent.filter((other) => other !== one)
  const start = startOf(sent)
  const lead = leadOf(sent, start !== undefined)
  if (lead !== undefined)
    return byCandidates(without(lead.one), { wanted: lead.one.wanted, candidates: lead.lead.candidates })
  const status = onlyStatus(list.visibility)
  const { bounds } = list.query
  const isByStart = list.order === undefined || list.order.by === 'start'
  if (start !== undefined && !isByStart)
    return byCandidates(without(start.one), { wanted: start.target, candidates: eventsOf })
  if (start !== undefined) {
    const { target, one } = start
    const isMerged = target.ids.length <= FEW_TARGETS && status !== undefined
    if (target.ids.length > 1 && !isMerged) return byCandidates(without(one), { wanted: target, candidates: eventsOf })
    // Many events share a trait: what ends after a moment is found sooner by its length class.
    const isSpread = target.kind === LINK_KIND.trait && isOpenToThePast(bounds) && bounds.ends_after !== undefined
    if (status !== undefined && !isSpread)
      return byTarget({ name: one.filter.name, target, status, others: without(one) })
  }
  const isSpread = isByStart && status !== undefined && isOpenToThePast(bounds) && bounds.ends_after !== undefined
  return isSpread ? byLength(sent) : inOrder(sent)
}

const IN_ORDER = ['occurrence.start_local', 'occurrence.published_at', 'occurrence.id'] as const

/**
 * Reads all events in the order of the list until there are enough. Where a filter names the events themselves, they are
 * read by their IDs and, unless the list says otherwise, listed in the order of their publication.
 */
function inOrder(sent: readonly ActiveEventFilter[]): Way {
  const byId = sent.find(({ filter }) => filter.isById)
  return {
    covers: byId === undefined ? [] : [byId.filter.name],
    tellsTotal: false,
    page: (reader, list) => {
      const rows = matching(reader, list, sent)
        .select(['occurrence.id', 'occurrence.start_local'])
        .limit(operand(list.limit))
        .offset(operand(list.offset))
      if (byId === undefined || list.order !== undefined)
        return rows.orderBy(sortingOf(reader.engine, list, { columns: IN_ORDER }).orderBy)
      return rows.orderBy('occurrence.published_at').orderBy('occurrence.id')
    },
    total: (reader, list) => totalOf(reader, list, sent),
  }
}

/** Whether a list has all events but those of a target: a page beyond its end would read all of them for nothing. */
function isExclusion({ filter, wanted }: ActiveEventFilter): boolean {
  return filter.target?.(wanted)?.isAbsent === true
}

/** The filter whose index probably finds the fewest events. One that may find many is left out if the list can start elsewhere. */
function leadOf(sent: readonly ActiveEventFilter[], hasStart: boolean) {
  const leads = sent.flatMap((one) => {
    const { lead } = one.filter
    if (lead === undefined || (hasStart && lead.isBroad === true)) return []
    return lead.leads?.(one.wanted) === false ? [] : [{ one, lead }]
  })
  return lowest(leads, ({ lead }) => lead.rank)
}

/** Where a list starts: at one target, else at several, else at a trait. */
function startOf(sent: readonly ActiveEventFilter[]) {
  const starts = sent.flatMap((one) => {
    const target = one.filter.target?.(one.wanted)
    if (target === undefined || target.isAbsent === true || target.ids.length === 0) return []
    return [{ one, target: { ...target, ids: [...new Set(target.ids)] } satisfies TargetCondition }]
  })
  return lowest(starts, ({ target }) => placeOf(target))
}

function placeOf({ kind, ids }: TargetCondition): number {
  if (kind === LINK_KIND.trait) return 2 * kind
  return ids.length > 1 ? LINK_KIND.trait + kind : kind
}

/** The item with the lowest number; the first one if several share it. */
function lowest<Item>(items: readonly Item[], numberOf: (item: Item) => number): Item | undefined {
  let [found] = items
  for (const item of items) if (found !== undefined && numberOf(item) < numberOf(found)) found = item
  return found
}

function isOpenToThePast({ start_date, starts_after }: BuiltList['query']['bounds']): boolean {
  return start_date === undefined && starts_after === undefined
}

/** The single status that a list shows, whoever owns the rows; undefined where there are several. */
function onlyStatus({ ofAll: [status, ...others], ofOwn }: Visibility): string | undefined {
  return others.length > 0 || ofOwn.length > 0 ? undefined : status
}
