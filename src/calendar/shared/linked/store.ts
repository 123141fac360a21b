import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Paging } from '../../../http/paging.ts'
import type { Selector } from '../../../http/resource.ts'
import type { AnyField } from '../../../model/kinds/field.ts'
import type { EngineName, Reader, Transaction } from '../../../storage/engine.ts'
import { deleteSearchText, setLineage } from '../../../storage/entry-texts.ts'
import { type Database, LINK_KIND } from '../../../storage/schema.ts'
import { textRank } from '../../../storage/text-order.ts'
import { deleteTarget } from '../../event-store/target.ts'
import { activeFilters } from '../filters.ts'
import { metresTo } from '../filters-distance.ts'
import type { Visibility } from '../listing.ts'
import { type AnyLinkedFilter, type LinkedQuery, linkedConditions, visible } from './filters.ts'
import type { LinkedRoom } from './room.ts'
import type { LinkedContent, LinkedKey, LinkedRow } from './row.ts'

/** A page of IDs, in their order, and the number of all rows that the query finds. */
export interface LinkedPage {
  readonly ids: readonly number[]
  readonly total: number
}

const build = expressionBuilder<Database, never>()

/** A list of a module: its table, and the filters that it has. */
export interface LinkedList {
  readonly key: LinkedKey
  readonly filters: readonly AnyLinkedFilter[]
}

/** The page of a list (wire: rest 2.4: by publication date descending, unless the query says otherwise). */
export async function pageOf(
  reader: Reader,
  { key, filters }: LinkedList,
  { query, paging }: { readonly query: LinkedQuery; readonly paging: Paging },
): Promise<LinkedPage> {
  const sent = activeFilters(filters, query)
  const { visibility, order } = query
  // An index leads to a near page of all items in one status, whoever owns them.
  const isLed =
    sent.length === 0 &&
    (order === undefined || order.by === 'published') &&
    visibility.ofAll.length === 1 &&
    visibility.ofOwn.length === 0
  const conditions = linkedConditions(query, sent, { key, engine: reader.engine })
  const rows = await reader.all(
    reader.db
      .selectFrom(key)
      .select('id')
      .where(build.and(conditions))
      .orderBy(orderedBy(reader.engine, key, query))
      .limit(paging.perPage)
      .offset(Math.min(paging.offset, Number.MAX_SAFE_INTEGER)),
    isLed && paging.offset <= NEAR_OFFSET ? 'inline' : 'offloaded',
  )
  const ids = rows.map((row) => row.id)
  const isLast = ids.length < paging.perPage && (ids.length > 0 || paging.offset === 0)
  return { ids, total: isLast ? paging.offset + ids.length : await totalOf(reader, key, conditions) }
}

/** The `order by` of a list; items with the same key follow by their ID. */
function orderedBy(engine: EngineName, key: LinkedKey, query: LinkedQuery): Expression<unknown> {
  const { order } = query
  const direction = order?.descending === false ? sql`asc` : sql`desc`
  const place = orderKey(engine, key, query)
  return place === undefined ? sql`published_at ${direction}, id ${direction}` : sql`${place} ${direction}, id`
}

/** What a list is sorted by; undefined for one that is sorted by publication. */
function orderKey(
  engine: EngineName,
  key: LinkedKey,
  { order, ...query }: LinkedQuery,
): Expression<unknown> | undefined {
  switch (order?.by) {
    case 'modified':
      return sql.ref('modified_at')
    case 'title':
      return sql.ref('name_folded')
    case 'distance':
      return query.geoloc_lat && metresTo(query.geoloc_lat)
    case 'relevance':
      return textRank(engine, sql.ref(`${key}.id`), query.search?.words ?? [])
    default:
      return undefined
  }
}

/** Rows before a page that are read in no time. */
const NEAR_OFFSET = 1_000

async function totalOf(reader: Reader, key: LinkedKey, conditions: readonly Expression<SqlBool>[]): Promise<number> {
  const query = reader.db
    .selectFrom(key)
    .select((row) => row.fn.countAll<number>().as('total'))
    .where(build.and(conditions))
  return Number((await reader.first(query, 'offloaded'))?.total ?? 0)
}

/** The row that a path names, whatever its status; undefined if there is none. */
export async function findRow<Content extends LinkedContent>(
  reader: Reader,
  { key, rows }: { readonly key: LinkedKey; readonly rows: LinkedRoom<readonly AnyField[], Content>['rows'] },
  selector: Selector,
): Promise<LinkedRow<Content> | undefined> {
  const id = selector.by === 'id' ? selector.id : await idBySlug(reader, key, selector.slug)
  const [row] = id === undefined ? [] : await rows(reader, [id])
  return row
}

async function idBySlug(reader: Reader, key: LinkedKey, slug: string): Promise<number | undefined> {
  return (await reader.first(reader.db.selectFrom(key).select('id').where('slug', '=', slug)))?.id
}

/** What makes an item the one that a create describes already (decisions: Duplicates). */
export interface DuplicateQuery {
  readonly name_folded: string
  /** Columns that were sent with content, to be equal. */
  readonly equal: Readonly<Record<string, unknown>>
  /** Which items the caller may read; none of them in the trash. */
  readonly visibility: Visibility
}

/** The lowest ID among the items that a create describes; undefined when it describes a new one. */
export async function duplicateOf(
  tx: Transaction,
  key: LinkedKey,
  duplicate: DuplicateQuery,
): Promise<number | undefined> {
  const equal = Object.entries(duplicate.equal).map(
    ([column, value]) => sql<SqlBool>`${sql.ref(`${key}.${column}`)} = ${value}`,
  )
  const query = tx.db
    .selectFrom(key)
    .select('id')
    .where('name_folded', '=', duplicate.name_folded)
    .where(build.and([...equal, visible(key, duplicate.visibility)]))
  return (await tx.first(query.orderBy('id').limit(1)))?.id
}

/** Deletes an item permanently with its relations, search text and lineage; the IDs of the events that had it. */
export async function removeRow(tx: Transaction, key: LinkedKey, id: number): Promise<number[]> {
  const relation = tx.db.deleteFrom(`event_${key}`).where(sql.ref(`${key}_id`), '=', id)
  const events = await tx.all(relation.returning('event_id'))
  await deleteTarget(tx, { kind: LINK_KIND[key], id })
  await deleteSearchText(tx, id)
  await setLineage(tx, { id, globalIds: [] })
  await tx.run(tx.db.deleteFrom(key).where('id', '=', id))
  return events.map((event) => event.event_id)
}

/** Whether there is a user with this ID, able to sign in or not. */
export async function hasUser(reader: Reader, id: number): Promise<boolean> {
  return (await reader.first(reader.db.selectFrom('user').select('id').where('id', '=', id))) !== undefined
}

/** Most items that one transaction publishes. */
const BATCH = 100

/** Items of status `future` that are due at a moment (UTC text), the oldest first; at most a batch. */
export async function idsDue(tx: Transaction, key: LinkedKey, at: string): Promise<number[]> {
  const query = tx.db.selectFrom(key).select('id').where('status', '=', 'future').where('published_at', '<=', at)
  return (await tx.all(query.orderBy('published_at').limit(BATCH))).map((row) => row.id)
}
