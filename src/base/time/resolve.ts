import {
  addMonths,
  type CalendarDate,
  civilFromDays,
  daysFromCivil,
  daysInMonth,
  isCalendarDate,
  readClock,
  weekdayOf,
} from './clock.ts'
import type { DateParts } from './date-parts.ts'
import { clockOf, localFromMillis } from './zones.ts'

const DAY = 86_400

/** A resolved reading in seconds of the wall clock (readClock), and whether a time of day was given. */
export interface ResolvedDate {
  readonly seconds: number
  readonly hasTime: boolean
}

/** The present, and the zone whose wall clock a text without its own zone is about. */
export interface Present {
  /** Unix milliseconds. */
  readonly now: number
  readonly zone: string
}

/**
 * The wall clock reading that the parts of a date text mean, on the clock of the text's own zone or offset if it has
 * one, else of the present's zone. `undefined` when they name a day that does not exist, or nothing at all.
 */
export function resolveParts(parts: DateParts, present: Present): ResolvedDate | undefined {
  if (!saysSomething(parts)) return undefined
  const shown = nowOnClock(parts, present)
  const today = Math.floor(shown / DAY)
  const start = startDay(parts, today)
  if (start === undefined) return undefined
  const moved = addMonths(start, parts.move?.months ?? 0)
  const edge = onEdge(moved, parts)
  const days = edge === undefined ? undefined : onWeekday(edge + (parts.move?.days ?? 0), parts)
  if (days === undefined) return undefined
  // Spans of days and more keep the time of the present clock; a named day without a time starts at midnight.
  const namesDay = parts.date || parts.month !== undefined || parts.wholeDay || parts.weekday || parts.nth
  const time = parts.time ?? (namesDay ? 0 : shown - today * DAY)
  const hasTime = parts.time !== undefined || !namesDay || (parts.move?.seconds ?? 0) !== 0
  return { seconds: addSeconds(days * DAY + time, parts, present), hasTime }
}

/**
 * Whether the text means the present itself, moved by hours, minutes or seconds at most: these count as they pass, not
 * as the clock shows, so that `+2 hours` is right when the clocks change.
 */
export function isMovedNow(parts: DateParts): boolean {
  const { move, date, month, weekday, edge, nth } = parts
  const named = date || month !== undefined || weekday || edge || nth || parts.wholeDay || parts.time !== undefined
  if (named || (move && (move.months !== 0 || move.days !== 0))) return false
  return parts.now === true || move !== undefined
}

function saysSomething(parts: DateParts): boolean {
  const { date, time, move, weekday, edge, nth } = parts
  // A month alone leaves open which day is meant.
  if (parts.month !== undefined && !edge && !nth) return false
  return Boolean(date || move || weekday || edge || nth || parts.wholeDay || parts.now || time !== undefined)
}

function nowOnClock({ offset, zone }: DateParts, present: Present): number {
  if (offset !== undefined) return Math.floor(present.now / 1000) + offset
  return readClock(localFromMillis(present.now, zone ?? present.zone))
}

function startDay({ date, month }: DateParts, today: number): number | undefined {
  if (!date && month === undefined) return today
  const { year, ...rest } = date ?? { month: month ?? 1, day: 1 }
  const full = { year: year ?? civilFromDays(today).year, ...rest }
  return isCalendarDate(full) ? daysFromCivil(full.year, full.month, full.day) : undefined
}

/** `first day of`, `last day of`, `second monday of`: of the month, week or year the day lies in. */
function onEdge(days: number, { edge, nth, within, month }: DateParts): number | undefined {
  const date = civilFromDays(days)
  if (nth) return nthWeekday(date, nth)
  if (!edge) return days
  // The move by whole weeks is added by the caller: the weekday stays the same.
  if (within === 'week') return days - ((weekdayOf(days) + 6) % 7) + (edge === 'first' ? 0 : 6)
  const ofYear = within === 'year' && month === undefined
  if (edge === 'first') return daysFromCivil(date.year, ofYear ? 1 : date.month, 1)
  const lastMonth = ofYear ? 12 : date.month
  return daysFromCivil(date.year, lastMonth, daysInMonth(date.year, lastMonth))
}

/** `undefined` for a fifth weekday that the month lacks. */
function nthWeekday(date: CalendarDate, nth: { day: number; count: number }): number | undefined {
  const first = daysFromCivil(date.year, date.month, 1)
  const last = first + daysInMonth(date.year, date.month) - 1
  if (nth.count < 0) return last - ((weekdayOf(last) - nth.day + 7) % 7)
  const found = first + ((nth.day - weekdayOf(first) + 7) % 7) + (nth.count - 1) * 7
  return found <= last ? found : undefined
}

function onWeekday(days: number, { weekday, date, within }: DateParts): number | undefined {
  if (!weekday) return days
  const ahead = (weekday.day - weekdayOf(days) + 7) % 7
  // `Thursday, 10 February 2028` repeats what the date says; a contradiction is no date.
  if (date) return ahead === 0 ? days : undefined
  if (within === 'week') return days - ((weekdayOf(days) + 6) % 7) + ((weekday.day + 6) % 7)
  if (weekday.which === 'next') return days + (ahead || 7)
  return weekday.which === 'last' ? days + ahead - 7 : days + ahead
}

/** Seconds pass on the instants of the zone, so that a change of clocks in between counts. */
function addSeconds(reading: number, { move, offset, zone }: DateParts, present: Present): number {
  if (!move || move.seconds === 0) return reading
  if (offset !== undefined) return reading + move.seconds
  const { instantOf, localOf } = clockOf(zone ?? present.zone)
  return localOf(instantOf(reading) + move.seconds)
}
