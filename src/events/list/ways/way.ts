import type { Visibility } from '../../../entries/listing.ts'
import type { Compilable, Reader } from '../../../storage/engine.ts'
import type { Given } from '../../../storage/statement-template.ts'
import { isShown } from '../conditions.ts'
import type { BuiltQuery, SentFilter } from '../filters.ts'
import { eventConditions } from '../filters.ts'

/** A list as its statements are built from it: where they are kept, bounds, limit and offset are places. */
export interface BuiltList {
  readonly query: BuiltQuery
  readonly visibility: Visibility
  readonly limit: Given<number>
  readonly offset: Given<number>
}

/** An event of a page. */
export interface PageRow {
  readonly event_id: number
  /** Number of events on all pages, a decimal text from PostgreSQL; only of ways that tell it. */
  readonly total?: number | string
}

/** How a list is read. */
export interface Way {
  /** The filters that the way leads to by an index; where there are others, it may read much before it has found enough. */
  readonly answers: readonly string[]
  /** Whether each row of a page tells the total, because the page is sorted from all rows. */
  readonly tellsTotal: boolean
  /** Event ids of one page: by start on the event's own clock, then publication date, then id (wire: events 2.3). */
  page(reader: Reader): Compilable<PageRow>
  /** One row with the number of events on all pages. */
  total(reader: Reader): Compilable<{ total: number | string }>
}

/** The rows of `occurrence` that meet everything that a list asks for, but for filters that are met already. */
export function matching(
  { db, engine }: Reader,
  { query, visibility }: Pick<BuiltList, 'query' | 'visibility'>,
  sent: readonly SentFilter[],
) {
  return db
    .selectFrom('occurrence')
    .where('occurrence.listed', '=', 1)
    .where((row) => isShown(row, visibility))
    .where((row) => row.and(eventConditions({ row, engine }, query.bounds, sent)))
}
