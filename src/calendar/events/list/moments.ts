import type { Reader } from '../../../storage/engine.ts'
import { idsTemplate } from '../../../storage/statement-template.ts'

/** When an event, or a date of a recurring one, takes place on its own clock, and nothing else of it. */
export interface EventMoments {
  readonly id: number
  readonly start_local: string
  readonly end_local: string
  readonly all_day: number
}

/** The same with the recurring event that it is a date of; null for an event by itself. */
export interface ListedMoments extends EventMoments {
  readonly series_id: number | null
}

/** The moments of events and dates, in the order of the IDs: of a whole month only a part of the events is shown. */
export async function momentsOf(reader: Reader, ids: readonly number[]): Promise<ListedMoments[]> {
  if (ids.length === 0) return []
  const rows = await reader.all(momentsWith(reader, ids))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const momentsWith = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('occurrence')
    .innerJoin('event', 'event.id', 'occurrence.event_id')
    .leftJoin('series_date', 'series_date.id', 'occurrence.id')
    .select([
      'occurrence.id',
      'occurrence.start_local',
      'occurrence.end_local',
      'event.all_day',
      'series_date.series_id',
    ])
    .where(hasId('occurrence.id')),
)
