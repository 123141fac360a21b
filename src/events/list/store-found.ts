import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Visibility } from '../../entries/listing.ts'
import type { EngineName, Reader } from '../../storage/engine.ts'
import { afterwards } from '../../storage/expressions.ts'
import { type Given, operand } from '../../storage/kept-statement.ts'
import type { Database } from '../../storage/schema.ts'
import { type BuiltQuery, compared, eventConditions, isShown, searchedText } from './filters.ts'
import type { Candidates } from './store-candidates.ts'

/** Who asks, and for which part of a list. */
interface Page {
  readonly visibility: Visibility
  readonly limit: Given<number>
  readonly offset: Given<number>
}

/**
 * A page of a list that begins with events, each row with the total: what hundreds of thousands of them are asked for
 * is read once, counted and sorted. Beyond the last event there is no row to tell the total.
 */
export function foundPage(reader: Reader, candidates: Candidates, { visibility, limit, offset }: Page) {
  const found = foundOccurrences(reader, candidates, visibility).select([
    'occurrence.event_id',
    'occurrence.id',
    momentOf(reader.engine, 'start_local').as('starts'),
    momentOf(reader.engine, 'published_at').as('published'),
  ])
  return reader.db
    .with(
      (hits) => hits('hits').materialized(),
      () => found,
    )
    .selectFrom('hits')
    .select(['event_id', sql<number>`(select count(*) from hits)`.as('total')])
    .orderBy('starts')
    .orderBy('published')
    .orderBy('id')
    .limit(operand(limit))
    .offset(operand(offset))
}

/**
 * Occurrences of certain events, each found by its event. All else is asked of these: an event has one occurrence, so that
 * no index finds it sooner, and SQLite without statistics does not know that.
 */
export function foundOccurrences(
  { db, engine }: Reader,
  { events, hidden, rest: { bounds, ...rest } }: Candidates,
  visibility: Visibility,
) {
  return db
    .selectFrom(sql<{ id: number }>`${events}`.as('found'))
    .crossJoin('occurrence')
    .where('occurrence.event_id', '=', hidden === undefined ? sql.ref<number>('found.id') : sql<number>`abs(found.id)`)
    .where('occurrence.listed', '=', 1)
    .where((row) => {
      const others = eventConditions(row, { ...rest, bounds: {} }, engine)
      const named = hidden === undefined ? [] : [sql<SqlBool>`found.id = ${searchedText(row, hidden)}`]
      return afterwards(
        engine,
        row.and([isShown(row, visibility), ...named, ...momentConditions(engine, bounds), ...others]),
      )
    })
}

const occurrence = expressionBuilder<Database, 'occurrence'>()

/** A moment on a clock, as these lists compare and order it. */
type Moment = RawBuilder<string | number>

/** SQLite has these moments as numbers in `occurrence_brief`, in the order of the texts, and need not read the row. */
function momentOf(engine: EngineName, column: 'start_local' | 'end_local' | 'published_at'): Moment {
  return momentAs(engine, occurrence.ref(`occurrence.${column}`))
}

function momentConditions(engine: EngineName, bounds: BuiltQuery['bounds']): Expression<SqlBool>[] {
  return compared(bounds, (column, operator, bound) =>
    occurrence(momentOf(engine, column), operator, momentAs(engine, bound)),
  )
}

function momentAs(engine: EngineName, text: Expression<string>): Moment {
  return engine === 'sqlite' ? sql<number>`unixepoch(${text})` : sql<string>`${text}`
}
