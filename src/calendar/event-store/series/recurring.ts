import { storedJson } from '../../../base/text/stored-json.ts'
import { readClock, writeClock } from '../../../base/time/clock.ts'
import { type FirstDate, type Recurrence, readRecurrence } from '../../../base/time/recurrence/lines.ts'
import { toLocal, toUtc } from '../../../base/time/zones.ts'
import type { EventTable } from '../../../storage/schema.ts'

/** What an event recurs by, as `event.recurrence` has it. */
export interface Recurring {
  /** In normal form; `[]` when the event recurs no more. */
  readonly lines: readonly string[]
  /** How far the dates of a rule without end are stored, on the clock of the event; absent for others. */
  readonly until?: string
}

/** Which date a row of `event` is an exception of, as `event.exception` has it. */
export interface ExceptionOf {
  readonly series: number
  readonly date: number
  /** What the date has set for itself: names of `DATE_PARTS`. */
  readonly fields: readonly string[]
}

/** When an event takes place. */
export type SeriesMoments = Pick<
  EventTable,
  'start_local' | 'end_local' | 'start_utc' | 'end_utc' | 'timezone' | 'all_day'
>

/** What a recurring event recurs by; undefined for plain events. */
export function recurringOf({ recurrence }: Pick<EventTable, 'recurrence'>): Recurring | undefined {
  return recurrence === null ? undefined : storedJson<Recurring>(recurrence)
}

/** Whether an event that recurred is one by itself again; false for one that never recurred. */
export function recursNoMore(row: Pick<EventTable, 'recurrence'>): boolean {
  return recurringOf(row)?.lines.length === 0
}

/** Which date a row is an exception of; undefined for events. */
export function exceptionOf({ exception }: Pick<EventTable, 'exception'>): ExceptionOf | undefined {
  return exception === null ? undefined : storedJson<ExceptionOf>(exception)
}

/** What all dates of an event are reckoned from. */
export function firstDateOf({ start_local, end_local, timezone, all_day }: SeriesMoments): FirstDate {
  return { start: start_local, end: end_local, zone: timezone, isAllDay: all_day === 1 }
}

/** The stored recurrence of an event; undefined when it has none. */
export function storedRecurrence(row: EventTable): Recurrence | undefined {
  const lines = recurringOf(row)?.lines ?? []
  if (lines.length === 0) return undefined
  const reading = readRecurrence(lines, firstDateOf(row), 'kept')
  return reading.ok ? reading.recurrence : undefined
}

/** When a date of an event takes place: as long as the first one to the second, or as many whole days (RFC 5545 section 3.8.5.3). */
export function momentsOfDate(series: SeriesMoments, recurrenceId: string): SeriesMoments {
  const { start_local, end_local, start_utc, end_utc, timezone, all_day } = series
  if (recurrenceId === start_local) return { start_local, end_local, start_utc, end_utc, timezone, all_day }
  const from = toUtc(recurrenceId, timezone)
  if (all_day === 1) {
    const last = moved(recurrenceId, start_local, end_local)
    const utc = { start_utc: from, end_utc: toUtc(last, timezone) }
    return { start_local: recurrenceId, end_local: last, ...utc, timezone, all_day }
  }
  const to = moved(from, start_utc, end_utc)
  const local = { start_local: toLocal(from, timezone), end_local: toLocal(to, timezone) }
  return { ...local, start_utc: from, end_utc: to, timezone, all_day }
}

/** When a date was to start before its event was moved: as far from its start as that of the event is. */
export function previousStartOfDate(
  { start_local, previous_start }: Pick<EventTable, 'start_local' | 'previous_start'>,
  recurrenceId: string,
): string | null {
  return previous_start === null ? null : moved(recurrenceId, start_local, previous_start)
}

/** A moment as far after another one as `to` is after `from`. */
export function moved(moment: string, from: string, to: string): string {
  return writeClock(readClock(moment) + readClock(to) - readClock(from))
}
