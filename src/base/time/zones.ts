import { readClock, toUtc } from './clock.ts'
import { findZone, zoneOf } from './offsets.ts'

export {
  addToLocal,
  clockOf,
  endOfToday,
  hasLocal,
  hasUtc,
  localFromMillis,
  millisFromUtc,
  momentIn,
  occursTwice,
  offsetIn,
  offsetText,
  toLocal,
  toUtc,
  utcFromMillis,
} from './clock.ts'

/**
 * Whether a text names a time zone: a name of the tz database in any letter case, `UTC`, `UTC+3`, `UTC+5.5`,
 * `UTC+5:30`, letters such as `EST`, `+05:30`, `-0300`, `Z`, `GMT+3`; offsets between -12 and +14 hours. Not `utc+3`,
 * `UTC+`, `UTC+0530`, `''` (wire: events 4.1).
 */
export function isZone(text: string): boolean {
  return findZone(text) !== undefined
}

/**
 * The letters a clock of the zone shows at a wall clock reading: `EST`, `PDT`, `JST`, `CEST`; `+0545`, `-03` where the
 * tz database has no letters; the zone text itself for `UTC+3`, `GMT+0300` for `GMT+3` (wire: events 1.1 row 27). `utc`
 * is the UTC reading of the moment, which alone tells a reading that occurs twice from the first one.
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function zoneAbbreviation(local: string, zone: string, utc: string = toUtc(local, zone)): string {
  const seconds = readClock(utc)
  const { offsetAt, lettersAt } = zoneOf(zone)
  return lettersAt(local, offsetAt(seconds))
}
