import { expressionBuilder, sql } from 'kysely'
import type { Reader } from '../../../../storage/engine.ts'
import type { Database } from '../../../../storage/schema.ts'
import { inList, operand } from '../../../../storage/statement-template.ts'
import type { Candidates, RowContext } from '../conditions.ts'
import { type ActiveEventFilter, eventConditions, type TargetCondition } from '../filters.ts'
import { byCandidates } from './by-candidates.ts'
import { orderByStart } from './order.ts'
import type { BuiltList, Way } from './way.ts'

/** The targets that a list starts from, and its other filters. */
export interface Start {
  /** Name of the filter that names them. */
  readonly name: string
  readonly target: TargetCondition
  /** The single status that the list shows, whoever owns the rows. */
  readonly status: string
  readonly others: readonly ActiveEventFilter[]
}

const LINK_COLUMNS = [
  'occurrence_link.start_local',
  'occurrence_link.published_at',
  'occurrence_link.occurrence_id',
] as const

/**
 * Reads the list of one target in order, from the copies in its relations; the lists of several targets are merged, and
 * an event on several of them is listed once.
 */
export function byTarget(start: Start): Way {
  const [only, ...more] = start.target.ids
  if (only === undefined) throw new Error('there are no targets')
  if (more.length === 0)
    return {
      covers: [start.name],
      tellsTotal: false,
      page: (reader, list) =>
        listOf(reader, list, { start, id: only })
          .select(['occurrence.id', 'occurrence_link.start_local'])
          .limit(operand(list.limit))
          .offset(operand(list.offset))
          .orderBy(orderByStart(list, LINK_COLUMNS)),
      total: (reader, list) =>
        listOf(reader, list, { start, id: only }).select((row) => row.fn.countAll<number>().as('total')),
    }
  return {
    covers: [],
    tellsTotal: false,
    page: (reader, list) => {
      const columns = (id: number) =>
        listOf(reader, list, { start, id }).select([
          sql.ref<string>('occurrence_link.start_local').as('start_local'),
          sql.ref<string>('occurrence_link.published_at').as('published_at'),
          sql.ref<number>('occurrence_link.occurrence_id').as('id'),
        ])
      const merged = columns(only).union(more.map(columns))
      const ordered = merged.orderBy(orderByStart(list, ['start_local', 'published_at', 'id']))
      return ordered.limit(operand(list.limit)).offset(operand(list.offset))
    },
    total: byCandidates(start.others, { wanted: start.target, candidates: eventsOf }).total,
  }
}

/** The events of any of several targets, but for those that start before the list does. */
export function eventsOf({ kind, ids }: TargetCondition, { engine }: RowContext, { query }: BuiltList): Candidates {
  const { start_date } = query.bounds
  const start = start_date === undefined ? sql`` : sql`and occurrence_link.start_local >= ${start_date}`
  return {
    events: sql`(select distinct occurrence_link.event_id as id from occurrence_link
    where occurrence_link.kind = ${kind} and ${inList(engine, 'occurrence_link.target_id', ids)} ${start})`,
  }
}

const occurrence = expressionBuilder<Database, 'occurrence'>()

/** The list of one target; the cross join keeps that order on SQLite. */
function listOf(
  { db, engine }: Reader,
  { query }: BuiltList,
  { start: { target, status, others }, id }: { readonly start: Start; readonly id: number },
) {
  const { start_date, starts_before } = query.bounds
  const from = db
    .selectFrom('occurrence_link')
    .crossJoin('occurrence')
    .whereRef('occurrence.id', '=', 'occurrence_link.occurrence_id')
    .where('occurrence_link.kind', '=', target.kind)
    .where('occurrence_link.target_id', '=', id)
    .where('occurrence_link.listed', '=', 1)
    .where('occurrence_link.status', '=', status)
  const ended =
    starts_before === undefined ? from : from.where('occurrence_link.start_local', '<', operand(starts_before))
  const rows = start_date === undefined ? ended : ended.where('occurrence_link.start_local', '>=', operand(start_date))
  return rows.where(() => occurrence.and(eventConditions({ row: occurrence, engine }, query.bounds, others)))
}
