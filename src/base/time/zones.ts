// Moments in UTC and on the clocks of zones, both as readings 'YYYY-MM-DD HH:MM:SS'. Readings that a change of clocks skips
// or repeats are read as decisions: Dates says.
import { addMonths, FURTHEST, findZone, isWithinYears, readClock, two, writeClock, zoneOf } from './clock.ts'

const DAY = 86_400

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
 * is the UTC reading of the moment, which alone distinguishes a reading that occurs twice from the first one.
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function zoneAbbreviation(local: string, zone: string, utc: string = toUtc(local, zone)): string {
  const seconds = readClock(utc)
  const { offsetAt, lettersAt } = zoneOf(zone)
  return lettersAt(local, offsetAt(seconds))
}

/** The UTC reading `'YYYY-MM-DD HH:MM:SS'` of Unix milliseconds; the part of a second is dropped. */
export function utcFromMillis(ms: number): string {
  return writeClock(Math.floor(ms / 1000))
}

/**
 * Unix milliseconds of a UTC reading `'YYYY-MM-DD HH:MM:SS'`.
 * @throws RangeError for text of any other form.
 */
export function millisFromUtc(utc: string): number {
  return readClock(utc) * 1000
}

/**
 * The UTC reading of a wall clock reading, both `'YYYY-MM-DD HH:MM:SS'`. A reading that a change of clocks skips moves
 * forward by the length of the gap (02:30 becomes 03:30); one that occurs twice is the first (wire: events 4.2).
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function toUtc(local: string, zone: string): string {
  const seconds = readClock(local)
  return writeClock(zoneOf(zone).instantOf(seconds))
}

/**
 * The wall clock reading of a UTC reading, both `'YYYY-MM-DD HH:MM:SS'`.
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function toLocal(utc: string, zone: string): string {
  const seconds = readClock(utc)
  return writeClock(seconds + zoneOf(zone).offsetAt(seconds))
}

/**
 * The offset of a zone at a UTC reading, as ISO 8601 writes it: `'+05:30'`, `'-08:00'`, `'+00:00'`. Seconds, which only days
 * of local mean time have, are dropped.
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function offsetText(utc: string, zone: string): string {
  const moment = readClock(utc)
  return signedHours(zoneOf(zone).offsetAt(moment))
}

/**
 * The offset of a wall clock reading of a zone in the same form: one that a change of clocks skips has the offset before the change, with which
 * it names the moment that it stands for.
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function offsetIn(local: string, zone: string): string {
  const seconds = readClock(local)
  return signedHours(seconds - zoneOf(zone).instantOf(seconds))
}

function signedHours(seconds: number): string {
  const minutes = Math.floor(Math.abs(seconds) / 60)
  const hours = Math.floor(minutes / 60)
  return `${seconds < 0 ? '-' : '+'}${two(hours)}:${two(minutes - hours * 60)}`
}

/**
 * Whether a wall clock reading has a UTC reading within the years 1000 to 9999; `toUtc` gives another moment when not.
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function hasUtc(local: string, zone: string): boolean {
  return isWithinYears(zoneOf(zone).instantOf(readClock(local)))
}

/**
 * A wall clock reading of a zone with its UTC reading, moved forward where the clock skips it; undefined where UTC leaves
 * the years 1000 to 9999.
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function momentIn(local: string, zone: string): { readonly local: string; readonly utc: string } | undefined {
  const seconds = readClock(local)
  const { instantOf, offsetAt } = zoneOf(zone)
  const instant = instantOf(seconds)
  const shown = instant + offsetAt(instant)
  return isWithinYears(instant) ? { local: writeClock(shown), utc: writeClock(instant) } : undefined
}

/**
 * A moment in seconds of UTC, by the seconds that a clock of its zone shows, and the other way round (see toUtc and toLocal);
 * for very many readings of one zone.
 * @throws RangeError when the text names no zone.
 */
export function clockOf(zone: string): {
  readonly instantOf: (local: number) => number
  readonly localOf: (instant: number) => number
} {
  const { instantOf, offsetAt } = zoneOf(zone)
  return { instantOf, localOf: (instant) => instant + offsetAt(instant) }
}

/**
 * Whether a UTC reading has a wall clock reading within the years 1000 to 9999; `toLocal` gives another one when not.
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function hasLocal(utc: string, zone: string): boolean {
  const seconds = readClock(utc)
  return isWithinYears(seconds + zoneOf(zone).offsetAt(seconds))
}

/** The wall clock reading of Unix milliseconds. @throws RangeError when the text names no zone. */
export function localFromMillis(ms: number, zone: string): string {
  const seconds = Math.floor(ms / 1000)
  return writeClock(seconds + zoneOf(zone).offsetAt(seconds))
}

/**
 * The moment when the day ends in a zone, Unix milliseconds: the first that belongs to the next day.
 * @throws RangeError when the text names no zone.
 */
export function endOfToday(now: number, zone: string): number {
  const { instantOf, offsetAt } = zoneOf(zone)
  const seconds = Math.floor(now / 1000)
  const today = Math.floor((seconds + offsetAt(seconds)) / DAY)
  return instantOf((today + 1) * DAY) * 1000
}

/**
 * Whether the clock of a zone shows a reading twice, because it is put back over it.
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function occursTwice(local: string, zone: string): boolean {
  const { offsetAt } = zoneOf(zone)
  const seconds = readClock(local)
  const [before, after] = [offsetAt(seconds - FURTHEST), offsetAt(seconds + FURTHEST)]
  return before !== after && offsetAt(seconds - before) === before && offsetAt(seconds - after) === after
}

/** How far to move a wall clock reading: each part may be negative, absent parts are 0. */
export interface ClockMove {
  readonly months?: number
  readonly days?: number
  readonly seconds?: number
}

/**
 * Moves a wall clock reading on the calendar: months first (31 January + 1 month is the last day of February), then
 * days, then seconds of the clock face. No zone takes part: a day is always 24 hours here.
 * @throws RangeError for text that is not a clock reading.
 */
export function addToLocal(local: string, amount: ClockMove): string {
  const seconds = readClock(local)
  const days = Math.floor(seconds / DAY)
  const moved = addMonths(days, amount.months ?? 0) + (amount.days ?? 0)
  return writeClock(moved * DAY + (seconds - days * DAY) + (amount.seconds ?? 0))
}
