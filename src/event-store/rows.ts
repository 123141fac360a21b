import type { Selector } from '../http/resource.ts'
import type { Reader } from '../storage/engine.ts'
import { idsTemplate } from '../storage/expressions.ts'
import { type GivenAll, operand, statementTemplate } from '../storage/statement-template.ts'
import type { EventRow } from './event-row.ts'
import { EVENT_SELECTION } from './relations.ts'

/** The event that a path names, whatever its status. */
export async function findEvent(reader: Reader, selector: Selector): Promise<EventRow | undefined> {
  const asked = { shape: selector.by, values: selector.by === 'id' ? { id: selector.id } : { slug: selector.slug } }
  return reader.first(eventWith(reader, asked))
}

const eventWith = statementTemplate(
  (reader, by: Selector['by'], { id = 0, slug = '' }: GivenAll<{ readonly id?: number; readonly slug?: string }>) => {
    const query = reader.db.selectFrom('event').select(EVENT_SELECTION)
    return by === 'id' ? query.where('id', '=', operand(id)) : query.where('slug', '=', operand(slug))
  },
)

/** Whether an id was ever given to something that is no event. */
export async function isOtherKind(reader: Reader, id: number): Promise<boolean> {
  const row = await reader.first(reader.db.selectFrom('entry').select('kind').where('id', '=', id))
  return row !== undefined && row.kind !== 'event' && row.kind !== 'occurrence'
}

/** The events with these ids, in the order of the ids; ids without an event are left out. */
export async function eventsByIds(reader: Reader, ids: readonly number[]): Promise<EventRow[]> {
  if (ids.length === 0) return []
  const rows = await reader.all(eventsWith(reader, ids))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const eventsWith = idsTemplate((reader, hasId) =>
  reader.db.selectFrom('event').select(EVENT_SELECTION).where(hasId('event.id')),
)
