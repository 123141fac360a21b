import { readClock } from '../../../base/time/clock.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { EventTable } from '../../../storage/schema.ts'
import { type DateAddress, MOST_OF_DAY, namedEver } from '../former-slugs.ts'
import { moved, storedRecurrence } from './recurring.ts'

/** What there is now instead of a date. */
export interface InPlaceOfDate {
  /** The date in its place, or the event where none is. */
  readonly id: number
  readonly isDate: boolean
}

/** Series that are looked at: several had the same slug one after the other. */
const MOST_SERIES = 5

/**
 * What there is now instead of a date that had an address before its series was moved: the date as far from the present
 * start as it was from the first one that was published, else the series. Undefined where no date had that address, and
 * for dates that were taken out there.
 */
export async function inPlaceOfDate(reader: Reader, address: DateAddress): Promise<InPlaceOfDate | undefined> {
  let series: InPlaceOfDate | undefined
  for (const row of await movedSeries(reader, address.slug)) {
    const id = await placeIn(reader, row, address)
    if (id !== undefined) return { id, isDate: true }
    if (series === undefined && (await wasDropped(reader, row, address))) series = { id: row.id, isDate: false }
  }
  return series
}

/** Series that were moved and have a slug, then those that had it, the last one first. */
function movedSeries(reader: Reader, slug: string): Promise<EventTable[]> {
  const query = namedEver(reader, slug)
    .innerJoin('event', 'event.id', 'named.id')
    .selectAll('event')
    .where('event.recurrence', 'is not', null)
    .where((is) => is.or([is('event.previous_start', 'is not', null), is('event.address_start', 'is not', null)]))
    .orderBy('named.at', 'desc')
    .limit(MOST_SERIES)
  return reader.all(query)
}

/** The date that is now where one of a day before a move would be: before the first one of all, else before that of which the event tells. */
async function placeIn(reader: Reader, row: EventTable, address: DateAddress): Promise<number | undefined> {
  for (const from of new Set([row.address_start, row.previous_start])) {
    const id = from === null ? undefined : await placeSince(reader, { row, from }, address)
    if (id !== undefined) return id
  }
  return undefined
}

async function placeSince(
  reader: Reader,
  { row: { id, start_local }, from }: { readonly row: EventTable; readonly from: string },
  { day, of_day }: DateAddress,
): Promise<number | undefined> {
  const placeOf = (moment: string): string => moved(moment, from, start_local)
  const query = reader.db
    .selectFrom('series_date')
    .select(['id', 'of_day'])
    .where('series_id', '=', id)
    .where('recurrence_id', '>=', placeOf(`${day} 00:00:00`))
    .where('recurrence_id', '<=', placeOf(`${day} 23:59:59`))
    .where('position', '>', 0)
    .orderBy('recurrence_id')
    .limit(MOST_OF_DAY)
  const dates = await reader.all(query)
  return (dates[of_day - 1] ?? dates[0])?.id
}

/** Whether a series had a date on a day that nobody took out: it is in the trash because all of them moved. */
async function wasDropped(reader: Reader, row: EventTable, { day }: DateAddress): Promise<boolean> {
  const query = reader.db
    .selectFrom('series_date')
    .select('recurrence_id')
    .where('series_id', '=', row.id)
    .where('recurrence_id', '>=', `${day} 00:00:00`)
    .where('recurrence_id', '<=', `${day} 23:59:59`)
    .where('position', '=', 0)
    .limit(MOST_OF_DAY)
  const dates = await reader.all(query)
  if (dates.length === 0) return false
  const excluded = new Set(storedRecurrence(row)?.excluded.map(({ seconds }) => seconds))
  return dates.some(({ recurrence_id }) => !excluded.has(readClock(recurrence_id)))
}
