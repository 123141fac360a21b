import { isCalendarDate, readClock, writeClock } from '../clock.ts'

/** A date or a date with a time, as iCalendar writes it (RFC 5545 sections 3.3.4 and 3.3.5). */
export interface DateStamp {
  /** Seconds from 1970-01-01 00:00:00 on the clock that `isUtc` says; of a date its first second. */
  readonly seconds: number
  readonly isUtc: boolean
  /** Whether it names a whole day. */
  readonly isDate: boolean
}

/**
 * Reads `20270630`, `20270630T180000` or `20270630T160000Z` of the years 1000 to 9999; undefined for anything else,
 * days and times that do not exist included. A leap second is the second before it.
 */
export function readStamp(text: string): DateStamp | undefined {
  const [, year, month, day, hour, minute, second, utc] =
    /^(\d{4})(\d\d)(\d\d)(?:[Tt](\d\d)(\d\d)(\d\d)([Zz])?)?$/.exec(text) ?? []
  if (!isCalendarDate({ year: Number(year), month: Number(month), day: Number(day) })) return undefined
  const isDate = hour === undefined
  if (!isDate && (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60)) return undefined
  const time = isDate ? '00:00:00' : `${hour}:${minute}:${second === '60' ? '59' : second}`
  return { seconds: readClock(`${year}-${month}-${day} ${time}`), isUtc: utc !== undefined, isDate }
}

/** The text of a stamp; the inverse of readStamp. */
export function writeStamp({ seconds, isUtc, isDate }: DateStamp): string {
  const text = writeClock(seconds).replaceAll(/[-:]/g, '').replace(' ', 'T')
  return isDate ? text.slice(0, 8) : `${text}${isUtc ? 'Z' : ''}`
}
