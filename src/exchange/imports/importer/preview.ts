import type { EventContent } from '../readers/icalendar/content.ts'
import { venueNames } from './plan-places.ts'
import type { PlannedEvent } from './planned.ts'

/** Events of a file that a preview shows. */
export const PREVIEWED = 10

/** An event of a file as it would look here, with the columns that say when it takes place. */
export interface PreviewedEvent
  extends Pick<
    PlannedEvent['columns'],
    'title' | 'start_local' | 'end_local' | 'start_utc' | 'end_utc' | 'timezone' | 'all_day' | 'event_status'
  > {
  readonly venues: readonly string[]
  /** Status of publication. */
  readonly status: string
}

/** What a preview shows of an event. */
export function previewOf({ columns, entry }: PlannedEvent, content: EventContent): PreviewedEvent {
  const { title, start_local, end_local, start_utc, end_utc, timezone, all_day, event_status } = columns
  const times = { start_local, end_local, start_utc, end_utc, timezone, all_day }
  return { title, ...times, event_status, venues: venueNames(content), status: entry.status }
}
