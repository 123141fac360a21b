import { sql } from 'kysely'
import type { Visibility } from '../../entries/listing.ts'
import type { Compilable, EngineName, Lane, Reader } from '../../storage/engine.ts'
import { rarely } from '../../storage/expressions.ts'
import { type Given, type GivenAll, keptStatement, operand } from '../../storage/kept-statement.ts'
import { rememberedRows } from '../../storage/remembered.ts'
import { LINK_KIND } from '../../storage/schema.ts'
import {
  type BuiltQuery,
  type EventQuery,
  eventConditions,
  isShown,
  QUERY_PARTS,
  SPANS,
  spanConditions,
} from './filters.ts'
import { type Region, regionOf } from './region.ts'
import { type Candidates, candidatesOf, severalTargets } from './store-candidates.ts'
import { foundOccurrences, foundPage } from './store-found.ts'
import { skipTo } from './store-skip.ts'
import { singleTarget, type Target, traitOf } from './store-targets.ts'
import { type Counted, countRegion, unionStatement } from './store-totals.ts'

/** What a list of events asks of the store. */
export interface EventListing {
  readonly query: EventQuery
  readonly visibility: Visibility
  readonly limit: number
  readonly offset: number
}

/** A list as its statement is built from it. */
interface BuiltListing extends Pick<EventListing, 'visibility'> {
  readonly query: BuiltQuery
  readonly limit: Given<number>
  readonly offset: Given<number>
}

/** Event ids of one page: by start on the event's own clock, then publication date, then id (wire: events 2.3). */
export async function listEventIds(reader: Reader, listing: EventListing): Promise<number[]> {
  const near = await nearer(reader, listing)
  const statement = keptPage(reader, near)
  const isLong = laneOf(reader.engine, near) === 'offloaded'
  const rows = isLong ? await rememberedRows(reader, statement) : await reader.all(statement)
  return rows.map((row) => row.event_id)
}

/** Number of events on all pages, by the same filters. */
export async function countEvents(reader: Reader, listing: EventListing): Promise<number> {
  const counted = countedBy(listing)
  const region = regionOf(listing.query.bounds)
  if (counted !== undefined && region !== undefined) return countRegion(reader, counted, region)
  const rest = await totalOfRest(reader, listing)
  if (rest !== undefined) return rest
  const statement =
    unionTotal(reader, listing, region) ??
    filtered(reader, listing).select((row) => row.fn.countAll<number>().as('total'))
  const [row] = await rememberedRows(reader, statement)
  return Number(row?.total ?? 0)
}

/** The total of several targets within a window, where nothing else is asked. */
function unionTotal(reader: Reader, { query, visibility }: EventListing, region: Region | undefined) {
  const several = severalTargets(query)
  const isMore = QUERY_PARTS.some((name) => name !== 'bounds' && name !== several?.name && query[name] !== undefined)
  if (several === undefined || isMore || visibility.ofOwn.length > 0 || region === undefined) return undefined
  return unionStatement(reader, { kind: several.kind, targetIds: several.ids, visibility }, region)
}

/** The same page of a list that begins later, where a day is known up to which all events lie before the page. */
async function nearer(reader: Reader, listing: EventListing): Promise<EventListing> {
  const { query, offset } = listing
  if (offset <= NEAR_OFFSET) return listing
  const counted = countedBy(listing)
  const region = regionOf(query.bounds)
  if (counted === undefined || region === undefined) return listing
  const skip = await skipTo(reader, { counted, region, offset })
  if (skip === undefined) return listing
  return { ...listing, query: { ...query, bounds: { ...query.bounds, start_date: skip.from } }, offset: skip.offset }
}

/** What counters know of a list: all events or those of one target, within any dates; undefined for other lists. */
export function countedBy({ query, visibility }: EventListing): Counted | undefined {
  const sent = QUERY_PARTS.filter((name) => name !== 'bounds' && query[name] !== undefined)
  if (visibility.ofOwn.length > 0) return undefined
  if (sent.length === 0) return { kind: 0, targetId: 0, visibility }
  const target = singleTarget(query)
  return sent.length > 1 || target === undefined ? undefined : { kind: target.kind, targetId: target.id, visibility }
}

/**
 * The total of a list that asks for nothing but the absence of a trait: of all events without those that have it.
 * Undefined for other lists.
 */
export async function totalOfRest(reader: Reader, { query, visibility }: EventListing): Promise<number | undefined> {
  const trait = traitOf(query, false)
  if (trait === undefined) return undefined
  const sent = QUERY_PARTS.filter((name) => name !== 'bounds' && query[name] !== undefined)
  const region = regionOf(query.bounds)
  if (visibility.ofOwn.length > 0 || sent.length > 1 || region === undefined) return undefined
  const all = countRegion(reader, { kind: 0, targetId: 0, visibility }, region)
  const left = countRegion(reader, { kind: trait.kind, targetId: trait.id, visibility }, region)
  return (await all) - (await left)
}

