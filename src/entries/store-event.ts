import { sql } from 'kysely'
import type { Reader } from '../storage/engine.ts'
import { idsStatement } from '../storage/ids-statement.ts'
import { ENTRY_COLUMNS, type EventTable, LINK_KIND } from '../storage/schema.ts'
import type { EventLinks, EventRow } from './event-row.ts'

/** The columns of an event, for selections. */
export const EVENT_COLUMNS = [
  ...ENTRY_COLUMNS,
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

/** The relations of events by event id; every id asked for has an entry. */
export async function linksOf(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, EventLinks>> {
  if (ids.length === 0) return new Map()
  const rows = await reader.all(linksWith(reader, ids))
  // Sorting five rows here takes less than merging four tables there.
  rows.sort((one, other) => one.position - other.position)
  const groups = Map.groupBy(rows, (row) => row.event_id)
  return new Map(ids.map((id) => [id, grouped(groups.get(id) ?? [])]))
}

const linksWith = idsStatement((reader, among) => {
  const part = (kind: keyof EventLinks) =>
    reader.db
      .selectFrom(`event_${kind}`)
      .select([
        sql.lit(LINK_KIND[kind]).as('kind'),
        'event_id',
        sql<number>`${sql.ref(`${kind}_id`)}`.as('target_id'),
        'position',
      ])
      .where(among(`event_${kind}.event_id`))
  return part('venue').unionAll(part('organizer')).unionAll(part('category')).unionAll(part('tag'))
})

function grouped(rows: readonly { readonly kind: number; readonly target_id: number }[]): EventLinks {
  const of = (kind: keyof EventLinks): number[] =>
    rows.filter((row) => row.kind === LINK_KIND[kind]).map((row) => row.target_id)
  return { venue: of('venue'), organizer: of('organizer'), category: of('category'), tag: of('tag') }
}

/** The row as the journal keeps it: with its relations and without its secret. */
export function snapshotOfEvent(row: EventRow, links: EventLinks): object {
  const { password_hash, ...readable } = row
  return { ...readable, has_password: password_hash !== null, links }
}
