import { type Expression, expressionBuilder, type RawBuilder, sql } from 'kysely'
import type { EngineName, Reader } from '../../../storage/engine.ts'
import { afterwards } from '../../../storage/expressions.ts'
import type { Database } from '../../../storage/schema.ts'
import { operand } from '../../../storage/statement-template.ts'
import { compared } from '../bounds.ts'
import { type Asked, type Candidates, isShown } from '../conditions.ts'
import { eventConditions, type SentFilter } from '../filters.ts'
import type { BuiltList, Way } from './way.ts'

/**
 * Reads the few events that a list can hold, counts and sorts them: what hundreds of thousands of them are asked for is
 * read once. Beyond the last event there is no row to tell the total.
 */
export function byCandidates(
  list: BuiltList,
  others: readonly SentFilter[],
  candidates: (asked: Asked) => Candidates,
): Way {
  const found = (reader: Reader) => rowsOf(reader, list, { others, candidates })
  return {
    answers: [],
    tellsTotal: true,
    page: (reader) =>
      reader.db
        .with(
          (hits) => hits('hits').materialized(),
          () =>
            found(reader).select([
              'occurrence.event_id',
              'occurrence.id',
              columnAs(reader.engine, 'start_local').as('starts'),
              columnAs(reader.engine, 'published_at').as('published'),
            ]),
        )
        .selectFrom('hits')
        .select(['event_id', sql<number>`(select count(*) from hits)`.as('total')])
        .orderBy('starts')
        .orderBy('published')
        .orderBy('id')
        .limit(operand(list.limit))
        .offset(operand(list.offset)),
    total: (reader) => found(reader).select((row) => row.fn.countAll<number>().as('total')),
  }
}

const row = expressionBuilder<Database, 'occurrence'>()

/**
 * Each occurrence is found by its event, and all else is asked of these: an event has one occurrence, so that no index
 * finds it sooner, and SQLite without statistics does not know that.
 */
function rowsOf(
  { db, engine }: Reader,
  { query, visibility }: BuiltList,
  { others, candidates }: { readonly others: readonly SentFilter[]; readonly candidates: (asked: Asked) => Candidates },
) {
  const { events, isSigned, also = [] } = candidates({ row, engine })
  return db
    .selectFrom(sql<{ id: number }>`${events}`.as('found'))
    .crossJoin('occurrence')
    .where('occurrence.event_id', '=', isSigned === true ? sql<number>`abs(found.id)` : sql.ref<number>('found.id'))
    .where('occurrence.listed', '=', 1)
    .where(() => {
      const bounds = compared(query.bounds, (column, operator, bound) =>
        row(columnAs(engine, column), operator, momentAs(engine, bound)),
      )
      const conditions = eventConditions({ row, engine }, {}, others)
      return afterwards(engine, row.and([isShown(row, visibility), ...bounds, ...also, ...conditions]))
    })
}

/** A moment on a clock, as these lists compare and order it. */
type Moment = RawBuilder<string | number>

/** SQLite has these moments as numbers in `occurrence_brief`, in the order of the texts, and need not read the row. */
function columnAs(engine: EngineName, column: 'start_local' | 'end_local' | 'published_at'): Moment {
  return momentAs(engine, row.ref(`occurrence.${column}`))
}

function momentAs(engine: EngineName, text: Expression<string>): Moment {
  return engine === 'sqlite' ? sql<number>`unixepoch(${text})` : sql<string>`${text}`
}
