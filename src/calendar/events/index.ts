import type { AnyRoute } from '../../http/route.ts'
import type { Scheduled } from '../shared/schedule.ts'
import { conflictRoutes } from './conflicts/routes.ts'
import { Expansions } from './expansions.ts'
import type { DefaultWindow } from './list/dates.ts'
import { type EventQueries, eventQueries } from './queries.ts'
import { recurrenceRoutes } from './recurrence-routes.ts'
import { eventRoutes } from './routes.ts'
import type { EventsDeps } from './routes-write.ts'
import { eventSchedule } from './schedule.ts'
import { searchRoute } from './search-route.ts'

export { type EventState, hiddenTextOf, occurrencesOf, searchTextOf, snapshotOfEvent } from '../event-store/copies.ts'
export { type EventLinks, type EventRow, isPlain, linksOf, NO_LINKS } from '../event-store/event-row.ts'
export {
  dateByAddressBefore,
  entryBySlugBefore,
  eventBySlug,
  seriesBySlugEver,
} from '../event-store/former-slugs.ts'
export { partsOf, type Relation, upcomingWith } from '../event-store/related.ts'
export { eventsByIds, findEvent } from '../event-store/rows.ts'
export { isSeriesBroken, storeDates } from '../event-store/series/occurrences.ts'
export {
  firstDateOf,
  previousStartOfDate,
  recurringOf,
  recursNoMore,
  storedRecurrence,
} from '../event-store/series/recurring.ts'
export { changedDatesOf, countDatesIn, storedEvents } from '../event-store/series/rows.ts'
export type { DateAddress } from '../event-store/series/shown.ts'
export { insertEvent, takeEventId, updateEvent } from '../event-store/write.ts'
export { NAMED_KINDS, type NamedKind } from '../shared/names/find.ts'
export { effectsOf } from './change-effect.ts'
export { overlapsAtVenue, standingOverlaps } from './conflicts/at-venue.ts'
export { type TakenVenue, venueTaken } from './conflicts/on-import.ts'
export { addField, listFields, removeField } from './declared-fields.ts'
export type { EventBrief } from './list/briefs.ts'
export type { DefaultWindow } from './list/dates.ts'
export type { EventListValues } from './list/filters.ts'
export { EVENT_FILTERS } from './list/filters.ts'
export type { EventMoments, ListedMoments } from './list/moments.ts'
export { freshnessWith, type ListedPage } from './list/request.ts'
export type { EventQueries, PresentedEvent } from './queries.ts'
export { EVENT_SCHEMA, EVENTS_ABOUT } from './schema.ts'
export { searchedNames } from './searched-names.ts'
export { checkingSteps, type Holding } from './series/dates.ts'
export { areDatesBroken, repairDates } from './series/examine.ts'
export { openHorizon } from './series/horizon.ts'
export { type ImportedDate, type ImportedSeries, importSeries } from './series/import.ts'
export { attendanceJsonLd, statusName } from './show/json-ld.ts'
export { isOpen, type Lookups, presentEvents } from './show/load.ts'
export { PASSWORD_FIELD, permitRead, READ_ERRORS, UNKNOWN_ID } from './show/reading.ts'
export { recurrenceSentence, shortRecurrence } from './show/series.ts'
export {
  cachedTexts as keptTexts,
  type EventText,
  type EventTexts,
  uncachedTexts as passingTexts,
} from './show/texts.ts'
export type { WholeSeries } from './show/whole-series.ts'
export type { EventWithRelations } from './show/with-relations.ts'
export { resolveTimes } from './write/rules.ts'
export { trashEvent } from './write/trash.ts'
export { followZoneData, openZoneData, staleTimes, storeZoneVersion } from './zone-data.ts'

/** The events module: its routes, its schedule of publications, and its events for other formats. */
export interface EventsRoom {
  readonly routes: readonly AnyRoute[]
  /** Its routes beside those of the interface. */
  readonly ownRoutes: readonly AnyRoute[]
  readonly schedule: Scheduled
  /** Its events for other formats, which may have a default window of their own. */
  queries(window?: DefaultWindow): EventQueries
}

/** Opens the events module. */
export function openEvents(deps: EventsDeps): EventsRoom {
  const { storage, site, lookups } = deps
  const expansions = new Expansions({ storage, patience: deps.config.readTimeout })
  const expanding = { ...deps, expansions }
  const queries = eventQueries({ reader: storage, site, lookups })
  return {
    routes: eventRoutes(deps),
    ownRoutes: [...recurrenceRoutes(expanding), ...conflictRoutes(expanding), searchRoute({ ...deps, queries })],
    schedule: eventSchedule(storage),
    queries: (window) => eventQueries({ reader: storage, site, lookups, ...(window && { window }) }),
  }
}
