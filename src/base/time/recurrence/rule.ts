import { type DateStamp, readStamp } from './stamp.ts'

/** FREQ of a rule (RFC 5545 section 3.3.10), from the longest period to the shortest. */
export const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'] as const

/** How long the periods of a rule are. */
export type Frequency = (typeof FREQUENCIES)[number]

/** Days of the week as rules write them; the index is that of `weekdayOf`: 0 Sunday .. 6 Saturday. */
export const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/** A member of BYDAY: each such day of the period, or the nth one of the month or year, counted from its end below zero. */
export interface WeekdayPart {
  /** 0 Sunday .. 6 Saturday. */
  readonly weekday: number
  /** 1..53 or -53..-1; undefined for each. */
  readonly nth: number | undefined
}

/** A recurrence rule, checked. Lists are in ascending order without repetition and empty where the rule has no such part. */
export interface RecurrenceRule {
  readonly frequency: Frequency
  /** 1 or more. */
  readonly interval: number
  readonly count: number | undefined
  /** The last moment at which the rule gives dates, itself included; of a date that whole day. */
  readonly until: DateStamp | undefined
  /** Seconds 0..59, minutes and hours; a leap second counts as the second before it. */
  readonly bySecond: readonly number[]
  readonly byMinute: readonly number[]
  readonly byHour: readonly number[]
  readonly byDay: readonly WeekdayPart[]
  /** 1..31, -31..-1. */
  readonly byMonthDay: readonly number[]
  /** 1..366, -366..-1. */
  readonly byYearDay: readonly number[]
  /** 1..53, -53..-1. */
  readonly byWeekNo: readonly number[]
  /** 1..12. */
  readonly byMonth: readonly number[]
  /** 1..366, -366..-1. */
  readonly bySetPos: readonly number[]
  /** The day on which weeks start: 0 Sunday .. 6 Saturday; Monday by default. */
  readonly weekStart: number
}

/** What is wrong with a rule: which part of it, and why. */
export interface RuleProblem {
  /** Name of the part, `BYDAY`; `RRULE` for the rule as a whole. */
  readonly part: string
  /** An English sentence without a period. */
  readonly reason: string
}

/** A rule, or what is wrong with it. */
export type ReadRule =
  | { readonly ok: true; readonly rule: RecurrenceRule }
  | { readonly ok: false; readonly problem: RuleProblem }

type ListName = 'bySecond' | 'byMinute' | 'byHour' | 'byMonthDay' | 'byYearDay' | 'byWeekNo' | 'byMonth' | 'bySetPos'

/** The parts that are lists of numbers: from zero or one to their highest, counted from the end where `fromEnd` says so. */
const LISTS: Readonly<Record<string, { readonly name: ListName; lowest: number; highest: number; fromEnd: boolean }>> =
  {
    BYSECOND: { name: 'bySecond', lowest: 0, highest: 60, fromEnd: false },
    BYMINUTE: { name: 'byMinute', lowest: 0, highest: 59, fromEnd: false },
    BYHOUR: { name: 'byHour', lowest: 0, highest: 23, fromEnd: false },
    BYMONTHDAY: { name: 'byMonthDay', lowest: 1, highest: 31, fromEnd: true },
    BYYEARDAY: { name: 'byYearDay', lowest: 1, highest: 366, fromEnd: true },
    BYWEEKNO: { name: 'byWeekNo', lowest: 1, highest: 53, fromEnd: true },
    BYMONTH: { name: 'byMonth', lowest: 1, highest: 12, fromEnd: false },
    BYSETPOS: { name: 'bySetPos', lowest: 1, highest: 366, fromEnd: true },
  }

/** No rule that means something needs more; a hostile one costs at most so much. */
const LONGEST = 2_000
/** What INTERVAL and COUNT may be at most: further dates lie beyond the year 9999. */
const MOST = 1_000_000_000

type Mutable<Value> = { -readonly [Member in keyof Value]: Value[Member] }

class Refused extends Error {
  readonly problem: RuleProblem
  constructor(part: string, reason: string) {
    super(reason)
    this.problem = { part, reason }
  }
}

/**
 * Reads a rule, `FREQ=WEEKLY;BYDAY=MO,WE`, in any letter case and order of parts. Refused are what RFC 5545 section
 * 3.3.10 forbids, parts that it does not know, and RSCALE and SKIP (RFC 7529).
 */
export function readRule(text: string): ReadRule {
  try {
    if (text.length > LONGEST) throw new Refused('RRULE', `is longer than ${LONGEST} characters`)
    return { ok: true, rule: checked(partsOf(text)) }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, problem: error.problem }
    throw error
  }
}

function partsOf(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>()
  for (const piece of text.trim().toUpperCase().replace(/;$/, '').split(';')) {
    const at = piece.indexOf('=')
    const name = at < 0 ? piece : piece.slice(0, at)
    if (at < 1) throw new Refused('RRULE', `has ${JSON.stringify(piece)} where NAME=VALUE is expected`)
    if (parts.has(name)) throw new Refused(name, 'is given twice')
    parts.set(name, piece.slice(at + 1))
  }
  return parts
}

function checked(parts: ReadonlyMap<string, string>): RecurrenceRule {
  const rule: Mutable<RecurrenceRule> = {
    frequency: frequencyOf(parts.get('FREQ')),
    interval: 1,
    count: undefined,
    until: undefined,
    bySecond: [],
    byMinute: [],
    byHour: [],
    byDay: [],
    byMonthDay: [],
    byYearDay: [],
    byWeekNo: [],
    byMonth: [],
    bySetPos: [],
    weekStart: 1,
  }
  for (const [name, value] of parts) readPart(rule, name, value)
  refuseCombinations(rule)
  return rule
}

