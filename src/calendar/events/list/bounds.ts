import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { addToLocal } from '../../../base/time/zones.ts'
import type { Database } from '../../../storage/schema.ts'
import { derived, type Given, operand } from '../../../storage/statement-template.ts'
import type { Condition } from '../../shared/filters.ts'
import { DATE_FILTERS, type DateName, type Dates } from './dates.ts'

/** The bounds of a statement; in a template they are placeholders. */
export type BuiltBounds = Readonly<Partial<Record<DateName, Given<string>>>>

/** A row of `occurrence`. */
export type OccurrenceRow = ExpressionBuilder<Database, 'occurrence'>

type Compares = (typeof DATE_FILTERS)[number]['compares']

/** The bounds that are set, each with the column and operator that compare it. */
export function comparisonsOf(
  bounds: BuiltBounds,
): { readonly column: Compares[0]; readonly operator: Compares[1]; readonly bound: Expression<string> }[] {
  return DATE_FILTERS.flatMap(({ name, compares: [column, operator] }) => {
    const bound = bounds[name]
    return bound === undefined ? [] : [{ column, operator, bound: sql<string>`${bound}` }]
  })
}

/** The conditions of bounds on a row of `occurrence`. */
export function boundConditions(row: OccurrenceRow, bounds: BuiltBounds): Condition[] {
  const conditions: Condition[] = comparisonsOf(bounds).map(({ column, operator, bound }) =>
    row(`occurrence.${column}`, operator, bound),
  )
  return bounds.ends_after === undefined ? conditions : [...conditions, anySpan(row, bounds.ends_after)]
}

/** Length classes of occurrences in days, as `spanClass` gives them; the last one has no bound. */
export const SPANS = [1, 7, 31, 366, 9999] as const

/** Length class of an occurrence. */
export type Span = (typeof SPANS)[number]

/**
 * The condition on the start of an occurrence of a length class that ends after a moment: it starts no earlier than
 * that length before.
 */
export function spanConditions(row: OccurrenceRow, span: Span, endsAfter: Given<string>): Condition[] {
  if (span === SPANS.at(-1)) return []
  const earliest = derived(endsAfter, (moment) => addToLocal(moment, { days: -span }))
  return [row('occurrence.start_local', '>=', operand(earliest))]
}

/**
 * What ends after a moment and is at most N days long starts after N days before it: each length class has its own
 * bound, so one long exhibition does not make every query read years (architecture: Occurrences).
 */
function anySpan(row: OccurrenceRow, endsAfter: Given<string>): Expression<SqlBool> {
  return row.or(
    SPANS.map((span) => row.and([row('occurrence.span', '=', span), ...spanConditions(row, span, endsAfter)])),
  )
}

/**
 * Bounds that find the same events, with the narrowest range of starts that follows from all of them as `start_date` and
 * `starts_before`: an index is searched for one bound on each side, and would be walked from there for the others.
 */
export function narrowBounds({ starts_after, ...bounds }: Dates): Dates {
  const after = starts_after === undefined ? undefined : addToLocal(starts_after, { seconds: 1 })
  const starts_before = lowest([
    bounds.starts_before,
    startedBefore(bounds.end_date),
    startedBefore(bounds.ends_before),
  ])
  const start_date = highest([bounds.start_date, after])
  return {
    ...bounds,
    ...(start_date !== undefined && { start_date }),
    ...(starts_before !== undefined && { starts_before }),
    // The last second there is has none after it.
    ...(after !== undefined && after === starts_after && { starts_after }),
  }
}

/** What ends by a moment starts before this one: where a clock was set back, an end is up to a day before its start. */
function startedBefore(end: string | undefined): string | undefined {
  const later = end === undefined ? undefined : addToLocal(end, { days: 2 })
  return later === undefined || later >= LAST_SECOND ? undefined : later
}

const LAST_SECOND = '9999-12-31 23:59:59'

function lowest(moments: readonly (string | undefined)[]): string | undefined {
  return moments.filter((moment) => moment !== undefined).sort()[0]
}

function highest(moments: readonly (string | undefined)[]): string | undefined {
  return moments
    .filter((moment) => moment !== undefined)
    .sort()
    .at(-1)
}

/**
 * Bounds as half-open ranges of wall clock text: an occurrence is in the region when its start is at or after
 * `startFrom` and before `startBefore`, and its end likewise. Absent bounds are open.
 */
export interface Region {
  readonly startFrom?: string
  readonly startBefore?: string
  readonly endFrom?: string
  readonly endBefore?: string
}

/** The region of bounds; undefined where one is the last second there is, which no half-open range reaches. */
export function regionOf(bounds: Dates): Region | undefined {
  const region: { -readonly [Edge in keyof Region]: Region[Edge] } = {}
  for (const { name, compares } of DATE_FILTERS) {
    const bound = bounds[name]
    if (bound === undefined) continue
    const [column, operator] = compares
    const isNext = operator === '>' || operator === '<='
    const moment = isNext ? addToLocal(bound, { seconds: 1 }) : bound
    if (isNext && moment === bound) return undefined
    const isFrom = operator === '>' || operator === '>='
    const side = column === 'start_local' ? 'start' : 'end'
    const edge = isFrom ? (`${side}From` as const) : (`${side}Before` as const)
    const other = region[edge]
    if (other === undefined || (isFrom ? moment > other : moment < other)) region[edge] = moment
  }
  return region
}
