import { readClock, writeClock } from '../../base/time/clock.ts'
import { nextMidnight } from '../../base/time/ranges.ts'
import type { FirstDate, Recurrence } from '../../base/time/recurrence/lines.ts'
import { type PortableRecurrence, portableRecurrence } from '../../base/time/recurrence/portable.ts'
import { writeRule } from '../../base/time/recurrence/write.ts'
import { type EventRow, firstDateOf, storedRecurrence, type WholeSeries } from '../../calendar/events/index.ts'
import { clockLine, type SeriesClock, seriesClock } from './clocks.ts'
import { component, type EventComponentContext, timeLines, ZONE_PROPERTY, zoneLine } from './event.ts'
import { line } from './lines.ts'
import { withReadableUntil } from './until.ts'

/**
 * A recurring event: one VEVENT with the rule, and one for each date that differs, under the same UID (RFC 5545 section
 * 3.8.4.4).
 */
export function seriesComponents({ base, exceptions, hidden }: WholeSeries, scene: EventComponentContext): string {
  const { row } = base
  const { id, revision, post_parent: parent } = row
  const clock = seriesClock(row, scene)
  const recurrence = storedRecurrence(row)
  const times =
    recurrence === undefined
      ? timeLines(row, scene)
      : firstTimes(row, clock) +
        seriesZoneLine(row, scene) +
        recurrenceLines(readableRecurrence(recurrence, firstDateOf(row)), { clock, hidden })
  const others = exceptions.map((one) =>
    one.row.occasion === undefined ? '' : dateComponent(one, one.row.occasion, scene),
  )
  return [component(base, scene, { id, revision, parent, times }), ...others].join('')
}

/** One date of a recurring event: RECURRENCE-ID tells which, by its original start. */
export function dateComponent(
  event: WholeSeries['base'],
  { series, date, exception }: NonNullable<EventRow['occasion']>,
  scene: EventComponentContext,
): string {
  const { row } = event
  const named = clockLine('RECURRENCE-ID', [date.recurrence_id], seriesClock(series, scene))
  return component(event, scene, {
    id: series.id,
    // Programs drop a date whose SEQUENCE is behind that of its event.
    revision: Math.max(series.revision, exception?.revision ?? 0),
    parent: series.post_parent,
    times: named + timeLines(row, scene) + zoneLine(row, scene, series.timezone),
  })
}

/** Start and end of the first date, on the clock of the rule. */
function firstTimes(row: EventRow, clock: SeriesClock): string {
  const start = clockLine('DTSTART', [row.start_local], clock)
  if (clock.kind === 'days') return start + clockLine('DTEND', [dayAfter(row.end_local)], clock)
  const length = readClock(row.end_utc) - readClock(row.start_utc)
  if (length <= 0) return start
  // The clocks change within the first date: its end as a reading would be taken for the length of all others.
  if (length !== readClock(row.end_local) - readClock(row.start_local))
    return start + line('DURATION', duration(length))
  return start + clockLine('DTEND', [row.end_local], clock)
}

/**
 * The zone of a rule of days, or on the clock of an offset, which has another name in files, or none: it comes back with
 * the file. How far the dates of a rule without end are held depends on what day it is there.
 */
function seriesZoneLine({ all_day, timezone }: EventRow, { placeNamed, site }: EventComponentContext): string {
  const isPlace = placeNamed(timezone) !== undefined
  // What is written in UTC is of UTC, and days are of the zone of the calendar, which its name says if it is a place.
  const isUsual = timezone === site.zone && (all_day === 1 ? isPlace : timezone === 'UTC')
  return isUsual || (all_day === 0 && isPlace) ? '' : line(ZONE_PROPERTY, timezone)
}

/** The day after the last one, which does not belong to the event; the last day there is has none after it. */
function dayAfter(local: string): string {
  return local.startsWith('9999-12-31') ? local : nextMidnight(local)
}

/** `PT5H30M` (RFC 5545 section 3.3.6). */
function duration(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const [hours, minutes, rest] = parts.map((part, index) => (part === 0 ? '' : `${part}${'HMS'[index]}`))
  return `PT${hours}${minutes}${rest}`
}

/** A recurrence as programs read it from a file. */
function readableRecurrence(recurrence: Recurrence, first: FirstDate): PortableRecurrence {
  const { rule, ...dates } = portableRecurrence(recurrence, first)
  return { rule: rule && withReadableUntil(rule, first), ...dates }
}

/** RRULE, RDATE and EXDATE; dates that lists hide are taken out like those of EXDATE. */
function recurrenceLines(
  { rule, added, excluded }: PortableRecurrence,
  { clock, hidden }: { readonly clock: SeriesClock; readonly hidden: readonly string[] },
): string {
  const out = [...new Set([...excluded, ...hidden.map(readClock)])].sort((one, other) => one - other)
  const dates = (name: string, all: readonly number[]): string =>
    all.length === 0 ? '' : clockLine(name, all.map(writeClock), clock)
  return (rule === undefined ? '' : line('RRULE', writeRule(rule))) + dates('RDATE', added) + dates('EXDATE', out)
}
