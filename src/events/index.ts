import type { Scheduled } from '../entries/schedule.ts'
import type { AnyRoute } from '../http/route.ts'
import { type EventsParts, eventRoutes } from './routes.ts'
import { eventSchedule } from './schedule.ts'

export { type EventLinks, type EventRow, NO_LINKS } from '../entries/event-row.ts'
export { linksOf, snapshotOfEvent } from '../entries/store-event.ts'
export { type EventState, occurrencesOf, searchTextOf } from './copies.ts'
export { EVERYTHING } from './filters.ts'
export { gatherEvents, isOpen, type Shelves } from './gather.ts'
export { partsOf } from './parent.ts'
export { type EventListing, pageStatement } from './store.ts'
export { eventsByIds, findEvent } from './store-rows.ts'
export { upcomingEvents } from './upcoming.ts'
export { insertEvent, takeEventId, updateEvent } from './write.ts'

/** The events room: its routes and what it publishes when it is due. */
export interface EventsRoom {
  readonly routes: readonly AnyRoute[]
  readonly schedule: Scheduled
}

/** Opens the events room. */
export function openEvents(parts: EventsParts): EventsRoom {
  return { routes: eventRoutes(parts), schedule: eventSchedule(parts.storage) }
}
