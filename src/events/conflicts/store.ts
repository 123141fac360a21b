import { sql } from 'kysely'
import type { Status } from '../../model/status.ts'
import type { Compilable, Reader } from '../../storage/engine.ts'
import { LINK_KIND } from '../../storage/schema.ts'
import { asStatement } from '../../storage/statement-builder.ts'
import { derived, type GivenAll, inList, operand, statementTemplate } from '../../storage/statement-template.ts'
import { addToLocal } from '../../time/zones.ts'
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

/** Longest length class that is found by its start, days. */
const LONG = 31
/** Between a clock anywhere and UTC, and one for the ends of days. */
const CLOCKS = 2

/**
 * The times that events take at some venues between two moments (UTC text), canceled ones and what is in the trash left
 * out. Those of a month and less are found by venue and start; of longer ones a calendar has few.
 */
export async function takenTimes(
  reader: Reader,
  venues: readonly number[],
  window: { readonly start: string; readonly end: string },
): Promise<TakenTime[]> {
  if (venues.length === 0) return []
  return reader.all(timesTaken(reader, { shape: null, values: { venues, ...window } }))
}

interface Asked {
  readonly venues: readonly number[]
  readonly start: string
  readonly end: string
}

const timesTaken = statementTemplate(
  (reader: Reader, _shape: null, { venues, start, end }: GivenAll<Asked>): Compilable<TakenTime> => {
    const { engine } = reader
    const statuses = sql.join(TAKING)
    const before = operand(derived(end, (moment) => addToLocal(moment, { days: CLOCKS })))
    const after = operand(derived(start, (moment) => addToLocal(moment, { days: -LONG - CLOCKS })))
    const columns = sql`occurrence.id, venue_id as venue, occurrence.start_utc as start, occurrence.end_utc as "end",
      occurrence.event_id as event, occurrence.status, occurrence.author_id as author`
    const takes = sql`occurrence.start_utc < ${operand(end)} and occurrence.end_utc > ${operand(start)}
      and not exists (select 1 from event where event.id = occurrence.event_id and event.event_status = 'canceled')
      and not exists (select 1 from series_date where series_date.id = occurrence.id and series_date.position = 0)`
    const near = sql`select ${columns}
      from (select target_id as venue_id, occurrence_id from occurrence_link
        where kind = ${sql.lit(LINK_KIND.venue)} and ${inList(engine, 'occurrence_link.target_id', venues)}
          and listed in (0, 1) and status in (${statuses}) and start_local > ${after} and start_local < ${before}) as near
      inner join occurrence on occurrence.id = near.occurrence_id
      where occurrence.span <= ${sql.lit(LONG)} and ${takes}`
    const long = sql`select ${columns} from occurrence
      inner join event_venue on event_venue.event_id = occurrence.event_id
      where ${inList(engine, 'event_venue.venue_id', venues)} and occurrence.listed in (0, 1)
        and occurrence.status in (${statuses}) and occurrence.span in (366, 9999)
        and occurrence.start_local < ${before} and ${takes}`
    return asStatement(reader, sql<TakenTime>`${near} union all ${long}`)
  },
)

/** The venues that take one event at a time. */
export async function exclusiveVenues(reader: Reader): Promise<ReadonlySet<number>> {
  const rows = await reader.all(venuesForOne(reader, { shape: null, values: {} }))
  return new Set(rows.map(({ id }) => id))
}

const venuesForOne = statementTemplate((reader: Reader, _shape: null, _given: object) =>
  reader.db.selectFrom('venue').select('id').where('exclusive', '=', sql.lit(1)).where('status', '!=', 'trash'),
)
