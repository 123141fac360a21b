import { sql } from 'kysely'
import { addToLocal } from '../../../base/time/zones.ts'
import type { Status } from '../../../model/status.ts'
import type { Compilable, Lane, Reader } from '../../../storage/engine.ts'
import { LINK_KIND } from '../../../storage/schema.ts'
import { asStatement } from '../../../storage/statement-builder.ts'
import {
  type GivenAll,
  hasOneOf,
  type Ids,
  idsAsValues,
  operand,
  statementTemplate,
} from '../../../storage/statement-template.ts'
import type { VenueTime } from './taken.ts'

/** The statuses in which an event takes its venue: those in which it will take place. A draft is only an idea. */
export const TAKING: readonly Status[] = ['publish', 'future', 'private']

/** A time at which an event takes a venue, and who may know of which. */
export interface TakenTime extends VenueTime {
  /** The row of `event` that says what takes place then. */
  readonly event: number
  readonly status: Status
  readonly author: number
}

/** Length classes (days) of which a calendar has few: they are found by their length in the whole calendar. */
const LONG = [366, 9999] as const
/** Those too, where a venue has so many events that reading all of a month to find the long ones takes longer. */
const MIDDLE = [7, 31] as const
/** Events of a venue around a moment, within the longest of the middle classes, from which on it is crowded. */
const CROWD = 100
/** Between a clock anywhere and UTC, and one for the ends of days. */
const CLOCKS = 2

/** Times of some venues that are asked for. */
export interface VenueWindow {
  readonly venues: readonly number[]
  /** UTC text, as `end`. */
  readonly start: string
  readonly end: string
  /** Times that are read at most. */
  readonly limit: number
  /** Inline if absent: many times take long. */
  readonly lane?: Lane | undefined
}

/**
 * The times that events take at some venues between two moments, in any order; canceled ones and items in the trash
 * left out. Short ones are found by venue and start, long ones by their length, of which a calendar has few.
 */
export async function takenTimes(reader: Reader, asked: VenueWindow): Promise<TakenTime[]> {
  if (asked.venues.length === 0) return []
  const { limit, lane, venues, start, end } = asked
  const values = { ...idsAsValues(venues), start, end, ...clocksAround(asked) }
  const isCrowded = (await reader.first(crowdedVenues(reader, { shape: null, values }), lane)) !== undefined
  return reader.all(timesTaken(reader, { shape: { isCrowded, limit }, values }), lane)
}

/** Wall clock readings around a time in UTC: beyond the clocks of all zones. */
interface ClocksAround {
  /** An event that takes its venue within the time starts before this. */
  readonly before: string
  /** And after the one of these for its length class, days. */
  readonly after1: string
  readonly after7: string
  readonly after31: string
  readonly after366: string
}

function clocksAround({ start, end }: Pick<VenueWindow, 'start' | 'end'>): ClocksAround {
  return {
    before: addToLocal(end, { days: CLOCKS }),
    after1: addToLocal(start, { days: -1 - CLOCKS }),
    after7: addToLocal(start, { days: -7 - CLOCKS }),
    after31: addToLocal(start, { days: -31 - CLOCKS }),
    after366: addToLocal(start, { days: -366 - CLOCKS }),
  }
}

type Given = GivenAll<Ids & Pick<VenueWindow, 'start' | 'end'> & ClocksAround>

interface TakenShape {
  readonly isCrowded: boolean
  /** Not a placeholder: SQLite prepares a statement again whenever its limit is bound. */
  readonly limit: number
}

function linksAround({ engine }: Pick<Reader, 'engine'>, given: Given, days: 1 | 31) {
  const { before } = given
  return sql`from occurrence_link
    where kind = ${sql.lit(LINK_KIND.venue)} and ${hasOneOf(engine, 'occurrence_link.target_id', given)}
      and listed in (0, 1) and status in (${sql.join(TAKING)}) and start_local > ${operand(given[`after${days}`])}
      and start_local < ${operand(before)}`
}

/** A row where the venues have many events: it is read from an index alone. */
const crowdedVenues = statementTemplate((reader: Reader, _shape: null, given: Given) =>
  asStatement(reader, sql`select 1 as found ${linksAround(reader, given, 31)} limit 1 offset ${sql.lit(CROWD)}`),
)

const timesTaken = statementTemplate(
  (reader: Reader, { isCrowded, limit }: TakenShape, given: Given): Compilable<TakenTime> => {
    const { start, end } = given
    const columns = sql`occurrence.id, venue_id as venue, occurrence.start_utc as start, occurrence.end_utc as "end",
      occurrence.event_id as event, occurrence.status, occurrence.author_id as author`
    const takes = sql`occurrence.start_utc < ${operand(end)} and occurrence.end_utc > ${operand(start)}
      and not exists (select 1 from event where event.id = occurrence.event_id and event.event_status = 'canceled')
      and not exists (select 1 from series_date where series_date.id = occurrence.id and series_date.position = 0)`
    const days = isCrowded ? 1 : 31
    const near = sql`select ${columns}
      from (select target_id as venue_id, occurrence_id ${linksAround(reader, given, days)}) as near
      inner join occurrence on occurrence.id = near.occurrence_id
      where occurrence.span <= ${sql.lit(days)} and ${takes}`
    const far = [...(isCrowded ? MIDDLE : []), ...LONG].map(
      (span) => sql`select ${columns} from occurrence
        inner join event_venue on event_venue.event_id = occurrence.event_id
        where ${spanWithin(span, given)} and ${hasOneOf(reader.engine, 'event_venue.venue_id', given)} and ${takes}`,
    )
    const all = sql.join([near, ...far], sql` union all `)
    return asStatement(reader, sql<TakenTime>`${all} limit ${sql.lit(limit)}`)
  },
)

/** Occurrences of a length class that may reach into the time. */
function spanWithin(span: (typeof LONG | typeof MIDDLE)[number], given: Given) {
  const within = sql`occurrence.listed in (0, 1) and occurrence.status in (${sql.join(TAKING)})
    and occurrence.span = ${sql.lit(span)} and occurrence.start_local < ${operand(given.before)}`
  if (span === 9999) return within
  return sql`${within} and occurrence.start_local > ${operand(given[`after${span}`])}`
}

/** The venues that take one event at a time. */
export async function exclusiveVenues(reader: Reader): Promise<ReadonlySet<number>> {
  const rows = await reader.all(venuesForOne(reader, { shape: null, values: {} }))
  return new Set(rows.map(({ id }) => id))
}

const venuesForOne = statementTemplate((reader: Reader, _shape: null, _given: object) =>
  reader.db.selectFrom('venue').select('id').where('exclusive', '=', sql.lit(1)).where('status', '!=', 'trash'),
)
