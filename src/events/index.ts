import type { Scheduled } from '../entries/schedule.ts'
import type { AnyRoute } from '../http/route.ts'
import { type EventsParts, eventRoutes } from './routes.ts'
import { eventSchedule } from './schedule.ts'

export { gatherEvents, isOpen, type Shelves } from './gather.ts'
export { EVENT_LIST_FIELDS } from './filters.ts'
export { type EventListing, type EventRow, findEvent, pageStatement } from './store.ts'
export { insertEvent, takeEventId } from './write.ts'
export { type UpcomingQuestion, upcomingEvents } from './upcoming.ts'

/** The events room: its routes and what it publishes when it is due. */
export interface EventsRoom {
  readonly routes: readonly AnyRoute[]
  readonly schedule: Scheduled
}

/** Opens the events room. */
export function openEvents(parts: EventsParts): EventsRoom {
  return { routes: eventRoutes(parts), schedule: eventSchedule(parts.storage) }
}