/** The statement of one page, built once for all dates: that takes as long as reading the page. */
export function keptPage(reader: Reader, { query, visibility, limit, offset }: EventListing) {
  const { bounds, ...others } = query
  return pageWith(reader, { shape: { query: others, visibility }, values: { ...bounds, limit, offset } })
}

/** What the text of a page's statement turns on: everything but dates and place in the list. */
export interface PageShape {
  readonly query: Omit<EventQuery, 'bounds'>
  readonly visibility: Visibility
}

/** What stands in a page's statement in places. */
export type PageValues = EventQuery['bounds'] & Pick<EventListing, 'limit' | 'offset'>

/** An event of a page. */
interface PageRow {
  readonly event_id: number
  /** Number of events on all pages, a decimal text from PostgreSQL; only where the page is sorted from events (`sortedFrom`). */
  readonly total?: number | string
}

const pageWith = keptStatement(
  (reader, { query, visibility }: PageShape, given: GivenAll<PageValues>): Compilable<PageRow> => {
    const { limit, offset, ...bounds } = given
    return pageStatement(reader, { query: { ...query, bounds }, visibility, limit, offset })
  },
)

/** The statement of one page; exported for the test that reads its plan. */
export function pageStatement(reader: Reader, listing: BuiltListing) {
  const spread = spreadFrom(reader.engine, listing)
  if (spread !== undefined) return spreadStatement(reader, listing, spread)
  const each = eachTarget(listing)
  if (each !== undefined) return mergedStatement(reader, listing, each)
  const candidates = sortedFrom(reader.engine, listing)
  if (candidates !== undefined) return foundPage(reader, candidates, listing)
  return sortedStatement(reader, listing)
}

/** The statement of a page that is read from one table. */
export function sortedStatement(reader: Reader, listing: BuiltListing) {
  const { query, limit, offset } = listing
  const rows = filtered(reader, listing).select('occurrence.event_id').limit(operand(limit)).offset(operand(offset))
  const byPublication = rows.orderBy('occurrence.published_at').orderBy('occurrence.id')
  if (query.include !== undefined) return byPublication
  const table =
    drivingTarget(reader.engine, listing) === undefined ? ('occurrence' as const) : ('occurrence_link' as const)
  const id = table === 'occurrence' ? ('occurrence.id' as const) : ('occurrence_link.occurrence_id' as const)
  return rows
    .orderBy(sql.ref(`${table}.start_local`))
    .orderBy(sql.ref(`${table}.published_at`))
    .orderBy(sql.ref(id))
}

/** The moment after which an overlap query asks for ends, where its page is put together from the length classes. */
function spreadFrom(engine: EngineName, listing: BuiltListing): Given<string> | undefined {
  const { ends_after } = listing.query.bounds
  const isBounded = !isOpenToThePast(listing.query.bounds) || listing.query.include !== undefined
  const isDriven = candidatesOf(engine, listing.query) !== undefined || drivingTarget(engine, listing) !== undefined
  return isBounded || isDriven || onlyStatus(listing) === undefined ? undefined : ends_after
}

/** A page of an overlap query: each length class is read in order from its own bound, and the classes are merged. */
function spreadStatement(reader: Reader, listing: BuiltListing, endsAfter: Given<string>) {
  const { ends_after: _merged, ...bounds } = listing.query.bounds
  const query = { ...listing.query, bounds }
  const [first, ...others] = SPANS.map((span) =>
    plain(reader, listing.visibility)
      .where((row) => row.and(eventConditions(row, query, reader.engine)))
      .where((row) => rarely(reader.engine, row('occurrence.span', '=', span)))
      .where((row) =>
        row.and([row('occurrence.end_local', '>', operand(endsAfter)), ...spanConditions(row, span, endsAfter)]),
      )
      .select(['occurrence.event_id', 'occurrence.start_local', 'occurrence.published_at', 'occurrence.id']),
  )
  if (first === undefined) throw new Error('there are no length classes')
  const merged = first.unionAll(others).orderBy('start_local').orderBy('published_at').orderBy('id')
  return merged.limit(operand(listing.limit)).offset(operand(listing.offset))
}

/** More targets than this are read together: their events are found first, and then sorted. */
const FEW_TARGETS = 20

/** The events that a page is sorted from; undefined where it is read in order, from one index or merged from several. */
export function sortedFrom(engine: EngineName, listing: BuiltListing): Candidates | undefined {
  const candidates = candidatesOf(engine, listing.query)
  return candidates === undefined || eachTarget(listing) !== undefined ? undefined : candidates
}

