import { readClock } from './clock.ts'
import { addToLocal } from './zones.ts'

/** Length classes of occurrences, in days; 9999 stands for anything longer than 366. */
const CLASSES = [1, 7, 31, 366] as const

/** A length class: an occurrence of class 7 lasts more than one day and at most seven. */
export type SpanClass = (typeof CLASSES)[number] | 9999

/** The first second of the day of a wall clock reading: `'2028-02-10 00:00:00'`. */
export function startOfDay(local: string): string {
  return `${local.slice(0, 10)} 00:00:00`
}

/** The last second of the day of a wall clock reading: `'2028-02-10 23:59:59'`. */
export function endOfDay(local: string): string {
  return `${local.slice(0, 10)} 23:59:59`
}

/**
 * The first second of the day after a wall clock reading: the exclusive end of its day.
 * @throws RangeError for text that is not a clock reading.
 */
export function nextMidnight(local: string): string {
  return addToLocal(startOfDay(local), { days: 1 })
}

/** The whole days an all-day event covers: 00:00:00 of the day of `start` to 23:59:59 of the day of `end`. */
export function wholeDays(start: string, end: string): { start: string; end: string } {
  return { start: startOfDay(start), end: endOfDay(end) }
}

/**
 * The smallest class an occurrence fits in, by its wall clock length: at most 1, 7, 31 or 366 days, else 9999. A reader
 * who looks for what overlaps a moment need look back no further than the class says. An end before the start is 1.
 * @throws RangeError for text that is not a clock reading.
 */
export function spanClass(startLocal: string, endLocal: string): SpanClass {
  const days = (readClock(endLocal) - readClock(startLocal)) / 86_400
  return CLASSES.find((limit) => days <= limit) ?? 9999
}
