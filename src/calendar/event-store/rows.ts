import type { Selector } from '../../http/resource.ts'
import type { Reader } from '../../storage/engine.ts'
import type { EventTable } from '../../storage/schema.ts'
import { type GivenAll, operand, statementTemplate } from '../../storage/statement-template.ts'
import { EVENT_SELECTION, type EventRow, isPlain } from './event-row.ts'
import { findDate, shownDates, storedEvents } from './series/rows.ts'

/** The event, or the date of a recurring one, that a path names, whatever its status. */
export async function findEvent(reader: Reader, selector: Selector): Promise<EventRow | undefined> {
  const row = await findStoredEvent(reader, selector)
  return row !== undefined && isPlain(row) ? row : findDate(reader, selector, row)
}

/** The row of `event` with an ID or slug as it is stored. */
export async function findStoredEvent(reader: Reader, selector: Selector): Promise<EventTable | undefined> {
  const asked = { shape: selector.by, values: selector.by === 'id' ? { id: selector.id } : { slug: selector.slug } }
  return reader.first(eventWith(reader, asked))
}

const eventWith = statementTemplate(
  (reader, by: Selector['by'], { id = 0, slug = '' }: GivenAll<{ readonly id?: number; readonly slug?: string }>) => {
    const query = reader.db.selectFrom('event').select(EVENT_SELECTION)
    return by === 'id' ? query.where('id', '=', operand(id)) : query.where('slug', '=', operand(slug))
  },
)

/** Whether an ID was ever given to something that is no event. */
export async function isOtherKind(reader: Reader, id: number): Promise<boolean> {
  const row = await reader.first(reader.db.selectFrom('entry').select('kind').where('id', '=', id))
  return row !== undefined && row.kind !== 'event' && row.kind !== 'occurrence'
}

/** The events and dates with these IDs, in the order of the IDs; IDs without one are left out. */
export async function eventsByIds(reader: Reader, ids: readonly number[]): Promise<EventRow[]> {
  if (ids.length === 0) return []
  const rows = await storedEvents(reader, ids)
  const byId = new Map<number, EventRow>(rows.map((row) => [row.id, row]))
  const others = ids.filter((id) => {
    const row = byId.get(id)
    return row === undefined || !isPlain(row)
  })
  const dates = await shownDates(reader, others, rows)
  for (const id of others) byId.delete(id)
  return ids.flatMap((id) => dates.get(id) ?? byId.get(id) ?? [])
}