/** The same list for each of several venues, organizers, categories or tags, where their pages can be merged. */
function eachTarget(listing: BuiltListing): readonly BuiltListing[] | undefined {
  const several = severalTargets(listing.query)
  if (several === undefined || several.ids.length > FEW_TARGETS || onlyStatus(listing) === undefined) return undefined
  return several.ids.map((id) => ({ ...listing, query: { ...listing.query, [several.name]: [id] } }))
}

/** A page that is merged from those of its targets, each read in order; an event that several of them have comes once. */
function mergedStatement(reader: Reader, { limit, offset }: BuiltListing, each: readonly BuiltListing[]) {
  const [first, ...others] = each.map((one) =>
    filtered(reader, one).select([
      'occurrence.event_id',
      sql.ref<string>('occurrence_link.start_local').as('start_local'),
      sql.ref<string>('occurrence_link.published_at').as('published_at'),
      sql.ref<number>('occurrence_link.occurrence_id').as('id'),
    ]),
  )
  if (first === undefined) throw new Error('there are no targets')
  const merged = first.union(others).orderBy('start_local').orderBy('published_at').orderBy('id')
  return merged.limit(operand(limit)).offset(operand(offset))
}

/** Parts of a query that no index of a page answers: it may read far before it has found enough. */
const UNINDEXED = [
  'search',
  'categories',
  'tags',
  'venue',
  'organizer',
  'featured',
  'located',
  'near',
  'post_parent',
  'ticketed',
] as const satisfies readonly (keyof EventQuery)[]

/** Rows before a page that are read in no time. */
const NEAR_OFFSET = 1_000

/** What may read much must not hold up cheap requests: far pages and everything that an index does not lead to. */
function laneOf(engine: EngineName, listing: EventListing): Lane {
  const { query, offset } = listing
  const { ends_after, ends_before } = query.bounds
  const driving = drivingTarget(engine, listing)?.name
  const isScan = UNINDEXED.some((name) => name !== driving && query[name] !== undefined)
  const reads = isScan || ends_after !== undefined || ends_before !== undefined || offset > NEAR_OFFSET
  return reads ? 'offloaded' : 'inline'
}

function filtered(reader: Reader, listing: Pick<BuiltListing, 'query' | 'visibility'>) {
  const { query, visibility } = listing
  const candidates = candidatesOf(reader.engine, query)
  const target = drivingTarget(reader.engine, listing)
  if (candidates !== undefined) return foundOccurrences(reader, candidates, visibility)
  const base = target === undefined ? plain(reader, visibility) : driven(reader, target, query)
  const rest = target === undefined ? query : { ...query, [target.name]: undefined }
  return base.where((row) => row.and(eventConditions(row, rest, reader.engine)))
}

function plain(reader: Reader, visibility: Visibility) {
  return reader.db
    .selectFrom('occurrence')
    .where('occurrence.listed', '=', 1)
    .where((row) => isShown(row, visibility))
}

/** A page that starts from the narrow copy of one relation; cross join keeps that order on SQLite. */
function driven(reader: Reader, target: DrivingTarget, query: BuiltQuery) {
  const from = reader.db
    .selectFrom('occurrence_link')
    .crossJoin('occurrence')
    .whereRef('occurrence.id', '=', 'occurrence_link.occurrence_id')
    .where('occurrence_link.kind', '=', target.kind)
    .where('occurrence_link.target_id', '=', target.id)
    .where('occurrence_link.listed', '=', 1)
    .where('occurrence_link.status', '=', target.status)
  const start = query.bounds.start_date
  return start === undefined ? from : from.where('occurrence_link.start_local', '>=', operand(start))
}

type DrivingTarget = Target & { readonly status: string }

/** The one target that a page may start from: a single venue, organizer, category, tag or trait, in a single status. */
function drivingTarget(
  engine: EngineName,
  listing: Pick<BuiltListing, 'query' | 'visibility'>,
): DrivingTarget | undefined {
  const status = onlyStatus(listing)
  if (candidatesOf(engine, listing.query) !== undefined) return undefined
  const target = singleTarget(listing.query)
  // Many events share a trait: what ends after a moment is found sooner by its length class.
  const { bounds } = listing.query
  if (target?.kind === LINK_KIND.trait && bounds.ends_after !== undefined && isOpenToThePast(bounds)) return undefined
  return status === undefined || target === undefined ? undefined : { ...target, status }
}

function isOpenToThePast({ start_date, starts_after }: BuiltListing['query']['bounds']): boolean {
  return start_date === undefined && starts_after === undefined
}

/** The one status of the rows that a page may show, whoever owns them; undefined where there are several. */
function onlyStatus({ visibility }: Pick<EventListing, 'visibility'>): string | undefined {
  const [status, ...others] = visibility.ofAll
  return others.length > 0 || visibility.ofOwn.length > 0 ? undefined : status
}
