import { numericLetters, placeLetters } from './abbreviations.ts'
import { isWithinYears, readClock, writeClock } from './clock.ts'
import { type OffsetAt, offsetsOf } from './offsets.ts'
import { readZoneName } from './zone-names.ts'

export { addToLocal, millisFromUtc, utcFromMillis } from './clock.ts'

/** No clock in the tz database is further than this from UTC, in seconds. */
const FURTHEST = 86_400
/** Zone texts remembered; they come from outside, and letter case alone gives endless spellings of one zone. */
const TEXTS_KEPT = 2048

interface Zone {
  readonly offsetAt: OffsetAt
  lettersAt(local: string, offset: number): string
}

const zones = new Map<string, Zone | undefined>()

/**
 * Whether a text names a time zone: a name of the tz database in any letter case, `UTC`, `UTC+3`, `UTC+5.5`,
 * `UTC+5:30`, letters such as `EST`, `+05:30`, `-0300`, `Z`, `GMT+3`; offsets between -12 and +14 hours. Not `utc+3`,
 * `UTC+`, `UTC+0530`, `''` (wire: events 4.1).
 */
export function isZone(text: string): boolean {
  return findZone(text) !== undefined
}

/**
 * The UTC reading of a wall clock reading, both `'YYYY-MM-DD HH:MM:SS'`. A reading that a change of clocks skips moves
 * forward by the length of the gap (02:30 becomes 03:30); one that occurs twice is the first (wire: events 4.2).
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function toUtc(local: string, zone: string): string {
  return writeClock(instantOf(readClock(local), zoneOf(zone).offsetAt))
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
 * Whether a wall clock reading has a UTC reading within the years 1000 to 9999; `toUtc` gives another moment when not.
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function hasUtc(local: string, zone: string): boolean {
  return isWithinYears(instantOf(readClock(local), zoneOf(zone).offsetAt))
}

/**
 * A wall clock reading of a zone with its UTC reading, moved forward where the clock skips it; undefined where UTC leaves
 * the years 1000 to 9999.
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function momentIn(local: string, zone: string): { readonly local: string; readonly utc: string } | undefined {
  const { offsetAt } = zoneOf(zone)
  const instant = instantOf(readClock(local), offsetAt)
  if (!isWithinYears(instant)) return undefined
  return { local: writeClock(instant + offsetAt(instant)), utc: writeClock(instant) }
}

/**
 * Whether a UTC reading has a wall clock reading within the years 1000 to 9999; `toLocal` gives another one when not.
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function hasLocal(utc: string, zone: string): boolean {
  const seconds = readClock(utc)
  return isWithinYears(seconds + zoneOf(zone).offsetAt(seconds))
}

/**
 * The letters a clock of the zone shows at a wall clock reading: `EST`, `PDT`, `JST`, `CEST`; `+0545`, `-03` where the
 * tz database has no letters; the zone text itself for `UTC+3`, `GMT+0300` for `GMT+3` (wire: events 1.1 row 27). `utc`
 * is the UTC reading of the moment, which alone tells a reading that occurs twice from the first one.
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function zoneAbbreviation(local: string, zone: string, utc: string = toUtc(local, zone)): string {
  return zoneOf(zone).lettersAt(local, zoneOf(zone).offsetAt(readClock(utc)))
}

/**
 * The offset valid at a wall clock reading, as ISO 8601 writes it: `'+05:30'`, `'-08:00'`, `'+00:00'` for UTC. Seconds,
 * which only days of local mean time have, are dropped. `utc` as for zoneAbbreviation.
 * @throws RangeError for text that is no clock reading or names no zone.
 */
export function offsetText(local: string, zone: string, utc: string = toUtc(local, zone)): string {
  const text = numericLetters(zoneOf(zone).offsetAt(readClock(utc)))
  return `${text.slice(0, 3)}:${text.slice(3) || '00'}`
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

/** The Unix second of a wall clock second. Two changes of clocks never fall into the two days looked at. */
function instantOf(local: number, offsetAt: OffsetAt): number {
  const before = offsetAt(local - FURTHEST)
  const after = offsetAt(local + FURTHEST)
  if (before === after || offsetAt(local - before) === before) return local - before
  if (offsetAt(local - after) === after) return local - after
  // Inside a gap: the clock that was not yet moved gives an instant that lies behind the gap by as much.
  return local - before
}

function zoneOf(text: string): Zone {
  const zone = findZone(text)
  if (zone === undefined) throw new RangeError(`not a time zone: ${text}`)
  return zone
}

function findZone(text: string): Zone | undefined {
  const known = zones.get(text)
  if (known !== undefined || zones.has(text)) return known
  if (zones.size >= TEXTS_KEPT) zones.clear()
  const zone = makeZone(text)
  zones.set(text, zone)
  return zone
}

function makeZone(text: string): Zone | undefined {
  const name = readZoneName(text)
  if (name === undefined) return undefined
  if (name.kind === 'place') {
    return { offsetAt: offsetsOf(name.resolved), lettersAt: (local, offset) => placeLetters(text, local, offset) }
  }
  const { offset, letters } = name
  return { offsetAt: () => offset, lettersAt: () => letters }
}