function frequencyOf(value: string | undefined): Frequency {
  const found = FREQUENCIES.find((one) => one === value)
  if (found !== undefined) return found
  throw new Refused('FREQ', value === undefined ? 'is missing' : `is none of ${FREQUENCIES.join(', ')}`)
}

function readPart(rule: Mutable<RecurrenceRule>, name: string, value: string): void {
  const list = LISTS[name]
  if (list !== undefined) rule[list.name] = numbersOf(name, value)
  else if (name === 'INTERVAL') rule.interval = wholeNumber(name, value)
  else if (name === 'COUNT') rule.count = wholeNumber(name, value)
  else if (name === 'UNTIL') rule.until = untilOf(value)
  else if (name === 'BYDAY') rule.byDay = weekdaysOf(value)
  else if (name === 'WKST') rule.weekStart = weekdayNamed(name, value)
  else if (name === 'RSCALE' || name === 'SKIP')
    throw new Refused(name, 'is not supported: the calendar is Gregorian, and dates that do not exist are left out')
  else if (name !== 'FREQ') throw new Refused(name, 'is no part of a rule')
}

function wholeNumber(name: string, value: string): number {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : 0
  if (number >= 1 && number <= MOST) return number
  throw new Refused(name, `is no whole number from 1 to ${MOST}`)
}

function numbersOf(name: string, value: string): number[] {
  const { lowest, highest, fromEnd } = LISTS[name] as (typeof LISTS)[string]
  const numbers = value.split(',').map((one) => {
    const number = /^[+-]?\d{1,3}$/.test(one) ? Number(one) : Number.NaN
    const isWithin = number >= lowest && number <= highest
    if (isWithin || (fromEnd && -number >= lowest && -number <= highest)) return number
    const range = fromEnd ? `${lowest} to ${highest} or -${highest} to -${lowest}` : `${lowest} to ${highest}`
    throw new Refused(name, `has ${JSON.stringify(one)} where a number from ${range} is expected`)
  })
  // Clocks here have no leap seconds.
  return ascending(name === 'BYSECOND' ? numbers.map((number) => Math.min(number, 59)) : numbers)
}

function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((one, other) => one - other)
}

function weekdaysOf(value: string): WeekdayPart[] {
  const days = value.split(',').map((one) => {
    const [, nth, name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(one) ?? []
    const weekday = WEEKDAYS.findIndex((known) => known === name)
    const number = nth === undefined ? undefined : Number(nth)
    if (weekday >= 0 && (number === undefined || (number !== 0 && Math.abs(number) <= 53)))
      return { weekday, nth: number }
    throw new Refused('BYDAY', `has ${JSON.stringify(one)} where a day such as MO, 2MO or -1FR is expected`)
  })
  const unique = new Map(days.map((day) => [`${day.nth} ${day.weekday}`, day]))
  // Weeks are written from Monday on.
  return [...unique.values()].sort(
    (one, other) => (one.nth ?? 0) - (other.nth ?? 0) || ((one.weekday + 6) % 7) - ((other.weekday + 6) % 7),
  )
}

function weekdayNamed(part: string, name: string): number {
  const weekday = WEEKDAYS.findIndex((known) => known === name)
  if (weekday >= 0) return weekday
  throw new Refused(part, `is none of ${WEEKDAYS.join(', ')}`)
}

function untilOf(value: string): DateStamp {
  const until = readStamp(value)
  if (until !== undefined) return until
  throw new Refused('UNTIL', 'is no date or time such as 20270630, 20270630T180000 or 20270630T160000Z')
}

/** The parts one of which BYSETPOS needs. */
const SET_MAKING = [
  ...(['bySecond', 'byMinute', 'byHour', 'byDay', 'byMonthDay', 'byYearDay', 'byWeekNo', 'byMonth'] as const),
]

/** What RFC 5545 section 3.3.10 forbids about parts that are sound by themselves. */
function refuseCombinations(rule: RecurrenceRule): void {
  const { frequency, byDay, byWeekNo, byYearDay, byMonthDay, bySetPos } = rule
  const isOneOf = (...frequencies: readonly Frequency[]): boolean => frequencies.includes(frequency)
  if (rule.count !== undefined && rule.until !== undefined) throw new Refused('UNTIL', 'and COUNT exclude each other')
  if (byWeekNo.length > 0 && frequency !== 'YEARLY') throw new Refused('BYWEEKNO', 'is for FREQ=YEARLY only')
  if (byYearDay.length > 0 && isOneOf('DAILY', 'WEEKLY', 'MONTHLY'))
    throw new Refused('BYYEARDAY', `is not for FREQ=${frequency}`)
  if (byMonthDay.length > 0 && frequency === 'WEEKLY') throw new Refused('BYMONTHDAY', 'is not for FREQ=WEEKLY')
  const hasNth = byDay.some(({ nth }) => nth !== undefined)
  if (hasNth && !isOneOf('YEARLY', 'MONTHLY'))
    throw new Refused('BYDAY', `has a number, which is not for FREQ=${frequency}`)
  if (hasNth && byWeekNo.length > 0) throw new Refused('BYDAY', 'has a number, which is not for rules with BYWEEKNO')
  const makesSet = SET_MAKING.some((name) => rule[name].length > 0)
  if (bySetPos.length > 0 && !makesSet) throw new Refused('BYSETPOS', 'needs another part that begins with BY')
}
