import { type Expression, expressionBuilder, type RawBuilder, sql } from 'kysely'
import type { EngineName } from '../../../../storage/engine.ts'
import type { Database } from '../../../../storage/schema.ts'
import { entryFirstLine, textRank } from '../../../../storage/text-order.ts'
import { columnOf, distanceFrom } from '../conditions.ts'
import type { BuiltList } from './way.ts'

const row = expressionBuilder<Database, 'occurrence'>()

/** The columns of rows that a list is read from, as it sorts them by start. */
type StartColumns = readonly [start: string, published: string, id: string]

/** The `order by` of a list that is sorted by start, in either direction. */
export function orderByStart(list: Pick<BuiltList, 'order'>, columns: StartColumns): RawBuilder<unknown> {
  const isDescending = list.order?.descending === true
  return sql.join(columns.map((column) => (isDescending ? sql`${sql.ref(column)} desc` : sql.ref(column))))
}

/** How a list is sorted, in which columns its rows have the start, and in which the key, if that is one of them. */
interface SortedRows {
  readonly columns: StartColumns
  readonly place?: string
}

/** What a list is sorted by, undefined where that is the start, and its `order by`. */
export function sortingOf(engine: EngineName, list: BuiltList, { columns, place }: SortedRows) {
  const key = orderKey(engine, list)
  if (key === undefined) return { key, orderBy: orderByStart(list, columns) }
  return { key, orderBy: orderByKey(place === undefined ? key : sql.ref(place), list, columns) }
}

/** The `order by` of a list by a key; rows with the same one follow by their ID, or by start where the key says little. */
function orderByKey(
  key: Expression<unknown>,
  { order }: Pick<BuiltList, 'order'>,
  columns: StartColumns,
): RawBuilder<unknown> {
  const isRough = order?.by === 'distance' || order?.by === 'relevance'
  const ties = (isRough ? columns : columns.slice(-1)).map((column) => sql.ref(column))
  return sql.join([order?.descending === true ? sql`${key} desc` : key, ...ties])
}

/** What a list is sorted by, of a row of `occurrence`; undefined for a list that is sorted by start. */
function orderKey(engine: EngineName, { order, query }: BuiltList): Expression<unknown> | undefined {
  const id = row.ref('occurrence.event_id')
  switch (order?.by) {
    case 'published':
      return row.ref('occurrence.published_at')
    case 'modified':
      return columnOf('modified_at')
    case 'title':
      return entryFirstLine(engine, id)
    case 'distance':
      return query.geoloc_lat && distanceFrom(query.geoloc_lat)
    case 'relevance':
      return textRank(engine, id, query.search?.words ?? [])
    default:
      return undefined
  }
}
