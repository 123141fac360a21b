import { readClock, writeClock } from '../../../base/time/clock.ts'
import { placeOf } from '../../../base/time/observances.ts'
import { portableRecurrence } from '../../../base/time/recurrence/portable.ts'
import { type RecurrenceRule, WEEKDAYS } from '../../../base/time/recurrence/rule.ts'
import { offsetIn, toLocal } from '../../../base/time/zones.ts'
import type { Urls } from '../../../http/address.ts'
import type { EventTable } from '../../../storage/schema.ts'
import type { Occasion } from '../../event-store/event-row.ts'
import { firstDateOf, recursNoMore, storedRecurrence } from '../../event-store/series/recurring.ts'

type Members = Readonly<Record<string, unknown>>

/** What schema.org says of a date of a recurring event: the first one has the schedule, the others name the first. */
export function seriesJsonLd({ series, date }: Occasion, urls: Pick<Urls, 'page'>): Members {
  if (recursNoMore(series)) return {}
  if (date.id !== series.id)
    return { superEvent: { '@type': 'EventSeries', name: series.title, url: urls.page(`/event/${series.slug}/`) } }
  const schedules = schedulesOf(series)
  return schedules.length === 0 ? {} : { eventSchedule: schedules.length === 1 ? schedules[0] : schedules }
}

/** RDATEs that are reported, each as a schedule of its own. */
const MOST_ADDED = 50

/** The schedules of an event: none where they would say something else than the rule. */
function schedulesOf(series: EventTable): Members[] {
  const recurrence = storedRecurrence(series)
  if (recurrence === undefined) return []
  const { rule, added, excluded } = portableRecurrence(recurrence, firstDateOf(series))
  const frequency = rule === undefined ? undefined : frequencyOf(rule)
  if (added.length > MOST_ADDED || (rule !== undefined && frequency === undefined)) return []
  const common = timesOf(series)
  const start = readClock(series.start_local)
  const single = rule === undefined ? [...new Set([start, ...added])].filter((one) => !excluded.includes(one)) : added
  const others = single.map((seconds) => ({ ...common, startDate: dayOf(seconds), repeatCount: 1 }))
  if (rule === undefined) return others
  return [
    { ...common, startDate: dayOf(start), ...frequency, ...endOf(rule, series), ...exceptOf(excluded, series) },
    ...others,
  ]
}

/** What all schedules of an event have: start and end of a date, and the place of its clock. */
function timesOf({ all_day, start_local, end_local, start_utc, end_utc, timezone }: EventTable): Members {
  const zone = all_day === 1 ? undefined : placeOf(timezone)?.name
  const hours = all_day === 1 ? {} : { startTime: start_local.slice(11), endTime: end_local.slice(11) }
  const length = all_day === 1 ? undefined : readClock(end_utc) - readClock(start_utc)
  return {
    '@type': 'Schedule',
    ...hours,
    ...(length !== undefined && length > 0 && { duration: length % 60 === 0 ? `PT${length / 60}M` : `PT${length}S` }),
    ...(zone !== undefined && { scheduleTimezone: zone }),
  }
}

const UNITS: Readonly<Partial<Record<RecurrenceRule['frequency'], (interval: number) => string>>> = {
  YEARLY: (interval) => `P${interval}Y`,
  MONTHLY: (interval) => `P${interval}M`,
  WEEKLY: (interval) => `P${interval}W`,
  DAILY: (interval) => `P${interval}D`,
  HOURLY: (interval) => `PT${interval}H`,
}

/** How often a rule repeats, in the members that a schedule has; undefined for rules that need others. */
function frequencyOf(rule: RecurrenceRule): Members | undefined {
  const { frequency, interval, byDay, byMonth, byMonthDay } = rule
  const others = [rule.bySecond, rule.byMinute, rule.byHour, rule.byYearDay, rule.byWeekNo, rule.bySetPos]
  const unit = UNITS[frequency]
  if (unit === undefined || others.some((part) => part.length > 0)) return undefined
  const days = byDay.map(({ weekday, nth }) =>
    nth === undefined ? `https://schema.org/${DAYS[weekday]}` : `${nth}${WEEKDAYS[weekday]}`,
  )
  return {
    repeatFrequency: unit(interval),
    ...(days.length > 0 && { byDay: days }),
    ...(byMonth.length > 0 && { byMonth }),
    ...(byMonthDay.length > 0 && { byMonthDay }),
  }
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

function endOf({ count, until }: RecurrenceRule, { timezone }: EventTable): Members {
  if (until === undefined) return count === undefined ? {} : { repeatCount: count }
  const last = writeClock(until.seconds)
  return { endDate: (until.isUtc ? toLocal(last, timezone) : last).slice(0, 10) }
}

function exceptOf(excluded: readonly number[], { all_day, timezone }: EventTable): Members {
  if (excluded.length === 0) return {}
  const told = excluded.map(writeClock).map((local) => {
    const isDay = all_day === 1
    return isDay ? local.slice(0, 10) : `${local.replace(' ', 'T')}${offsetIn(local, timezone)}`
  })
  return { exceptDate: told }
}

function dayOf(seconds: number): string {
  return writeClock(seconds).slice(0, 10)
}
