import { sql } from 'kysely'
import type { Compilable, Reader } from '../../../../storage/engine.ts'
import { afterwards } from '../../../../storage/expressions.ts'
import type { Given } from '../../../../storage/statement-template.ts'
import { conditionsOf } from '../../../shared/filters.ts'
import type { ListOrder, Visibility } from '../../../shared/listing.ts'
import { isListed, isShown } from '../conditions.ts'
import { type ActiveEventFilter, type BuiltQuery, eventConditions } from '../filters.ts'

/** The list of a statement; in a template, bounds, limit and offset are placeholders. */
export interface BuiltList {
  readonly query: BuiltQuery
  readonly visibility: Visibility
  readonly limit: Given<number>
  readonly offset: Given<number>
  /** By start if absent, and with `include` by publication. */
  readonly order?: ListOrder | undefined
}

/** An event of a page. */
export interface PageRow {
  /** That of the occurrence: of the event, or of the further date. */
  readonly id: number
  /** Its start, in lists that are read in the order of their starts; absent where all rows are found before they are sorted. */
  readonly start_local?: string
  /** Number of events on all pages, a decimal text from PostgreSQL; only from ways that count it. */
  readonly total?: number | string
}

/** How a list is read; the same for all lists that differ by the values of their bounds, limit and offset alone. */
export interface Way {
  /** The filters that the way leads to by an index; where there are others, it may read much before it has found enough. */
  readonly covers: readonly string[]
  /** Whether each row of a page contains the total, because the page is sorted from all rows. */
  readonly tellsTotal: boolean
  /** Event IDs of one page: by start on the event's own clock, then publication date, then ID (wire: events 2.3), unless the list says. */
  page(reader: Reader, list: BuiltList): Compilable<PageRow>
  /** One row with the number of events on all pages. */
  total(reader: Reader, list: BuiltList): Compilable<{ total: number | string }>
}

/**
 * The rows of `occurrence` that match all filters but those that are met already. Where a filter names the events
 * themselves, they are found by their IDs: without statistics SQLite would walk all that anyone may see.
 */
export function matching(
  { db, engine }: Reader,
  { query, visibility }: Pick<BuiltList, 'query' | 'visibility'>,
  sent: readonly ActiveEventFilter[],
) {
  const named = sent.filter(({ filter }) => filter.isById)
  const others = sent.filter(({ filter }) => !filter.isById)
  return db
    .selectFrom('occurrence')
    .where((row) => row.and(conditionsOf(named, { row, engine })))
    .where((row) => {
      const conditions = [
        isListed(row, visibility),
        isShown(row, visibility),
        ...eventConditions({ row, engine }, query.bounds, others),
      ]
      return named.length === 0 ? row.and(conditions) : afterwards(engine, row.and(conditions))
    })
}

/** The number of rows that `matching` finds; where a list has each series once, without finding its first date. */
export function totalOf(reader: Reader, list: BuiltList, sent: readonly ActiveEventFilter[]) {
  const others = sent.filter(({ filter }) => filter.name !== 'hide_subsequent_recurrences')
  if (others.length === sent.length)
    return matching(reader, list, sent).select((row) => row.fn.countAll<number>().as('total'))
  return matching(reader, list, others)
    .leftJoin('series_date', 'series_date.id', 'occurrence.id')
    .select(sql<number>`count(distinct coalesce(series_date.series_id, occurrence.id))`.as('total'))
}
