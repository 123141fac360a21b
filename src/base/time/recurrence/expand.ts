import { civilFromDays, daysFromCivil, isWithinYears, weekdayOf } from '../clock.ts'
import { daysOfMonth, daysOfYear, takesDay } from './dates-of-period.ts'
import type { Frequency, RecurrenceRule } from './rule.ts'

const DAY = 86_400

/** Counts what an expansion has looked at, so that a rule that gives nothing ends. */
export interface WorkBudget {
  /** Days, periods and times that may still be looked at. */
  left: number
  /** Whether the expansion has ended because nothing was left. */
  isSpent: boolean
}

/** A period of a rule: its dates ascending, and where the next one is. */
interface Period {
  readonly times: readonly number[]
  /** How many intervals later the next period is that may have dates; 1 or more. */
  readonly next: number
}

/**
 * The dates that a rule gives from a start on, ascending and each once, in seconds of a clock without zones from
 * 1970-01-01 00:00:00 (see `readClock`). What the rule leaves open follows from the start (RFC 5545 section 3.3.10); the
 * start itself is given only where the rule takes it. COUNT and UNTIL are not looked at. Ends with the year 9999, or
 * when the budget is spent.
 */
export function* expandRule(rule: RecurrenceRule, start: number, budget: WorkBudget): Generator<number, void> {
  for (const seconds of expandInSteps(rule, start, budget)) if (seconds !== undefined) yield seconds
}

/** What is looked at between two pauses: a few milliseconds. */
const STEP = 4_000

/** The same with an undefined in between wherever so much was looked at that others may have their turn. */
export function* expandInSteps(
  rule: RecurrenceRule,
  start: number,
  budget: WorkBudget,
): Generator<number | undefined, void> {
  let paused = budget.left
  const filled = fillFromStart(rule, start)
  const periodOf = PERIODS[rule.frequency]({ rule: filled, start, budget })
  const positions = setPositions(rule)
  let last = Number.NEGATIVE_INFINITY
  for (let index = 0; ; ) {
    const period = periodOf(index * rule.interval)
    if (period === undefined) return
    if (budget.left <= 0) {
      budget.isSpent = true
      return
    }
    for (const time of positioned(positions, period.times)) {
      if (time < start || time <= last) continue
      if (!isWithinYears(time)) return
      last = time
      budget.left -= 1
      yield time
    }
    index += period.next
    if (paused - budget.left < STEP) continue
    paused = budget.left
    yield undefined
  }
}

/** Whether a rule gives its own start. Looks at one period. */
export function takesStart(rule: RecurrenceRule, start: number, budget: WorkBudget): boolean {
  const filled = fillFromStart(rule, start)
  const period = PERIODS[rule.frequency]({ rule: filled, start, budget })(0)
  return period !== undefined && positioned(setPositions(rule), period.times).includes(start)
}

interface Expansion {
  readonly rule: RecurrenceRule
  readonly start: number
  readonly budget: WorkBudget
}

/** A period so many frequencies after that of the start; undefined beyond the last year. */
type PeriodOf = (expansion: Expansion) => (offset: number) => Period | undefined

const LAST_YEAR = 9999

const PERIODS: Readonly<Record<Frequency, PeriodOf>> = {
  YEARLY: ({ rule, start, budget }) => {
    const { year } = civilFromDays(Math.floor(start / DAY))
    return (offset) => {
      if (year + offset > LAST_YEAR) return undefined
      const { days, examined } = daysOfYear(rule, year + offset)
      budget.left -= examined
      return { times: timesOf(rule, days, budget), next: 1 }
    }
  },
  MONTHLY: ({ rule, start, budget }) => {
    const { year, month } = civilFromDays(Math.floor(start / DAY))
    return (offset) => {
      const months = year * 12 + month - 1 + offset
      const at = { year: Math.floor(months / 12), month: (months % 12) + 1 }
      if (at.year > LAST_YEAR) return undefined
      const { days, examined } = daysOfMonth(rule, at)
      budget.left -= examined
      return { times: timesOf(rule, days, budget), next: 1 }
    }
  },
  WEEKLY: ({ rule, start, budget }) => {
    const day = Math.floor(start / DAY)
    const first = day - ((weekdayOf(day) - rule.weekStart + 7) % 7)
    return (offset) => {
      const begin = first + 7 * offset
      if (!isWithinYears(begin * DAY)) return undefined
      const days = Array.from({ length: 7 }, (_, at) => begin + at).filter((one) => takes(rule, one))
      budget.left -= 7
      return { times: timesOf(rule, days, budget), next: 1 }
    }
  },
  DAILY: ({ rule, start, budget }) => {
    const first = Math.floor(start / DAY)
    return (offset) => {
      const day = first + offset
      if (!isWithinYears(day * DAY)) return undefined
      budget.left -= 1
      if (takes(rule, day)) return { times: timesOf(rule, [day], budget), next: 1 }
      return { times: [], next: intervalsTo(nextDay(rule, day) - day, rule.interval) }
    }
  },
  HOURLY: (expansion) => clockPeriods(expansion, 3600),
  MINUTELY: (expansion) => clockPeriods(expansion, 60),
  SECONDLY: (expansion) => clockPeriods(expansion, 1),
}

