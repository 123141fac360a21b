import type { Scheduled } from '../entries/schedule.ts'
import type { AnyRoute } from '../http/route.ts'
import { type EventsOutlet, eventsOutlet } from './outlet.ts'
import { type EventsParts, eventRoutes } from './routes.ts'
import { eventSchedule } from './schedule.ts'
import { storeHiddenTexts } from './store-hidden.ts'

export { type EventLinks, type EventRow, NO_LINKS } from '../entries/event-row.ts'
export { linksOf, snapshotOfEvent } from '../entries/store-event.ts'
export { type EventState, hiddenTextOf, occurrencesOf, searchTextOf } from './copies.ts'
export { EVENT_FILTER_FIELDS, EVERYTHING } from './filters.ts'
export { meaningsOf } from './meaning.ts'
export type { EventsOutlet } from './outlet.ts'
export { gatherEvents, isOpen, type Shelves } from './show/load.ts'
export { PASSWORD_FIELD, permitRead, READ_ERRORS, UNKNOWN_ID } from './show/reading.ts'
export { type EventTexts, keptTexts, passingTexts } from './show/texts.ts'
export type { WholeEvent } from './show/whole.ts'
export { type EventListing, pageStatement } from './store.ts'
export { eventsByIds, findEvent } from './store-rows.ts'
export { upcomingEvents } from './upcoming.ts'
export { lastingWith } from './window.ts'
export { partsOf } from './write/parent.ts'
export { insertEvent, takeEventId, updateEvent } from './write.ts'

/** The events room: its routes, what it publishes when it is due, and its events for other forms of answers. */
export interface EventsRoom {
  readonly routes: readonly AnyRoute[]
  readonly schedule: Scheduled
  readonly outlet: EventsOutlet
  /** Stores what searches of editors need and versions before did not store; called by the one who works in the background. */
  catchUp(): Promise<void>
}

/** Opens the events room. */
export function openEvents(parts: EventsParts): EventsRoom {
  const { storage, site, shelves } = parts
  return {
    routes: eventRoutes(parts),
    schedule: eventSchedule(storage),
    outlet: eventsOutlet({ reader: storage, site, shelves }),
    catchUp: () => storeHiddenTexts(storage),
  }
}
