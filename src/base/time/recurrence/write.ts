import { readClock, writeClock } from '../clock.ts'
import { toLocal, toUtc } from '../zones.ts'
import type { FirstDate, ListedDate, Recurrence } from './lines.ts'
import { type RecurrenceRule, WEEKDAYS } from './rule.ts'
import { writeStamp } from './stamp.ts'
import { atOnce, type Steps } from './steps.ts'

/**
 * The lines of a recurrence in their one normal form: RRULE, then RDATE, then EXDATE, with dates ascending. `TZID`, or
 * `Z` for UTC, stands only where a date was written in another zone than that of the event, each such zone on a line of
 * its own; `VALUE=DATE` for all-day events. What readRecurrence makes of them is the same recurrence.
 */
export function writeRecurrence(recurrence: Recurrence, first: FirstDate): string[] {
  return atOnce(writingSteps(recurrence, first))
}

/** Dates that are written between two pauses. */
const STEP = 250

/** The same as steps. */
export function* writingSteps(recurrence: Recurrence, first: FirstDate): Steps<string[]> {
  const rule = recurrence.rule === undefined ? [] : [`RRULE:${writeRule(recurrence.rule)}`]
  const added = yield* linesOf('RDATE', recurrence.added, first)
  return [...rule, ...added, ...(yield* linesOf('EXDATE', recurrence.excluded, first))]
}

/** A rule with its parts in the order in which RFC 5545 names them, without those that say what holds anyway. */
export function writeRule(rule: RecurrenceRule): string {
  const byDay = rule.byDay.map(({ nth, weekday }) => `${nth ?? ''}${WEEKDAYS[weekday]}`)
  const parts: readonly (readonly [string, string | number | undefined])[] = [
    ['FREQ', rule.frequency],
    ['UNTIL', rule.until && writeStamp(rule.until)],
    ['COUNT', rule.count],
    ['INTERVAL', rule.interval === 1 ? undefined : rule.interval],
    ['BYSECOND', rule.bySecond.join()],
    ['BYMINUTE', rule.byMinute.join()],
    ['BYHOUR', rule.byHour.join()],
    ['BYDAY', byDay.join()],
    ['BYMONTHDAY', rule.byMonthDay.join()],
    ['BYYEARDAY', rule.byYearDay.join()],
    ['BYWEEKNO', rule.byWeekNo.join()],
    ['BYMONTH', rule.byMonth.join()],
    ['BYSETPOS', rule.bySetPos.join()],
    ['WKST', rule.weekStart === 1 ? undefined : WEEKDAYS[rule.weekStart]],
  ]
  return parts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`${name}=${value}`])).join(';')
}

function* linesOf(name: string, dates: readonly ListedDate[], first: FirstDate): Steps<string[]> {
  const byZone = Map.groupBy(dates, ({ zone }) => zone ?? '')
  const lines: string[] = []
  for (const zone of [...byZone.keys()].sort()) {
    const written: string[] = []
    for (const date of byZone.get(zone) ?? []) if (written.push(writeDate(date, first)) % STEP === 0) yield
    const values = written.join()
    const isNamed = zone !== '' && zone !== 'UTC'
    if (first.isAllDay) lines.push(`${name};VALUE=DATE:${values}`)
    else lines.push(isNamed ? `${name};TZID=${zone.includes(':') ? `"${zone}"` : zone}:${values}` : `${name}:${values}`)
  }
  return lines
}

function writeDate({ seconds, zone }: ListedDate, first: FirstDate): string {
  const own = zone === undefined ? seconds : readClock(toLocal(toUtc(writeClock(seconds), first.zone), zone))
  return writeStamp({ seconds: own, isUtc: zone === 'UTC', isDate: first.isAllDay })
}
