import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Reader } from '../../../storage/engine.ts'
import { COUNT_LEVEL, type Database } from '../../../storage/schema.ts'
import { type Given, inList, operand } from '../../../storage/statement-template.ts'
import { isVisible } from '../../shared/filters.ts'
import type { Visibility } from '../../shared/listing.ts'
import type { Span } from './bounds.ts'
import { listedUnder } from './conditions.ts'

/** Which occurrences are counted: of one target, of any of several, or, with kind 0, all. */
export interface CountScope {
  readonly kind: number
  readonly targetId?: Given<number>
  readonly targetIds?: readonly number[]
  /** `ofOwn` must be empty: counters know no authors. */
  readonly visibility: Visibility
}

/**
 * What a number counts: starts or ends in whole months or days, single starts, or single occurrences of a length class.
 */
export type TermForm =
  | { readonly of: 'month' | 'day'; readonly edge: 'starts' | 'ends' }
  | { readonly of: 'starts' }
  | { readonly of: 'class'; readonly span: Span }

/** Bounds of a count; absent ones are open. Months and days as in the counters, otherwise wall clock text. */
export type TermBounds<Bound = string> = {
  readonly [Name in 'startFrom' | 'startBefore' | 'endFrom' | 'endBefore']?: Bound
}

/** A number that is part of a total. */
export interface CountTerm {
  readonly sign: 1 | -1
  readonly form: TermForm
  readonly bounds: TermBounds
}

/** A term as its expression is built from it. */
export interface BuiltTerm extends Omit<CountTerm, 'bounds'> {
  readonly bounds: TermBounds<Given<string>>
}

/** The number of a term, with its sign. */
export function termExpression(reader: Reader, scanned: CountScope, term: BuiltTerm): Expression<number> {
  const number = unsigned(reader, scanned, term)
  return term.sign === 1 ? number : sql<number>`-${number}`
}

function unsigned(reader: Reader, scanned: CountScope, { form, bounds }: BuiltTerm): Expression<number> {
  if (form.of === 'class') return classNumber({ reader, scanned, span: form.span }, bounds)
  if (form.of === 'starts') return startsNumber(scanned, bounds)
  const [from, before] =
    form.edge === 'starts' ? [bounds.startFrom, bounds.startBefore] : [bounds.endFrom, bounds.endBefore]
  const conditions = [
    sql`level = ${sql.lit(COUNT_LEVEL[form.of])}`,
    ...(from === undefined ? [] : [sql`period >= ${operand(from)}`]),
    ...(before === undefined ? [] : [sql`period < ${operand(before)}`]),
  ]
  return sql<number>`(select coalesce(sum(${sql.ref(form.edge)}), 0) from event_count
    where kind = ${scanned.kind} and target_id = ${scanned.targetId} and ${shown('event_count', scanned)} and ${sql.join(conditions, sql` and `)})`
}

/** The number of starts between two moments. */
function startsNumber(scanned: CountScope, bounds: BuiltTerm['bounds']): Expression<number> {
  return sql<number>`(select count(*) from ${startsBetween(scanned, bounds)})`
}

/** The table and condition of starts between two moments. */
function startsBetween(scanned: CountScope, { startFrom, startBefore }: BuiltTerm['bounds']): Expression<unknown> {
  const { kind, targetId } = scanned
  const table = kind === 0 ? ('occurrence' as const) : ('occurrence_link' as const)
  const own = kind === 0 ? sql`listed = 1` : sql`kind = ${kind} and target_id = ${targetId} and listed = 1`
  return sql`${sql.table(table)}
    where ${own} and ${shown(table, scanned)} and start_local >= ${startFrom} and start_local < ${startBefore}`
}

interface ClassScan {
  readonly reader: Reader
  readonly scanned: CountScope
  readonly span: Span
}

function classNumber(scan: ClassScan, bounds: BuiltTerm['bounds']): Expression<number> {
  return sql<number>`(select count(*) from ${classWithin(scan, bounds)})`
}

