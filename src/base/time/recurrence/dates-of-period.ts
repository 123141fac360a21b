import { daysFromCivil, daysInMonth, weekdayOf } from '../clock.ts'
import type { RecurrenceRule, WeekdayPart } from './rule.ts'

/** A day as rules look at it. */
export interface RuleDay {
  /** Days from 1970-01-01. */
  readonly number: number
  readonly year: number
  readonly month: number
  readonly day: number
}

/** The days of a period that a rule takes, ascending; `examined` counts what was looked at. */
export interface DaysOfPeriod {
  readonly days: readonly number[]
  readonly examined: number
}

/** Whether a rule takes a day, by all of its parts about days. Those that RFC 5545 leaves to the start are filled in. */
export function takesDay(rule: RecurrenceRule, day: RuleDay): boolean {
  const { byMonth, byMonthDay, byYearDay, byWeekNo, byDay } = rule
  if (byMonth.length > 0 && !byMonth.includes(day.month)) return false
  if (byMonthDay.length > 0 && !isAmong(byMonthDay, day.day, daysInMonth(day.year, day.month))) return false
  if (byYearDay.length > 0 && !isAmong(byYearDay, dayOfYear(day), daysInYear(day.year))) return false
  if (byWeekNo.length > 0 && !isInWeek(rule, day)) return false
  return byDay.length === 0 || byDay.some((part) => isWeekday(part, day, rule))
}

/** The days that a rule takes in a year. */
export function daysOfYear(rule: RecurrenceRule, year: number): DaysOfPeriod {
  if (rule.byYearDay.length > 0) return chosen(rule, daysByYearDay(rule, year))
  const months = rule.byMonth.length > 0 ? rule.byMonth : MONTHS
  const parts = months.map((month) => daysOfMonth(rule, { year, month }))
  return { days: parts.flatMap(({ days }) => days), examined: parts.reduce((sum, { examined }) => sum + examined, 1) }
}

/** The days that a rule takes in a month. */
export function daysOfMonth(
  rule: RecurrenceRule,
  { year, month }: { readonly year: number; readonly month: number },
): DaysOfPeriod {
  const length = daysInMonth(year, month)
  const first = daysFromCivil(year, month, 1)
  if (rule.byMonth.length > 0 && !rule.byMonth.includes(month)) return { days: [], examined: 1 }
  const numbers =
    rule.byMonthDay.length > 0 ? placesOf(rule.byMonthDay, length) : Array.from({ length }, (_, at) => at + 1)
  const days = numbers.filter((day) => takesDay(rule, { number: first + day - 1, year, month, day }))
  return { days: days.map((day) => first + day - 1), examined: numbers.length + 1 }
}

const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1)

function chosen(rule: RecurrenceRule, candidates: readonly RuleDay[]): DaysOfPeriod {
  const days = candidates.filter((day) => takesDay(rule, day)).map(({ number }) => number)
  return { days, examined: candidates.length + 1 }
}

function daysByYearDay({ byYearDay }: RecurrenceRule, year: number): RuleDay[] {
  const first = daysFromCivil(year, 1, 1)
  return placesOf(byYearDay, daysInYear(year)).map((place) => {
    let month = 1
    let day = place
    for (; day > daysInMonth(year, month); month += 1) day -= daysInMonth(year, month)
    return { number: first + place - 1, year, month, day }
  })
}

/** Places 1.. that numbers name, of which those below zero count from the end. */
function placesOf(numbers: readonly number[], length: number): number[] {
  const places = numbers.map((number) => (number < 0 ? length + number + 1 : number))
  return [...new Set(places)].filter((place) => place >= 1 && place <= length).sort((one, other) => one - other)
}

function isAmong(numbers: readonly number[], place: number, length: number): boolean {
  return numbers.includes(place) || numbers.includes(place - length - 1)
}

function dayOfYear({ number, year }: RuleDay): number {
  return number - daysFromCivil(year, 1, 1) + 1
}

function daysInYear(year: number): number {
  return daysInMonth(year, 2) === 29 ? 366 : 365
}

function isWeekday({ weekday, nth }: WeekdayPart, day: RuleDay, { frequency, byMonth }: RecurrenceRule): boolean {
  if (weekdayOf(day.number) !== weekday) return false
  if (nth === undefined) return true
  // Of the month, unless the rule speaks of a year and names no month.
  const isOfYear = frequency === 'YEARLY' && byMonth.length === 0
  const place = isOfYear ? dayOfYear(day) : day.day
  const length = isOfYear ? daysInYear(day.year) : daysInMonth(day.year, day.month)
  return nth > 0 ? Math.ceil(place / 7) === nth : Math.ceil((length - place + 1) / 7) === -nth
}

/** Weeks are numbered as ISO 8601 does it, from the first one with four days in the year, beginning on the rule's day. */
function isInWeek({ byWeekNo, weekStart }: RecurrenceRule, { number, year }: RuleDay): boolean {
  for (const ofYear of [year - 1, year, year + 1]) {
    const first = firstWeek(ofYear, weekStart)
    const next = firstWeek(ofYear + 1, weekStart)
    if (number >= first && number < next)
      return isAmong(byWeekNo, (number - first - ((number - first) % 7)) / 7 + 1, (next - first) / 7)
  }
  return false
}

/** The day on which the first week of a year starts; it may lie in the year before. */
function firstWeek(year: number, weekStart: number): number {
  const fourth = daysFromCivil(year, 1, 4)
  return fourth - ((weekdayOf(fourth) - weekStart + 7) % 7)
}
