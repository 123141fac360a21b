import { sql } from 'kysely'
import { record } from '../journal/append.ts'
import type { Reader, Transaction } from '../storage/engine.ts'
import { inList } from '../storage/expressions.ts'
import type { EventTable } from '../storage/schema.ts'

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

type Links = Record<(typeof RELATIONS)[number], number[]>

/**
 * Counts a change of each of these events and writes it to the journal, by id: what they were linked to is gone for
 * good, and the links and columns that named it have been changed already.
 */
export async function touchEvents(
  tx: Transaction,
  ids: readonly number[],
  agent: { readonly actor: number | null; readonly at: string },
): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx.all(
    tx.db
      .updateTable('event')
      .set((eb) => ({ revision: eb('revision', '+', 1) }))
      .where(inList(tx.engine, 'id', ids))
      .returning(COLUMNS),
  )
  const links = await linksOf(tx, ids)
  for (const { password_hash, ...row } of rows.sort((a, b) => a.id - b.id)) {
    const { id, revision } = row
    const snapshot = { ...row, has_password: password_hash !== null, links: links.get(id) ?? noLinks() }
    const { actor, at } = agent
    record(tx, { actor, at, resource: 'event', id, revision, action: 'update', snapshot })
  }
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