/** The table and condition of occurrences of a length class within bounds. */
function classWithin({ reader, scanned, span }: ClassScan, bounds: BuiltTerm['bounds']): Expression<unknown> {
  const conditions = [
    bounds.startFrom === undefined ? undefined : sql`occurrence.start_local >= ${bounds.startFrom}`,
    bounds.startBefore === undefined ? undefined : sql`occurrence.start_local < ${bounds.startBefore}`,
    bounds.endFrom === undefined ? undefined : sql`occurrence.end_local >= ${bounds.endFrom}`,
    bounds.endBefore === undefined ? undefined : sql`occurrence.end_local < ${bounds.endBefore}`,
    scanned.kind === 0 ? undefined : hasTarget(reader, scanned),
  ].filter((bound) => bound !== undefined)
  return sql`occurrence where ${isOfClass(scanned, span)} and ${sql.join(conditions, sql` and `)}`
}

/** When an occurrence starts or ends, on its own clock. */
export interface OccurrenceEdge {
  readonly at: string
}

/** The starts, or the ends of length classes, that some terms count, at most so many. */
export function edgeRows(
  reader: Reader,
  scanned: CountScope,
  { terms, limit }: { readonly terms: readonly BuiltTerm[]; readonly limit: number },
) {
  const selects = terms.map(({ form, bounds }) =>
    form.of === 'class'
      ? sql`select occurrence.end_local as at from ${classWithin({ reader, scanned, span: form.span }, bounds)}`
      : sql`select start_local as at from ${startsBetween(scanned, bounds)}`,
  )
  const edges = sql<OccurrenceEdge>`(${sql.join(selects, sql` union all `)})`.as('edge')
  return reader.db.selectFrom(edges).select('edge.at').limit(sql.lit(limit))
}

function isOfClass(scanned: CountScope, span: Span): Expression<SqlBool> {
  return sql`occurrence.listed = 1 and ${shown('occurrence', scanned)} and occurrence.span = ${sql.lit(span)}`
}

/** When an occurrence starts and ends, on its own clock. */
export interface OccurrenceTimes {
  readonly start: string
  readonly end: string
}

/** The occurrences of a length class, at most so many. */
export function classRows(
  reader: Reader,
  scanned: CountScope,
  { span, limit }: { readonly span: Span; readonly limit: number },
) {
  const rows = reader.db
    .selectFrom('occurrence')
    .select(['occurrence.start_local as start', 'occurrence.end_local as end'])
    .where(isOfClass(scanned, span))
    .limit(sql.lit(limit))
  return scanned.kind === 0 ? rows : rows.where(hasTarget(reader, scanned))
}

/** Whether an occurrence is within bounds. */
export function isWithin(
  { start, end }: OccurrenceTimes,
  { startFrom, startBefore, endFrom, endBefore }: TermBounds,
): boolean {
  return (
    (startFrom === undefined || start >= startFrom) &&
    (startBefore === undefined || start < startBefore) &&
    (endFrom === undefined || end >= endFrom) &&
    (endBefore === undefined || end < endBefore)
  )
}

function hasTarget({ engine }: Reader, { kind, targetId, targetIds = [] }: CountScope): Expression<SqlBool> {
  const target =
    targetId === undefined
      ? inList(engine, 'occurrence_link.target_id', targetIds)
      : sql`occurrence_link.target_id = ${targetId}`
  return listedUnder(sql`occurrence_link.kind = ${kind} and ${target}`)
}

const build = expressionBuilder<Database, never>()

/** The condition that a row of a table has one of the statuses that count. */
export function shown(
  table: 'occurrence' | 'occurrence_link' | 'event_count',
  { visibility }: Pick<CountScope, 'visibility'>,
): Expression<SqlBool> {
  const columns = { status: sql.ref<string>(`${table}.status`), author: sql.ref<number>('occurrence.author_id') }
  return isVisible(build, visibility, columns)
}
