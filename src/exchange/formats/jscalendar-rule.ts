import { writeClock } from '../../base/time/clock.ts'
import { type RecurrenceRule, WEEKDAYS } from '../../base/time/recurrence/rule.ts'
import type { DateStamp } from '../../base/time/recurrence/stamp.ts'
import { toLocal } from '../../base/time/zones.ts'
import type { JscalendarMembers } from './jscalendar-event.ts'

/**
 * A RecurrenceRule (RFC 8984 section 4.3.3) of an event in some zone. Undefined where no such rule gives the same dates, or
 * where those who read it may take it for others: then its dates have to be listed.
 */
export function ruleObject(rule: RecurrenceRule, zone: string): JscalendarMembers | undefined {
  const written = unambiguous(rule)
  if (written === undefined) return undefined
  const { interval, weekStart, count, until } = written
  const lists = Object.entries(listsOf(written)).filter(([, list]) => list.length > 0)
  return {
    '@type': 'RecurrenceRule',
    frequency: written.frequency.toLowerCase(),
    ...(interval !== 1 && { interval }),
    ...(weekStart !== 1 && { firstDayOfWeek: dayName(weekStart) }),
    ...Object.fromEntries(lists),
    ...(count !== undefined && { count }),
    ...(until !== undefined && { until: localUntil(until, zone) }),
  }
}

/** `2027-01-04T10:00:00` (RFC 8984 section 1.4.4). */
export function localDateTime(local: string): string {
  return local.replace(' ', 'T')
}

function listsOf(rule: RecurrenceRule): Readonly<Record<string, readonly unknown[]>> {
  return {
    byDay: rule.byDay.map(({ nth, weekday }) => ({
      '@type': 'NDay',
      day: dayName(weekday),
      ...(nth !== undefined && { nthOfPeriod: nth }),
    })),
    byMonthDay: rule.byMonthDay,
    byMonth: rule.byMonth.map(String),
    byYearDay: rule.byYearDay,
    byWeekNo: rule.byWeekNo,
    byHour: rule.byHour,
    byMinute: rule.byMinute,
    bySecond: rule.bySecond,
    bySetPosition: rule.bySetPos,
  }
}

const MONTHS = Array.from({ length: 12 }, (_none, index) => index + 1)

/** Weeks of which a part may lie in another year. */
function isAtYearsEnd(week: number): boolean {
  return Math.abs(week) === 1 || Math.abs(week) >= 52
}

/**
 * A rule in the parts of which RFC 5545 and RFC 8984 say the same. They differ about rules by the year: days of months
 * without months are days of the month of the start (4.3.3.1), and numbered days of the week are always those of the year.
 */
function unambiguous(rule: RecurrenceRule): RecurrenceRule | undefined {
  const { frequency, byDay, byMonth, byMonthDay, byYearDay, byWeekNo } = rule
  if (frequency !== 'YEARLY') return rule
  const countsPeriods = rule.interval > 1 || rule.bySetPos.length > 0
  if (countsPeriods && byWeekNo.some(isAtYearsEnd)) return undefined
  const [nth, ...others] = new Set(byDay.map((day) => day.nth))
  if (nth === undefined && others.length === 0) {
    const leavesMonths = byMonthDay.length > 0 && byMonth.length + byYearDay.length + byWeekNo.length === 0
    return leavesMonths ? { ...rule, byMonth: MONTHS } : rule
  }
  if (byMonthDay.length > 0) return undefined
  if (byMonth.length === 0) return rule
  if (nth === undefined || others.length > 0 || Math.abs(nth) > 5) return undefined
  const days = byDay.map(({ weekday }) => ({ weekday, nth: undefined }))
  return { ...rule, byDay: days, byMonthDay: daysOfWeekOfMonth(nth) }
}

/** The days of a month on which its nth Monday, Tuesday and so on may be: `[8 .. 14]` for the second ones. */
function daysOfWeekOfMonth(nth: number): number[] {
  const last = Math.abs(nth) * 7
  const days = Array.from({ length: 7 }, (_none, index) => last - 6 + index).filter((day) => day <= 31)
  return nth > 0 ? days : days.map((day) => -day).reverse()
}

function dayName(weekday: number): string {
  return (WEEKDAYS[weekday] ?? '').toLowerCase()
}

/** The last moment on the clock of the event. */
function localUntil({ seconds, isUtc }: DateStamp, zone: string): string {
  const text = writeClock(seconds)
  return localDateTime(isUtc ? toLocal(text, zone) : text)
}
