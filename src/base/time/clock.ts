// Wall clock and UTC readings share one text form, 'YYYY-MM-DD HH:MM:SS'. This file turns that text into a count of
// seconds on a clock without zones (day 0 is 1970-01-01) and back, and converts between the clocks of zones. It is
// written out by hand, without Date or regular expressions, because it runs several times for every event presented.
import { FURTHEST, zoneOf } from './offsets.ts'

const DAY = 86_400
/** Day numbers are counted from 0000-03-01, so that the leap day is the last of a year. */
const DAYS_TO_1970 = 719_468
const DAYS_IN_ERA = 146_097
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
  const shifted = month > 2 ? year : year - 1
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * DAYS_IN_ERA + dayOfEra - DAYS_TO_1970
}

/** The calendar date of a day number; the inverse of daysFromCivil. */
export function civilFromDays(days: number): CalendarDate {
  const shifted = days + DAYS_TO_1970
  const era = Math.floor(shifted / DAYS_IN_ERA)
  const dayOfEra = shifted - era * DAYS_IN_ERA
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const march = Math.floor((5 * dayOfYear + 2) / 153)
  const month = march < 10 ? march + 3 : march - 9
  const day = dayOfYear - Math.floor((153 * march + 2) / 5) + 1
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day }
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

/** Moves a day number by whole months; a day the target month lacks becomes its last day. */
export function addMonths(days: number, months: number): number {
  if (months === 0) return days
  const date = civilFromDays(days)
  const count = date.year * 12 + date.month - 1 + months
  const year = Math.floor(count / 12)
  const month = count - year * 12 + 1
  return daysFromCivil(year, month, Math.min(date.day, daysInMonth(year, month)))
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

function two(number: number): string {
  return TWO_DIGITS[number] ?? '00'
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}
