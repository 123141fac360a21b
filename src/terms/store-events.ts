import type { TermKey } from '../model/resource.ts'
import type { Reader } from '../storage/engine.ts'
import type { EventTable } from '../storage/schema.ts'
import { TAXONOMY_LINKS } from './tables.ts'

/** The columns of an event that decide who may see its terms. */
export type EventAccess = Pick<EventTable, 'author_id' | 'status' | 'password_hash'>

/** Who may see the terms of an event; undefined when it does not exist. */
export function eventAccess(reader: Reader, id: number): Promise<EventAccess | undefined> {
  return reader.first(
    reader.db.selectFrom('event').select(['author_id', 'status', 'password_hash']).where('id', '=', id),
  )
}

/** Events that use a term directly, whatever their status, by id. */
export async function eventsWith(reader: Reader, key: TermKey, id: number): Promise<number[]> {
  const { links, target } = TAXONOMY_LINKS[key]
  const rows = await reader.all(
    reader.db.selectFrom(links).select('event_id').where(target, '=', id).orderBy('event_id'),
  )
  return rows.map((row) => row.event_id)
}
