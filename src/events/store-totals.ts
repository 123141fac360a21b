import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { isVisible } from '../entries/filters.ts'
import type { Visibility } from '../entries/listing.ts'
import type { Reader } from '../storage/engine.ts'
import { inList } from '../storage/expressions.ts'
import { COUNT_LEVEL, type Database } from '../storage/schema.ts'
import { addToLocal } from '../time/zones.ts'
import { listedUnder, SPANS } from './filters.ts'
import { type Corner, cornersOf, type Region } from './region.ts'

/** Which occurrences counters can count: those of one target or, with kind and target 0, all; in whole statuses. */
export interface Counted extends Scanned {
  readonly targetId: number
}

/** Which occurrences are counted: of one target, of any of several, or, with kind 0, all. */
interface Scanned {
  readonly kind: number
  readonly targetId?: number
  readonly targetIds?: readonly number[]
  /** `ofOwn` must be empty: counters do not know who owns what. */
  readonly visibility: Visibility
}

/**
 * The statement that counts the listed occurrences of any of several targets in a region: the starts from their narrow
 * copies, without what then ends too late. Undefined for a region that is open to the past, or asks for late ends.
 */
export function unionStatement(
  reader: Reader,
  scanned: Scanned & { readonly targetIds: readonly number[] },
  { startFrom, startBefore, endFrom, endBefore }: Region,
) {
  if (startFrom === undefined || endFrom !== undefined) return undefined
  // Where a clock was set back, an end is up to a day before its start.
  const latest = endBefore === undefined ? undefined : addToLocal(endBefore, { days: 1 })
  const before = startBefore !== undefined && (latest === undefined || startBefore < latest) ? startBefore : latest
  const starts = { startFrom, ...(before !== undefined && { startBefore: before }) }
  const late = endBefore === undefined ? [] : scanTerms(reader, scanned, { ...starts, endFrom: endBefore })
  const terms = [unionStarts(reader, scanned, starts), ...late.map((term) => sql<number>`-${term}`)]
  return reader.db.selectNoFrom(sql<number>`${sql.join(terms, sql` + `)}`.as('total'))
}

function unionStarts(
  { engine }: Reader,
  scanned: Scanned & { readonly targetIds: readonly number[] },
  { startFrom, startBefore }: Region,
): Term {
  const end = startBefore === undefined ? sql`` : sql`and occurrence_link.start_local < ${startBefore}`
  return sql<number>`(select count(distinct occurrence_link.occurrence_id) from occurrence_link
    where occurrence_link.kind = ${scanned.kind}
      and ${inList(engine, 'occurrence_link.target_id', scanned.targetIds)} and occurrence_link.listed = 1
      and ${shown('occurrence_link', scanned)} and occurrence_link.start_local >= ${startFrom} ${end})`
}

/**
 * The number of listed occurrences in a region, at a cost that hardly grows with their number: whole days and months
 * come from `event_count`; what starts or ends within the days of the bounds, and what is longer than the region, is
 * counted by length class from an index.
 */
export async function countRegion(reader: Reader, counted: Counted, region: Region): Promise<number> {
  const corners = cornersOf(region)
  if (corners.length === 0) return 0
  const terms = corners.flatMap((corner) => cornerTerms(reader, counted, corner))
  const total = sql<number>`${sql.join(terms, sql` + `)}`
  const row = await reader.first(reader.db.selectNoFrom(total.as('total')))
  return Number(row?.total ?? 0)
}

type Term = Expression<number>

function cornerTerms(reader: Reader, counted: Counted, { sign, startBefore, endBefore }: Corner): Term[] {
  const signed = (terms: readonly Term[], factor: 1 | -1): Term[] =>
    factor === sign ? [...terms] : terms.map((term) => sql<number>`-${term}`)
  if (startBefore === undefined || endBefore === undefined) {
    const [edge, moment] =
      startBefore === undefined ? (['ends', endBefore] as const) : (['starts', startBefore] as const)
    return signed(beforeTerms(reader, counted, { edge, moment }), 1)
  }
  if (startBefore <= endBefore) {
    // What starts early enough, without what then lasts until the end of the corner and beyond.
    const lasting = scanTerms(reader, counted, { startBefore, endFrom: endBefore })
    return [...signed(beforeTerms(reader, counted, { edge: 'starts', moment: startBefore }), 1), ...signed(lasting, -1)]
  }
  // What ends early enough, without what starts too late for that: where a clock was set back, an end is before its start.
  const turned = scanTerms(reader, counted, { startFrom: startBefore, endBefore })
  return [...signed(beforeTerms(reader, counted, { edge: 'ends', moment: endBefore }), 1), ...signed(turned, -1)]
}

interface Before {
  readonly edge: 'starts' | 'ends'
  readonly moment: string | undefined
}

