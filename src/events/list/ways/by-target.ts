import { expressionBuilder, sql } from 'kysely'
import type { Reader } from '../../../storage/engine.ts'
import { inList } from '../../../storage/expressions.ts'
import type { Database } from '../../../storage/schema.ts'
import { operand } from '../../../storage/statement-template.ts'
import type { Candidates } from '../conditions.ts'
import { eventConditions, type SentFilter, type Target } from '../filters.ts'
import { byCandidates } from './by-candidates.ts'
import type { BuiltList, Way } from './way.ts'

/** The targets that a list starts from, and what its other filters ask. */
export interface Start {
  /** Name of the filter that names them. */
  readonly name: string
  readonly target: Target
  /** The one status of the rows that the list shows, whoever owns them. */
  readonly status: string
  readonly others: readonly SentFilter[]
}

/**
 * Reads the list of one target in its order, from the narrow copies of its relations; the lists of several targets are
 * merged, and an event that several of them have comes once.
 */
export function byTarget(list: BuiltList, start: Start): Way {
  const { limit, offset, query } = list
  const [only, ...more] = start.target.ids
  if (only === undefined) throw new Error('there are no targets')
  if (more.length === 0)
    return {
      answers: [start.name],
      tellsTotal: false,
      page: (reader) =>
        listOf(reader, list, { start, id: only })
          .select('occurrence.event_id')
          .limit(operand(limit))
          .offset(operand(offset))
          .orderBy(sql.ref('occurrence_link.start_local'))
          .orderBy(sql.ref('occurrence_link.published_at'))
          .orderBy(sql.ref('occurrence_link.occurrence_id')),
      total: (reader) =>
        listOf(reader, list, { start, id: only }).select((row) => row.fn.countAll<number>().as('total')),
    }
  return {
    answers: [],
    tellsTotal: false,
    page: (reader) => {
      const columns = (id: number) =>
        listOf(reader, list, { start, id }).select([
          'occurrence.event_id',
          sql.ref<string>('occurrence_link.start_local').as('start_local'),
          sql.ref<string>('occurrence_link.published_at').as('published_at'),
          sql.ref<number>('occurrence_link.occurrence_id').as('id'),
        ])
      const merged = columns(only).union(more.map(columns)).orderBy('start_local').orderBy('published_at').orderBy('id')
      return merged.limit(operand(limit)).offset(operand(offset))
    },
    total: byCandidates(list, start.others, ({ engine }) => eventsOf(engine, start.target, query.bounds)).total,
  }
}

/** The events of any of several targets, but for those that start before the list does. */
export function eventsOf(
  engine: Reader['engine'],
  { kind, ids }: Target,
  { start_date }: BuiltList['query']['bounds'],
): Candidates {
  const start = start_date === undefined ? sql`` : sql`and occurrence_link.start_local >= ${start_date}`
  return {
    events: sql`(select distinct occurrence_link.event_id as id from occurrence_link
    where occurrence_link.kind = ${kind} and ${inList(engine, 'occurrence_link.target_id', ids)} ${start})`,
  }
}

const occurrence = expressionBuilder<Database, 'occurrence'>()

/** The list of one target; cross join keeps that order on SQLite. */
function listOf(
  { db, engine }: Reader,
  { query }: BuiltList,
  { start: { target, status, others }, id }: { readonly start: Start; readonly id: number },
) {
  const { start_date } = query.bounds
  const from = db
    .selectFrom('occurrence_link')
    .crossJoin('occurrence')
    .whereRef('occurrence.id', '=', 'occurrence_link.occurrence_id')
    .where('occurrence_link.kind', '=', target.kind)
    .where('occurrence_link.target_id', '=', id)
    .where('occurrence_link.listed', '=', 1)
    .where('occurrence_link.status', '=', status)
  const rows = start_date === undefined ? from : from.where('occurrence_link.start_local', '>=', operand(start_date))
  return rows.where(() => occurrence.and(eventConditions({ row: occurrence, engine }, query.bounds, others)))
}
