import type { TermKey } from '../../model/resource.ts'
import type { Reader } from '../../storage/engine.ts'
import { TAXONOMY_LINKS } from './tables.ts'

/** Events that use a term directly, whatever their status, by ID. */
export async function eventsWith(reader: Reader, key: TermKey, id: number): Promise<number[]> {
  const { links, target } = TAXONOMY_LINKS[key]
  const rows = await reader.all(
    reader.db.selectFrom(links).select('event_id').where(target, '=', id).orderBy('event_id'),
  )
  return rows.map((row) => row.event_id)
}