/** Terms whose sum is the number of starts, or ends, before a moment; of all of them without one. */
function beforeTerms(reader: Reader, counted: Counted, { edge, moment }: Before): Term[] {
  if (moment === undefined) return [sumOf(counted, edge, sql`level = ${sql.lit(COUNT_LEVEL.month)}`)]
  const [month, day] = [moment.slice(0, 7), moment.slice(0, 10)]
  const whole = [
    sumOf(counted, edge, sql`level = ${sql.lit(COUNT_LEVEL.month)} and period < ${month}`),
    sumOf(counted, edge, sql`level = ${sql.lit(COUNT_LEVEL.day)} and period >= ${month} and period < ${day}`),
  ]
  const midnight = `${day} 00:00:00`
  if (moment === midnight) return whole
  if (edge === 'starts') return [...whole, startsTerm(counted, midnight, moment)]
  return [...whole, ...scanTerms(reader, counted, { endFrom: midnight, endBefore: moment })]
}

const build = expressionBuilder<Database, never>()

/** The condition that a row of a table has one of the statuses that count. */
export function shown(
  table: 'occurrence' | 'occurrence_link' | 'event_count',
  { visibility }: Pick<Counted, 'visibility'>,
): Expression<SqlBool> {
  const columns = { status: sql.ref<string>(`${table}.status`), author: sql.ref<number>('occurrence.author_id') }
  return isVisible(build, visibility, columns)
}

function sumOf(counted: Counted, edge: 'starts' | 'ends', periods: Expression<unknown>): Term {
  const { kind, targetId } = counted
  return sql<number>`(select coalesce(sum(${sql.ref(edge)}), 0) from event_count
    where kind = ${kind} and target_id = ${targetId} and ${shown('event_count', counted)} and ${periods})`
}

/** The number of starts between two moments. */
function startsTerm(counted: Counted, from: string, before: string): Term {
  const { kind, targetId } = counted
  const table = kind === 0 ? ('occurrence' as const) : ('occurrence_link' as const)
  const own = kind === 0 ? sql`listed = 1` : sql`kind = ${kind} and target_id = ${targetId} and listed = 1`
  return sql<number>`(select count(*) from ${sql.table(table)}
    where ${own} and ${shown(table, counted)} and start_local >= ${from} and start_local < ${before})`
}

/** Terms whose sum is the number of occurrences in a region, read by length class: each class has starts of its own. */
function scanTerms(reader: Reader, counted: Scanned, region: Region): Term[] {
  return SPANS.flatMap((span) => {
    const starts = startsOf(region, span)
    return starts === undefined ? [] : [classTerm({ reader, counted, span }, { ...region, ...starts })]
  })
}

type Span = (typeof SPANS)[number]

/**
 * The starts that occurrences of a length class can have in a region: at most so many days before their end and, where a
 * clock was set back, less than a day after it. Undefined when there are none.
 */
function startsOf(region: Region, span: Span): Pick<Region, 'startFrom' | 'startBefore'> | undefined {
  const { endFrom, endBefore } = region
  const earliest = endFrom !== undefined && span !== SPANS.at(-1) ? addToLocal(endFrom, { days: -span }) : undefined
  const latest = endBefore === undefined ? undefined : addToLocal(endBefore, { days: 1 })
  const startFrom = region.startFrom ?? earliest
  const startBefore = region.startBefore ?? latest
  if (earliest !== undefined && startBefore !== undefined && startBefore < earliest) return undefined
  if (latest !== undefined && startFrom !== undefined && startFrom > latest) return undefined
  return { ...(startFrom !== undefined && { startFrom }), ...(startBefore !== undefined && { startBefore }) }
}

interface ClassScan {
  readonly reader: Reader
  readonly counted: Scanned
  readonly span: Span
}

function classTerm({ reader, counted, span }: ClassScan, region: Region): Term {
  const bounds = [
    region.startFrom === undefined ? undefined : sql`occurrence.start_local >= ${region.startFrom}`,
    region.startBefore === undefined ? undefined : sql`occurrence.start_local < ${region.startBefore}`,
    region.endFrom === undefined ? undefined : sql`occurrence.end_local >= ${region.endFrom}`,
    region.endBefore === undefined ? undefined : sql`occurrence.end_local < ${region.endBefore}`,
    counted.kind === 0 ? undefined : hasTarget(reader, counted),
  ].filter((bound) => bound !== undefined)
  return sql<number>`(select count(*) from occurrence
    where occurrence.listed = 1 and ${shown('occurrence', counted)} and occurrence.span = ${sql.lit(span)}
      and ${sql.join(bounds, sql` and `)})`
}

function hasTarget({ engine }: Reader, { kind, targetId, targetIds = [] }: Scanned): Expression<SqlBool> {
  const target =
    targetId === undefined
      ? inList(engine, 'occurrence_link.target_id', targetIds)
      : sql`occurrence_link.target_id = ${targetId}`
  return listedUnder(sql`occurrence_link.kind = ${kind} and ${target}`)
}
