import type { CalendarDate } from './clock.ts'

/** What the words of a date text have defined so far; the rules fill it in, resolving it needs the present. */
export interface DateParts {
  /** `year` is absent where the text leaves it out (`10 February`). */
  date?: Omit<CalendarDate, 'year'> & { readonly year?: number }
  /** A month named without a day; only good with `edge` or `nth`. */
  month?: number
  /** Seconds from midnight, 0..86400. */
  time?: number
  /** Either is where the text says which clock it means: seconds ahead of UTC, or a zone that isZone accepts. */
  offset?: number
  zone?: string
  /** Distances to move, summed up. Absent until one is named. */
  move?: { months: number; days: number; seconds: number }
  /** A day of the week, 0 Sunday .. 6 Saturday: on or after, strictly after, strictly before the day. */
  weekday?: { readonly day: number; readonly which: 'this' | 'next' | 'last' }
  /** `next week`, `this year`: a weekday or an edge then counts within that week or year. */
  within?: 'week' | 'year'
  /** `first day of`, `last day of`. */
  edge?: 'first' | 'last'
  /** `second monday of`: 1..5, or -1 for the last one. */
  nth?: { readonly day: number; readonly count: number }
  /** `today`, `tomorrow`: midnight, unless a time of day is given. */
  wholeDay?: boolean
  /** `now`: good as a text on its own, and says nothing else. */
  now?: boolean
}

/**
 * A rule of the date grammar: a sticky pattern and what its match adds to the parts. `read` gives false when the match
 * cannot be meant (13th month, a second date), which makes the whole text bad.
 */
export interface DateRule {
  readonly pattern: RegExp
  read(match: RegExpExecArray, parts: DateParts): boolean
}

/** Gives the text its time of day, in seconds from midnight; false when it has one already. */
export function setTime(parts: DateParts, time: number): boolean {
  if (parts.time !== undefined) return false
  parts.time = time
  return true
}

/** What may follow a word of the text: white space, a comma, or the end. */
export const WORD_END = String.raw`(?=[\s,]|$)`

/** Pattern of an English weekday name, whole or cut to three letters and more. */
export const WEEKDAY = String.raw`(sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?\.?`

/** Index of a weekday that WEEKDAY matched: 0 Sunday .. 6 Saturday. */
export function weekdayIndex(name: string): number {
  return ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].indexOf(name.slice(0, 3).toLowerCase())
}

/** Makes the sticky, case-blind pattern of a rule. */
export function sticky(source: string): RegExp {
  return new RegExp(source, 'iy')
}
