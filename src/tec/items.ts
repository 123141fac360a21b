import { isOut } from '../calendar/event-store/series/shown.ts'
import { type EventQueries, type EventRow, type EventsRoom, findEvent } from '../calendar/events/index.ts'
import type { OrganizerContent } from '../calendar/organizers/index.ts'
import type { OpenLinked } from '../calendar/shared/linked/open.ts'
import type { LinkedQueries } from '../calendar/shared/linked/queries.ts'
import type { VenueContent } from '../calendar/venues/index.ts'
import type { NamedSchema } from '../http/openapi/parts.ts'
import type { AnyRoute, Call } from '../http/route.ts'
import type { EntryKey } from '../model/resource.ts'
import type { Site } from '../model/site.ts'
import type { Storage } from '../storage/engine.ts'
import type { EntryColumns } from '../storage/schema.ts'
import { ORGANIZER_LIST_FIELDS, VENUE_LIST_FIELDS } from './fields.ts'
import { BY_ID, ORGANIZER_TEXTS, VENUE_TEXTS } from './filters.ts'
import type { LinkedFields } from './map.ts'
import { EVENT, type EventToShow, presentEvent } from './present/event.ts'
import { ORGANIZER, presentOrganizer, presentVenue, VENUE } from './present/linked.ts'
import type { Members } from './present/members.ts'
import { EVENT_MEMBERS, ORGANIZER_MEMBERS, VENUE_MEMBERS, type WriteMember } from './write/fields.ts'

/** What the namespace is built on: the resources of the interface. */
export interface TecDeps {
  readonly storage: Storage
  readonly site: Site
  readonly events: EventsRoom
  readonly venues: OpenLinked<VenueContent>
  readonly organizers: OpenLinked<OrganizerContent>
}

/** What decides who may read a stored item. */
export type OwnedRow = Pick<EntryColumns, 'author_id' | 'status'>

/** A kind of items that is read and written here. */
export interface TecKind {
  readonly key: EntryKey
  readonly schema: NamedSchema
  /** What writes take. */
  readonly members: readonly WriteMember[]
  /** The routes of the interface. */
  readonly routes: readonly AnyRoute[]
  find(id: number): Promise<OwnedRow | undefined>
  /** An item as the interface shows it to its reader, or has returned it to its writer. */
  present(shown: Members, call: Call<unknown>): Members
  /** What GET answers this caller for an item now; undefined where that is what the interface shows. */
  shown?(call: Call, row: OwnedRow): Promise<Members>
}

/** Venues or organizers. */
export interface TecLinkedKind extends TecKind {
  readonly key: 'venue' | 'organizer'
  readonly fields: LinkedFields
  readonly queries: LinkedQueries
}

/** Venues and organizers. */
export function linkedKinds({ venues, organizers }: TecDeps): readonly TecLinkedKind[] {
  const ofVenues = venues.queries([...BY_ID, ...VENUE_TEXTS])
  const ofOrganizers = organizers.queries([...BY_ID, ...ORGANIZER_TEXTS])
  return [
    {
      ...{ key: 'venue', schema: VENUE, present: presentVenue },
      ...{ fields: VENUE_LIST_FIELDS, queries: ofVenues, find: ofVenues.find },
      ...{ members: VENUE_MEMBERS, routes: venues.widerRoutes },
    },
    {
      ...{ key: 'organizer', schema: ORGANIZER, present: presentOrganizer },
      ...{ fields: ORGANIZER_LIST_FIELDS, queries: ofOrganizers, find: ofOrganizers.find },
      ...{ members: ORGANIZER_MEMBERS, routes: organizers.widerRoutes },
    },
  ]
}

/** Events. */
export function eventKind({ storage, site, events }: TecDeps): TecKind {
  const queries: EventQueries = events.queries()
  const show = (event: EventToShow, call: Call<unknown>) => presentEvent(event, { ...call, site })
  return {
    ...{ key: 'event', schema: EVENT, members: EVENT_MEMBERS, routes: events.routes },
    find: (id) => findEvent(storage, { by: 'id', id }),
    present: (written, call) => show(eventOf(written), call),
    shown: async (call, row) => {
      const [event] = await queries.shown({ ...call, values: {} }, [row as EventRow])
      if (event === undefined) return {}
      const { status, ...others } = show(event, call)
      // A first date that was taken out shows the status of its series: sending that restores it.
      return isOutOfSeries(event.row) ? others : { ...others, status }
    },
  }
}

/** Whether a date was taken out of its series. */
export function isOutOfSeries({ occasion }: Pick<EventRow, 'occasion'>): boolean {
  return occasion !== undefined && isOut(occasion.date)
}

/** An event that was written: whoever may write it sees all of it. */
function eventOf(shown: Members): EventToShow {
  const text = (name: string): string => String(shown[name])
  return {
    shown,
    isLocked: false,
    row: {
      id: Number(shown['id']),
      start_local: text('start_date'),
      end_local: text('end_date'),
      start_utc: text('utc_start_date'),
      end_utc: text('utc_end_date'),
      timezone: text('timezone'),
      all_day: shown['all_day'] === true ? 1 : 0,
      password_hash: shown['has_password'] === true ? '' : null,
    },
  }
}
