import { type Expression, expressionBuilder, type RawBuilder, sql } from 'kysely'
import type { EngineName, Reader } from '../../../../storage/engine.ts'
import { afterwards } from '../../../../storage/expressions.ts'
import type { Database } from '../../../../storage/schema.ts'
import { operand } from '../../../../storage/statement-template.ts'
import { conditionsOf } from '../../../shared/filters.ts'
import { comparisonsOf } from '../bounds.ts'
import { type Candidates, isListed, isShown, type RowContext } from '../conditions.ts'
import type { ActiveEventFilter } from '../filters.ts'
import { sortingOf } from './order.ts'
import type { BuiltList, Way } from './way.ts'

const COLUMNS = ['starts', 'published', 'id'] as const

/** Where a list starts from: what finds its candidates, and what that is to find. */
interface Origin<Wanted> {
  readonly wanted: Wanted
  readonly candidates: (wanted: Wanted, context: RowContext, list: BuiltList) => Candidates
}

/**
 * Reads the few events that can be on the list, counts and sorts them in one pass. A page beyond the last event has no
 * row that contains the total.
 */
export function byCandidates<Wanted>(others: readonly ActiveEventFilter[], origin: Origin<Wanted>): Way {
  const found = (reader: Reader, list: BuiltList) => rowsOf(reader, list, { others, origin })
  return {
    covers: [],
    tellsTotal: true,
    page: (reader, list) => {
      const { key, orderBy } = sortingOf(reader.engine, list, { columns: COLUMNS, place: 'place' })
      const start = { engine: reader.engine, column: 'starts' }
      return reader.db
        .with(
          (hits) => hits('hits').materialized(),
          () =>
            found(reader, list).select([
              'occurrence.id',
              columnAs(reader.engine, 'start_local').as('starts'),
              columnAs(reader.engine, 'published_at').as('published'),
              ...(key === undefined ? [] : [sql`${key}`.as('place')]),
            ]),
        )
        .selectFrom('hits')
        .select(['id', sql<number>`(select count(*) from hits)`.as('total')])
        .$if(key === undefined, (rows) => rows.select(textOf(start).as('start_local')))
        .orderBy(orderBy)
        .limit(operand(list.limit))
        .offset(operand(list.offset))
    },
    total: (reader, list) => found(reader, list).select((row) => row.fn.countAll<number>().as('total')),
  }
}

const row = expressionBuilder<Database, 'occurrence'>()

/**
 * Finds each occurrence by its event and applies everything else as conditions: most events have one occurrence, so no
 * index finds it sooner, which SQLite does not know without statistics.
 */
function rowsOf<Wanted>(
  { db, engine }: Reader,
  list: BuiltList,
  { others, origin }: { readonly others: readonly ActiveEventFilter[]; readonly origin: Origin<Wanted> },
) {
  const { query, visibility } = list
  const { events, isSigned, also = [] } = origin.candidates(origin.wanted, { row, engine }, list)
  return db
    .selectFrom(sql<{ id: number }>`${events}`.as('found'))
    .crossJoin('occurrence')
    .where('occurrence.event_id', '=', isSigned === true ? sql<number>`abs(found.id)` : sql.ref<number>('found.id'))
    .where(isListed(row, visibility))
    .where(() => {
      const bounds = comparisonsOf(query.bounds).map(({ column, operator, bound }) =>
        row(columnAs(engine, column), operator, momentAs(engine, bound)),
      )
      const conditions = [isShown(row, visibility), ...bounds, ...also, ...conditionsOf(others, { row, engine })]
      return afterwards(engine, row.and(conditions))
    })
}

/** A moment on a clock, as these lists compare and order it. */
type Moment = RawBuilder<string | number>

/** SQLite has these moments as numbers in `occurrence_brief`, in the order of the texts, and need not read the row. */
function columnAs(engine: EngineName, column: 'start_local' | 'end_local' | 'published_at'): Moment {
  return momentAs(engine, row.ref(`occurrence.${column}`))
}

/** The text of a moment. */
function textOf({ engine, column }: { readonly engine: EngineName; readonly column: string }): RawBuilder<string> {
  return engine === 'sqlite' ? sql<string>`datetime(${sql.ref(column)}, 'unixepoch')` : sql<string>`${sql.ref(column)}`
}

function momentAs(engine: EngineName, text: Expression<string>): Moment {
  return engine === 'sqlite' ? sql<number>`unixepoch(${text})` : sql<string>`${text}`
}
