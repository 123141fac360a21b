import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Condition } from '../../entries/filters.ts'
import type { Database } from '../../storage/schema.ts'
import { derived, type Given, operand } from '../../storage/statement-template.ts'
import { addToLocal } from '../../time/zones.ts'
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
