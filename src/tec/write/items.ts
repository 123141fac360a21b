import { isOut } from '../../calendar/event-store/series/shown.ts'
import { type EventQueries, type EventRow, findEvent } from '../../calendar/events/index.ts'
import type { NamedSchema } from '../../http/openapi/parts.ts'
import type { AnyRoute, Call } from '../../http/route.ts'
import type { EntryKey } from '../../model/resource.ts'
import type { EntryColumns } from '../../storage/schema.ts'
import type { TecDeps } from '../deps.ts'
import type { Members } from '../present/common.ts'
import { type EventToShow, presentEvent } from '../present/event.ts'
import { presentOrganizer, presentVenue } from '../present/linked.ts'
import { EVENT, ORGANIZER, VENUE } from '../schema.ts'
import { EVENT_MEMBERS, ORGANIZER_MEMBERS, VENUE_MEMBERS, type WriteMember } from './fields.ts'

/** What decides who may read a stored item. */
export type OwnedRow = Pick<EntryColumns, 'author_id' | 'status'>

/** A kind of items that is written here. */
export interface WriteKind {
  readonly key: EntryKey
  /** As the documents have it. */
  readonly schema: NamedSchema
  readonly members: readonly WriteMember[]
  /** The routes of the interface. */
  readonly routes: readonly AnyRoute[]
  find(id: number): Promise<OwnedRow | undefined>
  /** What the interface returned to a writer. */
  present(written: Members, call: Call): Members
  /** What GET answers this caller for an item now; undefined where that is what the interface shows. */
  shown?(call: Call, row: OwnedRow): Promise<Members>
}

/** The kinds of items that are written here. */
export function writtenKinds(deps: TecDeps): readonly WriteKind[] {
  return [
    eventKind(deps),
    {
      ...{ key: 'venue', schema: VENUE, members: VENUE_MEMBERS, routes: deps.venues.widerRoutes },
      find: deps.venues.queries().find,
      present: (written, { urls }) => presentVenue(written, urls),
    },
    {
      ...{ key: 'organizer', schema: ORGANIZER, members: ORGANIZER_MEMBERS, routes: deps.organizers.widerRoutes },
      find: deps.organizers.queries().find,
      present: (written, { urls }) => presentOrganizer(written, urls),
    },
  ]
}

function eventKind({ storage, site, events }: TecDeps): WriteKind {
  const queries: EventQueries = events.queries()
  const show = (event: EventToShow, { urls, language, now }: Call) => presentEvent(event, { urls, language, now, site })
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
