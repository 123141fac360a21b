import { civilFromDays, daysInMonth, weekdayOf } from '../../time/clock.ts'
import type { RecurrenceRule } from '../../time/recurrence/rule.ts'
import type { Unit } from './phrases.ts'

/** The weekday of a month that is the nth of its kind: 1..5, or -1 for the last. */
interface NthWeekday {
  readonly nth: number
  /** 0 Sunday .. 6 Saturday. */
  readonly weekday: number
}

/** A rule as people say it: in which periods, how many of them, and which days of each. */
export type RulePattern = { readonly unit: Unit; readonly interval: number } & (
  | { readonly kind: 'periods' }
  | { readonly kind: 'weekdays'; readonly weekdays: readonly number[] }
  /** 1..31, or -1 for the last. */
  | { readonly kind: 'month-days'; readonly days: readonly number[] }
  | { readonly kind: 'month-weekdays'; readonly weekdays: readonly NthWeekday[] }
  | { readonly kind: 'year-days'; readonly days: readonly { readonly month: number; readonly day: number }[] }
  | ({ readonly kind: 'year-weekday'; readonly month: number } & NthWeekday)
)

const UNITS = {
  YEARLY: 'year',
  MONTHLY: 'month',
  WEEKLY: 'week',
  DAILY: 'day',
  HOURLY: 'hour',
  MINUTELY: 'minute',
  SECONDLY: 'second',
} as const

/** The pattern of a rule with a start in seconds of its wall clock; undefined for rules that no words fit. */
export function rulePattern(rule: RecurrenceRule, start: number): RulePattern | undefined {
  const { frequency, interval, byYearDay, byWeekNo, bySecond, byMinute, byHour } = rule
  if (byYearDay.length + byWeekNo.length + bySecond.length + byMinute.length + byHour.length > 0) return undefined
  const day = Math.floor(start / 86_400)
  const period = { unit: UNITS[frequency], interval }
  if (frequency === 'YEARLY') return yearly(rule, day, period)
  if (rule.byMonth.length > 0) return undefined
  if (frequency === 'MONTHLY') return monthly(rule, day, period)
  if (rule.bySetPos.length > 0 || rule.byMonthDay.length > 0) return undefined
  if (frequency === 'WEEKLY') return weekly(rule, [weekdayOf(day)], period)
  if (rule.byDay.length === 0) return { ...period, kind: 'periods' }
  return frequency === 'DAILY' && interval === 1 ? weekly(rule, [], { unit: 'week', interval }) : undefined
}

type Period = Pick<RulePattern, 'unit' | 'interval'>

function weekly({ byDay }: RecurrenceRule, ofStart: readonly number[], period: Period): RulePattern {
  const weekdays = byDay.length === 0 ? ofStart : byDay.map(({ weekday }) => weekday)
  if (weekdays.length === 7 && period.interval === 1) return { unit: 'day', interval: 1, kind: 'periods' }
  return { ...period, kind: 'weekdays', weekdays }
}

function monthly(rule: RecurrenceRule, day: number, period: Period): RulePattern | undefined {
  const weekdays = nthWeekdays(rule)
  if (weekdays !== undefined)
    return rule.byMonthDay.length > 0 ? undefined : { ...period, kind: 'month-weekdays', weekdays }
  if (rule.byDay.length > 0 || rule.bySetPos.length > 0) return undefined
  const days = rule.byMonthDay.length === 0 ? [civilFromDays(day).day] : rule.byMonthDay
  if (days.some((one) => one < -1)) return undefined
  return { ...period, kind: 'month-days', days: [...days].sort((one, other) => fromStart(one) - fromStart(other)) }
}

/** The last one comes last, after the 31st day. */
function fromStart(place: number): number {
  return place === -1 ? 32 : place
}

const LEAP_YEAR = 2000

function yearly(rule: RecurrenceRule, day: number, period: Period): RulePattern | undefined {
  const { byMonth, byMonthDay, byDay, bySetPos } = rule
  const start = civilFromDays(day)
  const weekdays = nthWeekdays(rule)
  if (weekdays !== undefined) {
    const [only] = weekdays
    const [month] = byMonth
    const isSayable = byMonth.length === 1 && weekdays.length === 1 && byMonthDay.length === 0
    return isSayable && only && month ? { ...period, kind: 'year-weekday', month, ...only } : undefined
  }
  const isEveryMonth = byMonthDay.length > 0 && byMonth.length === 0
  if (byDay.length > 0 || bySetPos.length > 0 || isEveryMonth || byMonthDay.some((one) => one < 0)) return undefined
  const months = byMonth.length === 0 ? [start.month] : byMonth
  const days = byMonthDay.length === 0 ? [start.day] : byMonthDay
  if (months.length * days.length > 12) return undefined
  const named = months.flatMap((month) => days.map((one) => ({ month, day: one })))
  const existing = named.filter((one) => one.day <= daysInMonth(LEAP_YEAR, one.month))
  return existing.length === 0 ? undefined : { ...period, kind: 'year-days', days: existing }
}

/** The nth weekdays that a rule names, by number or by the only place in the set of one weekday. */
function nthWeekdays({ byDay, bySetPos, frequency, byMonth }: RecurrenceRule): NthWeekday[] | undefined {
  const [only] = byDay
  const [place] = bySetPos
  const isPlace = byDay.length === 1 && bySetPos.length === 1 && only?.nth === undefined
  const days = isPlace && only && place !== undefined ? [{ weekday: only.weekday, nth: place }] : byDay
  if (days.length === 0 || (!isPlace && bySetPos.length > 0)) return undefined
  // The places of a set of several months are not those of each month.
  if (isPlace && frequency === 'YEARLY' && byMonth.length !== 1) return undefined
  const named = days.flatMap(({ nth, weekday }) =>
    nth !== undefined && nth >= -1 && nth <= 5 ? [{ nth, weekday }] : [],
  )
  return named.length === days.length
    ? named.sort((one, other) => fromStart(one.nth) - fromStart(other.nth))
    : undefined
}