/** Periods shorter than a day: those that a part about longer ones excludes are passed over together. */
function clockPeriods({ rule, start, budget }: Expansion, unit: number): (offset: number) => Period | undefined {
  const first = start - (((start % unit) + unit) % unit)
  return (offset) => {
    const begin = first + offset * unit
    if (!isWithinYears(begin)) return undefined
    budget.left -= 1
    const excludedUntil = endOfExcluded(rule, begin, unit)
    if (excludedUntil !== undefined)
      return { times: [], next: intervalsTo(Math.ceil((excludedUntil - begin) / unit), rule.interval) }
    const minutes = unit === 3600 ? rule.byMinute.map((minute) => begin + minute * 60) : [begin]
    const times = unit > 1 ? minutes.flatMap((minute) => rule.bySecond.map((second) => minute + second)) : minutes
    budget.left -= times.length
    return { times, next: 1 }
  }
}

/** Where what excludes a period ends: the day, the hour, the minute or the second; undefined when nothing does. */
function endOfExcluded(rule: RecurrenceRule, begin: number, unit: number): number | undefined {
  const day = Math.floor(begin / DAY)
  if (!takes(rule, day)) return nextDay(rule, day) * DAY
  const time = begin - day * DAY
  const hour = Math.floor(time / 3600)
  if (rule.byHour.length > 0 && !rule.byHour.includes(hour)) return day * DAY + (hour + 1) * 3600
  if (unit === 3600) return undefined
  const minute = Math.floor(time / 60) % 60
  if (rule.byMinute.length > 0 && !rule.byMinute.includes(minute)) return begin - (time % 60) + 60
  if (unit === 60) return undefined
  return rule.bySecond.length > 0 && !rule.bySecond.includes(time % 60) ? begin + 1 : undefined
}

function intervalsTo(periods: number, interval: number): number {
  return Math.max(1, Math.ceil(periods / interval))
}

/** The next day that may be taken after one that is not: the first of a month where the month itself is excluded. */
function nextDay({ byMonth }: RecurrenceRule, day: number): number {
  const { year, month } = civilFromDays(day)
  if (byMonth.length === 0 || byMonth.includes(month)) return day + 1
  const later = byMonth.find((one) => one > month)
  return later === undefined ? daysFromCivil(year + 1, byMonth[0] ?? 1, 1) : daysFromCivil(year, later, 1)
}

function takes(rule: RecurrenceRule, day: number): boolean {
  const { byDay, byMonth, byMonthDay, byYearDay, byWeekNo } = rule
  const weekday = weekdayOf(day)
  if (byDay.length > 0 && !byDay.some((part) => part.weekday === weekday)) return false
  // What such a frequency takes by weekdays alone needs no date.
  const needsDate = byMonth.length + byMonthDay.length + byYearDay.length + byWeekNo.length > 0
  return !needsDate || takesDay(rule, { number: day, ...civilFromDays(day) })
}

/** Days with the times of the rule on each; a rule takes at most 24 x 60 x 60 of them a day. */
function timesOf(
  { byHour, byMinute, bySecond }: RecurrenceRule,
  days: readonly number[],
  budget: WorkBudget,
): number[] {
  const times: number[] = []
  for (const day of days)
    for (const hour of byHour)
      for (const minute of byMinute) {
        if (budget.left <= 0) return times
        budget.left -= bySecond.length
        for (const second of bySecond) times.push(day * DAY + hour * 3600 + minute * 60 + second)
      }
  return times
}

/** BYSETPOS, each part ascending. */
interface SetPositions {
  readonly fromStart: readonly number[]
  /** Without their sign. */
  readonly fromEnd: readonly number[]
}

function setPositions({ bySetPos }: RecurrenceRule): SetPositions | undefined {
  if (bySetPos.length === 0) return undefined
  const fromEnd = bySetPos.filter((position) => position < 0).map((position) => -position)
  return { fromStart: bySetPos.filter((position) => position > 0), fromEnd: fromEnd.reverse() }
}

/**
 * The members of a period that BYSETPOS names, ascending; all of them without it. Of very many positions only those are
 * looked at that a period of this length has.
 */
function positioned(positions: SetPositions | undefined, times: readonly number[]): readonly number[] {
  if (positions === undefined || times.length === 0) return times
  const places = new Set<number>()
  for (const position of positions.fromStart) {
    if (position > times.length) break
    places.add(position - 1)
  }
  for (const position of positions.fromEnd) {
    if (position > times.length) break
    places.add(times.length - position)
  }
  return [...places].sort((one, other) => one - other).flatMap((place) => times[place] ?? [])
}

/** The rule with the parts that it leaves to its start (RFC 5545 section 3.3.10), times of the day included. */
export function fillFromStart(rule: RecurrenceRule, start: number): RecurrenceRule {
  const day = Math.floor(start / DAY)
  const time = start - day * DAY
  const { month, day: monthDay } = civilFromDays(day)
  const { frequency } = rule
  const isShort = frequency === 'HOURLY' || frequency === 'MINUTELY' || frequency === 'SECONDLY'
  const clock = {
    byHour: rule.byHour.length > 0 || isShort ? rule.byHour : [Math.floor(time / 3600)],
    byMinute:
      rule.byMinute.length > 0 || (isShort && frequency !== 'HOURLY') ? rule.byMinute : [Math.floor(time / 60) % 60],
    bySecond: rule.bySecond.length > 0 || frequency === 'SECONDLY' ? rule.bySecond : [time % 60],
  }
  const namesDays = rule.byDay.length + rule.byMonthDay.length + rule.byYearDay.length > 0
  if (namesDays || frequency === 'DAILY' || isShort) return { ...rule, ...clock }
  const weekday = [{ weekday: weekdayOf(day), nth: undefined }]
  if (frequency === 'WEEKLY' || rule.byWeekNo.length > 0) return { ...rule, ...clock, byDay: weekday }
  const byMonth = frequency === 'YEARLY' && rule.byMonth.length === 0 ? [month] : rule.byMonth
  return { ...rule, ...clock, byMonth, byMonthDay: [monthDay] }
}
