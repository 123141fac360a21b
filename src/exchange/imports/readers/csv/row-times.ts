import { withValues } from '../../../../base/i18n/translate.ts'
import { writeClock } from '../../../../base/time/clock.ts'
import { timesAt, timesOfDays } from '../icalendar/times.ts'
import type { SourceTimes } from '../icalendar/types.ts'
import { instantIn, wallIn } from '../icalendar/zones.ts'
import { isAllDayWord } from './columns.ts'
import { isTimeAlone, type Moment, momentOf } from './moments.ts'
import type { RowCells } from './row-cells.ts'

const DAY = 86_400

/** What the times of a row are read with. */
interface TimesReading {
  readonly zone: string
  /** Whether the row says that it lasts all day; undefined where it says nothing. */
  readonly isAllDay: boolean | undefined
}

/** A row without words in place of times, and with one time in each cell. */
interface PlainTimes extends TimesReading {
  /** Cells of times of day; ''. */
  readonly time: string
  readonly endTime: string
}

/** Two times of day in one cell: `19:00 - 21:30`, `19 h à 21 h`. */
const RANGE = /^(.*?\d.*?)\s*(?:[-–—~〜]|\b(?:to|till?|until|bis|a|al|alle|tot|até|do)\b|(?<=\s)à)\s*(.*\d.*)$/iu

/** The times of a row: one cell may have the start and the end, or words for a whole day. */
function plainTimes(cells: RowCells, reading: TimesReading): PlainTimes {
  const [time, endTime] = [cells.text('start_time'), cells.text('end_time')]
  const [, from = '', to = ''] = isTimeAlone(time) || endTime !== '' ? [] : (RANGE.exec(time) ?? [])
  if (isTimeAlone(from) && isTimeAlone(to)) return { ...reading, time: from, endTime: to }
  const isWholeDay = [time, endTime].some(isAllDayWord)
  return {
    zone: reading.zone,
    time: isAllDayWord(time) ? '' : time,
    endTime: isAllDayWord(endTime) ? '' : endTime,
    isAllDay: reading.isAllDay ?? (isWholeDay || undefined),
  }
}

/** When the event of a row takes place, or what is wrong with it; without times it lasts the whole day. */
export function timesOfRow(cells: RowCells, reading: TimesReading): SourceTimes | string {
  const row = plainTimes(cells, reading)
  const { zone, time } = row
  const date = cells.text('start_date')
  // Of two dates (`Date`, `Start`) the second one says more.
  const start = momentOf(date, time, zone) ?? momentOf(time, '', zone)
  if (start === undefined)
    return date === ''
      ? 'import.problem.noStart'
      : withValues('import.problem.unreadStart', { value: cells.written('start_date', 'start_time').slice(0, 100) })
  const end = endOf(start, cells, row) ?? start
  const isAllDay = row.isAllDay ?? (!start.hasTime && !end.hasTime)
  if (isAllDay) return timesOfDays({ zone, first: start.seconds, last: lastDay(start, end, cells) }) ?? OUT_OF_RANGE
  return timesAt({ from: instant(start, zone), to: instant(end, zone), zone }) ?? OUT_OF_RANGE
}

const OUT_OF_RANGE = 'import.problem.outOfRange'

/** The end that a row names; undefined without one, and where it cannot be. */
function endOf(start: Moment, cells: RowCells, { zone, isAllDay, endTime }: PlainTimes): Moment | undefined {
  const isTime = isTimeAlone(cells.text('end_date'))
  const date = isTime ? '' : cells.text('end_date')
  const time = isTime ? cells.text('end_date') : endTime
  if (date === '' && time === '') return undefined
  const written = cells.written('end_date', 'end_time') || endTime
  const wall = start.isUtc ? wallIn(start.seconds, zone) : start.seconds
  const own = momentOf(time, '', zone)
  const end = own ?? momentOf(date || writeClock(wall).slice(0, 10), time, zone)
  if (end === undefined) return cells.note('import.note.badEnd', { value: written })
  // A day without a time belongs to the event as a whole.
  const isDay = start.hasTime && !end.hasTime && isAllDay !== true
  if (isDay && Math.floor(end.seconds / DAY) === Math.floor(wall / DAY)) return undefined
  const isNight = date === '' && own === undefined && instant(end, zone) < instant(start, zone)
  const last = { ...end, seconds: end.seconds + (isDay ? DAY - 1 : isNight ? DAY : 0) }
  if (instant(last, zone) < instant(start, zone)) return cells.note('import.note.noEnd', { value: written })
  return last
}

/** An end at midnight is the end of the day before; a day without a time is the last one. */
function lastDay(start: Moment, end: Moment, cells: RowCells): number {
  const isMidnight = end.hasTime && end.seconds % DAY === 0 && end.seconds > start.seconds
  const isTimed = [start, end].some(
    ({ hasTime, seconds }) => hasTime && ![0, DAY - 60, DAY - 1].includes(seconds % DAY),
  )
  if (isTimed) {
    const value = [start, end].map(({ seconds }) => writeClock(seconds).slice(11, 16)).join(' - ')
    cells.note('import.note.allDay', { value })
  }
  return isMidnight ? end.seconds - 1 : end.seconds
}

function instant({ seconds, isUtc }: Moment, zone: string): number {
  return isUtc ? seconds : instantIn(seconds, zone)
}
