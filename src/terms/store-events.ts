import { sql } from 'kysely'
import type { TermKey } from '../model/resource.ts'
import type { Reader, Transaction } from '../storage/engine.ts'
import { inList } from '../storage/expressions.ts'
import type { EventTable } from '../storage/schema.ts'
import { SHAPES } from './shape.ts'

/** What of an event decides who may see its terms. */
export type EventAccess = Pick<EventTable, 'author_id' | 'status' | 'password_hash'>

/** Who may see the terms of an event; undefined when there is no such event. */
export function eventAccess(reader: Reader, id: number): Promise<EventAccess | undefined> {
  return reader.first(
    reader.db.selectFrom('event').select(['author_id', 'status', 'password_hash']).where('id', '=', id),
  )
}

/** Events that use a term directly, whatever their status, by id. */
export async function eventsWith(reader: Reader, key: TermKey, id: number): Promise<number[]> {
  const { links, target } = SHAPES[key]
  const rows = await reader.all(
    reader.db.selectFrom(links).select('event_id').where(target, '=', id).orderBy('event_id'),
  )
  return rows.map((row) => row.event_id)
}

const COLUMNS = [
  'id',
  'author_id',
  'status',
  'trashed_from',
  'slug',
  'published_at',
  'modified_at',
  'description',
  'excerpt',
  'image_id',
  'image_recorded',
  'extra',
  'revision',
  'title',
  'all_day',
  'start_local',
  'end_local',
  'start_utc',
  'end_utc',
  'timezone',
  'cost',
  'cost_symbol',
  'cost_position',
  'website',
  'show_map',
  'show_map_link',
  'hide_from_listings',
  'sticky',
  'featured',
  'password_hash',
  'post_parent',
  'tickets',
  'custom_fields',
] as const satisfies readonly (keyof EventTable)[]

const RELATIONS = ['venue', 'organizer', 'category', 'tag'] as const

/** Ids that an event refers to, each list in its order. */
type Links = Record<(typeof RELATIONS)[number], number[]>

/** An event as the journal keeps it: with its relations, without its secret. */
export type EventSnapshot = Omit<EventTable, 'password_hash'> & {
  readonly has_password: boolean
  readonly links: Links
}

/** Counts a change of each of the events and returns them as they are now, by id. */
export async function touchEvents(tx: Transaction, ids: readonly number[]): Promise<EventSnapshot[]> {
  if (ids.length === 0) return []
  const rows = await tx.all(
    tx.db
      .updateTable('event')
      .set((eb) => ({ revision: eb('revision', '+', 1) }))
      .where(inList(tx.engine, 'id', ids))
      .returning(COLUMNS),
  )
  const links = await linksOf(tx, ids)
  const snapshots = rows.map(({ password_hash, ...row }) => ({
    ...row,
    has_password: password_hash !== null,
    links: links.get(row.id) ?? noLinks(),
  }))
  return snapshots.sort((a, b) => a.id - b.id)
}

async function linksOf(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, Links>> {
  const links = new Map(ids.map((id) => [id, noLinks()]))
  for (const relation of RELATIONS) {
    const table = `event_${relation}` as const
    const rows = await reader.all(
      reader.db
        .selectFrom(table)
        .select(['event_id', sql<number>`${sql.ref(`${relation}_id`)}`.as('target_id')])
        .where(inList(reader.engine, 'event_id', ids))
        .orderBy('position'),
    )
    for (const row of rows) links.get(row.event_id)?.[relation].push(row.target_id)
  }
  return links
}

function noLinks(): Links {
  return { venue: [], organizer: [], category: [], tag: [] }
}
