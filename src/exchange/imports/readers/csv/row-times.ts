import { withValues } from '../../../../base/i18n/translate.ts'
import { writeClock } from '../../../../base/time/clock.ts'
import { timesAt, timesOfDays } from '../icalendar/times.ts'
import type { SourceTimes } from '../icalendar/types.ts'
import { instantIn, wallIn } from '../icalendar/zones.ts'
import { type EventField, isAllDayWord } from './columns.ts'
import { isTimeAlone, type Moment, momentOf } from './moments.ts'
import type { RowNotes } from './row-notes.ts'

const DAY = 86_400

/** What the times of a row are read with. */
export interface TimesReading {
  cell(key: EventField): string
  /** What some fields say, as it was written. */
  written(...fields: readonly EventField[]): string
  readonly zone: string
  /** Whether the row says that it lasts all day; undefined where it says nothing. */
  readonly isAllDay: boolean | undefined
  readonly notes: RowNotes
}

/** When the event of a row takes place, or what is wrong with it; without times it lasts the whole day. */
export function timesOfRow(row: TimesReading): SourceTimes | string {
  const reading = withPlainTimes(row)
  const { cell, written, zone, notes } = reading
  const start = startOf(reading)
  if (start === undefined)
    return cell('start_date') === ''
      ? 'import.problem.noStart'
      : withValues('import.problem.unreadStart', { value: written('start_date', 'start_time').slice(0, 100) })
  const end = endOf(start, reading) ?? start
  const isAllDay = reading.isAllDay ?? (!start.hasTime && !end.hasTime)
  if (isAllDay) return timesOfDays({ zone, first: start.seconds, last: lastDay(start, end, notes) }) ?? OUT_OF_RANGE
  return timesAt({ from: instant(start, zone), to: instant(end, zone), zone }) ?? OUT_OF_RANGE
}

/** Two times of day in one cell: `19:00 - 21:30`, `19 h à 21 h`. */
const RANGE = /^(.*?\d.*?)\s*(?:[-–—~〜]|\b(?:to|till?|until|bis|a|al|alle|tot|até|do)\b|(?<=\s)à)\s*(.*\d.*)$/iu

/** The same row with a start and an end where one cell for a time has both, and without times that are words for a whole day. */
function withPlainTimes(reading: TimesReading): TimesReading {
  const [time, end] = [reading.cell('start_time'), reading.cell('end_time')]
  const isWholeDay = [time, end].some(isAllDayWord)
  const [, from = '', to = ''] = isTimeAlone(time) || end !== '' ? [] : (RANGE.exec(time) ?? [])
  const isRange = isTimeAlone(from) && isTimeAlone(to)
  if (!isWholeDay && !isRange) return reading
  const times: Partial<Record<EventField, string>> = isRange
    ? { start_time: from, end_time: to }
    : { start_time: isAllDayWord(time) ? '' : time, end_time: isAllDayWord(end) ? '' : end }
  return {
    ...reading,
    cell: (field) => times[field] ?? reading.cell(field),
    isAllDay: reading.isAllDay ?? (isWholeDay || undefined),
  }
}

const OUT_OF_RANGE = 'import.problem.outOfRange'

/** The date with its time; of two dates (`Date`, `Start`) the second one says more. */
function startOf({ cell, zone }: TimesReading): Moment | undefined {
  const [date, time] = [cell('start_date'), cell('start_time')]
  return momentOf(date, time, zone) ?? momentOf(time, '', zone)
}

/** The end that a row names; undefined without one, and where it cannot be. */
function endOf(start: Moment, { cell, written: asWritten, zone, isAllDay, notes }: TimesReading): Moment | undefined {
  const isTime = isTimeAlone(cell('end_date'))
  const date = isTime ? '' : cell('end_date')
  const time = isTime ? cell('end_date') : cell('end_time')
  if (date === '' && time === '') return undefined
  const written = asWritten('end_date', 'end_time')
  const wall = start.isUtc ? wallIn(start.seconds, zone) : start.seconds
  const own = momentOf(time, '', zone)
  const end = own ?? momentOf(date || writeClock(wall).slice(0, 10), time, zone)
  if (end === undefined) return notes.add('import.note.badEnd', { value: written })
  const isSameDay = sameDay(end.seconds, wall)
  // A day without a time belongs to the event as a whole.
  if (start.hasTime && !end.hasTime && isAllDay !== true)
    return isSameDay
      ? undefined
      : notBefore(start, { ...end, seconds: end.seconds + DAY - 1 }, { zone, notes, written })
  const isNight = date === '' && own === undefined && instant(end, zone) < instant(start, zone)
  return notBefore(start, isNight ? { ...end, seconds: end.seconds + DAY } : end, { zone, notes, written })
}

function notBefore(
  start: Moment,
  end: Moment,
  { zone, notes, written }: Pick<TimesReading, 'zone' | 'notes'> & { readonly written: string },
): Moment | undefined {
  const isBefore = instant(end, zone) < instant(start, zone)
  return isBefore ? notes.add('import.note.noEnd', { value: written }) : end
}

/** An end at midnight is the end of the day before; a day without a time is the last one. */
function lastDay(start: Moment, end: Moment, notes: RowNotes): number {
  const isMidnight = end.hasTime && end.seconds % DAY === 0 && end.seconds > start.seconds
  const isTimed = [start, end].some(
    ({ hasTime, seconds }) => hasTime && ![0, DAY - 60, DAY - 1].includes(seconds % DAY),
  )
  if (isTimed)
    notes.add('import.note.allDay', {
      value: [start, end].map(({ seconds }) => writeClock(seconds).slice(11, 16)).join(' - '),
    })
  return isMidnight ? end.seconds - 1 : end.seconds
}

function instant({ seconds, isUtc }: Moment, zone: string): number {
  return isUtc ? seconds : instantIn(seconds, zone)
}

function sameDay(one: number, other: number): boolean {
  return Math.floor(one / DAY) === Math.floor(other / DAY)
}
