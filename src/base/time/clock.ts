import { placeLetters } from './abbreviations.ts'
import { readZoneName } from './zone-names.ts'

// Wall clock and UTC readings share one text form, 'YYYY-MM-DD HH:MM:SS'. This file turns that text into a count of
// seconds on a clock without zones (day 0 is 1970-01-01) and back. Text is read and written by hand, because that happens
// several times for every event presented, and Date and Temporal take five times as long.
const DAY = 86_400
const DAY_MS = DAY * 1000
const DAYS_IN_400_YEARS = 146_097
const LOWEST = daysFromCivil(0, 1, 1) * DAY
const HIGHEST = daysFromCivil(9999, 12, 31) * DAY + DAY - 1
const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))

/** A calendar date: the four digit year, month 1..12, day 1..31. */
export interface CalendarDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

/**
 * Number of days from 1970-01-01 to a date of the (proleptic) Gregorian calendar; negative before.
 * Days past the end of a month count on into the next one.
 */
export function daysFromCivil(year: number, month: number, day: number): number {
  // Date takes the years 0 to 99 for those of the last century; after 400 years the calendar is the same.
  return Date.UTC(year + 400, month - 1, day) / DAY_MS - DAYS_IN_400_YEARS
}

/** The calendar date of a day number; the inverse of daysFromCivil. */
export function civilFromDays(days: number): CalendarDate {
  const date = new Date(days * DAY_MS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** Number of days in a month, 28..31. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Whether a date exists in the calendar and has a year of 1000..9999. */
export function isCalendarDate({ year, month, day }: CalendarDate): boolean {
  if (year < 1000 || year > 9999 || month < 1 || month > 12) return false
  return day >= 1 && day <= daysInMonth(year, month)
}

/** Day of the week of a day number: 0 Sunday .. 6 Saturday. */
export function weekdayOf(days: number): number {
  return (((days + 4) % 7) + 7) % 7
}

/**
 * Seconds from 1970-01-01 00:00:00 to a reading `'YYYY-MM-DD HH:MM:SS'` on the same clock, negative before.
 * @throws RangeError for text of any other form, zero dates (`0000-00-00 00:00:00`) included.
 */
export function readClock(text: string): number {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  const time = twoDigits(text, 11) * 3600 + twoDigits(text, 14) * 60 + twoDigits(text, 17)
  if (text.length !== 19 || !(month >= 1 && month <= 12 && day >= 1 && day <= 31 && time < DAY) || Number.isNaN(year)) {
    throw new RangeError(`not a clock reading: ${text}`)
  }
  return daysFromCivil(year, month, day) * DAY + time
}

/**
 * The reading `'YYYY-MM-DD HH:MM:SS'` of a count of seconds from 1970-01-01 00:00:00. Counts outside the years
 * 0000..9999 give the first or last reading of that range, so that the text keeps its width and its order.
 */
export function writeClock(seconds: number): string {
  const within = Math.max(LOWEST, Math.min(seconds, HIGHEST))
  const days = Math.floor(within / DAY)
  const time = within - days * DAY
  const hours = Math.floor(time / 3600)
  const minutes = Math.floor((time - hours * 3600) / 60)
  const date = civilFromDays(days)
  const century = Math.floor(date.year / 100)
  return `${two(century)}${two(date.year - century * 100)}-${two(date.month)}-${two(date.day)} ${two(hours)}:${two(
    minutes,
  )}:${two(time - hours * 3600 - minutes * 60)}`
}

const EARLIEST = readClock('1000-01-01 00:00:00')

/** Whether a count of seconds is within the years 1000 to 9999, which are those that clients may send and get. */
export function isWithinYears(seconds: number): boolean {
  return seconds >= EARLIEST && seconds <= HIGHEST
}

/** Moves a day number by whole months; a day the target month lacks becomes its last day. */
export function addMonths(days: number, months: number): number {
  if (months === 0) return days
  const date = civilFromDays(days)
  const count = date.year * 12 + date.month - 1 + months
  const year = Math.floor(count / 12)
  const month = count - year * 12 + 1
  return daysFromCivil(year, month, Math.min(date.day, daysInMonth(year, month)))
}

/** A number below 100 with two digits. */
export function two(number: number): string {
  return TWO_DIGITS[number] ?? '00'
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

// The UTC offsets of named zones. Temporal knows them, but takes ten times as long for each as it takes to remember for how
// long one stays the same.

/** Spans remembered of each place: all of 1,000 years. A place that gets past that starts again. */
const SPANS_KEPT = 2048
/** Zone texts remembered; they come from outside, and letter case alone gives endless spellings of one zone. */
const TEXTS_KEPT = 2048

/** No clock in the tz database is further than this from UTC, in seconds. */
export const FURTHEST = 86_400

/** Seconds that local time is ahead of UTC at an instant given in Unix seconds. */
type OffsetAt = (utcSeconds: number) => number

/** A time in which a clock keeps one offset: its first Unix second, and the first one after it. */
interface Span {
  readonly from: number
  readonly until: number
  readonly offset: number
}

/** A time zone, as a text names it. */
interface Zone {
  readonly offsetAt: OffsetAt
  /** The Unix second of a second that its clock shows: the first where it shows it twice, behind the gap where it skips it. */
  readonly instantOf: (local: number) => number
  /** The letters that its clock shows at a wall clock reading with a known offset in seconds. */
  readonly lettersAt: (local: string, offset: number) => string
}

const places = new Map<string, OffsetAt>()
const zones = new Map<string, Zone | undefined>()

/** The zone that a text names. @throws RangeError when it names none. */
export function zoneOf(text: string): Zone {
  const zone = findZone(text)
  if (zone === undefined) throw new RangeError(`not a time zone: ${text}`)
  return zone
}

/** The zone that a text names, undefined when it names none. */
export function findZone(text: string): Zone | undefined {
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
    const offsetAt = offsetsOf(name.resolved)
    const lettersAt: Zone['lettersAt'] = (local, offset) => placeLetters(text, local, offset)
    return { offsetAt, instantOf: (local) => instantIn(local, offsetAt), lettersAt }
  }
  const { offset, letters } = name
  return { offsetAt: () => offset, instantOf: (local) => local - offset, lettersAt: () => letters }
}

/** The Unix second of a wall clock second. Two changes of clocks never fall into the two days looked at. */
function instantIn(local: number, offsetAt: OffsetAt): number {
  const before = offsetAt(local - FURTHEST)
  const after = offsetAt(local + FURTHEST)
  if (before === after || offsetAt(local - before) === before) return local - before
  if (offsetAt(local - after) === after) return local - after
  // Inside a gap: the clock that was not yet moved gives an instant that lies behind the gap by as much.
  return local - before
}

/** The offsets of a zone, by a name that resolveZone gave. @throws RangeError for a name that Temporal does not know */
export function offsetsOf(resolved: string): OffsetAt {
  const known = places.get(resolved)
  if (known !== undefined) return known
  const offsets = rememberedOffsets(resolved)
  places.set(resolved, offsets)
  return offsets
}

function rememberedOffsets(zone: string): OffsetAt {
  const spans: Span[] = []
  let last = spanAround(zone, 0)
  return (utcSeconds) => {
    if (utcSeconds >= last.from && utcSeconds < last.until) return last.offset
    const place = placeAmong(spans, utcSeconds)
    const known = spans[place]
    if (known !== undefined && known.from <= utcSeconds) last = known
    else {
      last = spanAround(zone, utcSeconds)
      if (spans.length < SPANS_KEPT) spans.splice(place, 0, last)
      else spans.splice(0, SPANS_KEPT, last)
    }
    return last.offset
  }
}

/** The index of the first span that ends after a moment; they are in the order of time. */
function placeAmong(spans: readonly Span[], moment: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.until ?? 0) > moment) high = middle
    else low = middle + 1
  }
  return low
}

function spanAround(zone: string, utcSeconds: number): Span {
  // A change of clocks at this very second has to count as one before it.
  const moment = zonedAt(zone, utcSeconds * 1000 + 1)
  const [previous, next] = [moment.getTimeZoneTransition('previous'), moment.getTimeZoneTransition('next')]
  return {
    from: previous === null ? Number.NEGATIVE_INFINITY : previous.epochMilliseconds / 1000,
    until: next === null ? Number.POSITIVE_INFINITY : next.epochMilliseconds / 1000,
    offset: moment.offsetNanoseconds / 1e9,
  }
}

/** The Unix seconds after one and up to another at which a zone, by a name that resolveZone gave, changes its clock. */
export function changesOf(resolved: string, after: number, until: number): number[] {
  const changes: number[] = []
  let change = zonedAt(resolved, after * 1000).getTimeZoneTransition('next')
  for (; change !== null && change.epochMilliseconds <= until * 1000; change = change.getTimeZoneTransition('next'))
    changes.push(change.epochMilliseconds / 1000)
  return changes
}

function zonedAt(zone: string, unixMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(unixMs).toZonedDateTimeISO(zone)
}
