import type { Scheduled } from '../entries/schedule.ts'
import type { AnyRoute } from '../http/route.ts'
import type { DefaultWindow } from './list/dates.ts'
import { type EventQueries, eventQueries } from './queries.ts'
import { type EventsParts, eventRoutes } from './routes.ts'
import { eventSchedule } from './schedule.ts'
import { storeHiddenTexts } from './store-hidden.ts'

export { type EventState, hiddenTextOf, occurrencesOf, searchTextOf } from '../event-store/copies.ts'
export { type EventLinks, type EventRow, NO_LINKS } from '../event-store/event-row.ts'
export { linksOf, snapshotOfEvent } from '../event-store/relations.ts'
export { eventsByIds, findEvent } from '../event-store/rows.ts'
export { insertEvent, takeEventId, updateEvent } from '../event-store/write.ts'
export { effectsOf } from './change-effect.ts'
export type { DefaultWindow } from './list/dates.ts'
export { EVENT_FILTERS } from './list/filters.ts'
export { lastingWith } from './list/request.ts'
export { upcomingEvents } from './list/upcoming.ts'
export type { EventQueries } from './queries.ts'
export { EVENTS_ABOUT } from './schema.ts'
export { isOpen, type Lookups, presentEvents } from './show/load.ts'
export { PASSWORD_FIELD, permitRead, READ_ERRORS, UNKNOWN_ID } from './show/reading.ts'
export { type EventTexts, keptTexts, passingTexts } from './show/texts.ts'
export type { EventWithRelations } from './show/with-relations.ts'
export { partsOf } from './write/parent.ts'

/** The events room: its routes, what it publishes when it is due, and its events for other forms of answers. */
export interface EventsRoom {
  readonly routes: readonly AnyRoute[]
  readonly schedule: Scheduled
  /** Its events for other forms of responses, which may have a window of their own. */
  queries(window: DefaultWindow): EventQueries
  /** Stores what searches of editors need and versions before did not store; called by the one who works in the background. */
  catchUp(): Promise<void>
}

/** Opens the events room. */
export function openEvents(parts: EventsParts): EventsRoom {
  const { storage, site, lookups } = parts
  return {
    routes: eventRoutes(parts),
    schedule: eventSchedule(storage),
    queries: (window) => eventQueries({ reader: storage, site, lookups, window }),
    catchUp: () => storeHiddenTexts(storage),
  }
}
