import { localeOf } from '../base/i18n/locale.ts'
import { readClock, weekdayOf } from '../base/time/clock.ts'
import { addToLocal, localFromMillis } from '../base/time/zones.ts'

const DAY = 86_400

/** A day as `2026-11-28`. */
export type DayText = string

/** How a day is written; each is an entry of `Intl.DateTimeFormatOptions`. */
const STYLES = {
  full: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  long: { weekday: 'long', day: 'numeric', month: 'long' },
  medium: { weekday: 'short', day: 'numeric', month: 'short' },
  short: { day: 'numeric', month: 'short' },
  date: { day: 'numeric', month: 'long' },
  dateYear: { day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short' },
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
  narrowWeekday: { weekday: 'narrow' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(language: string, style: keyof typeof STYLES): Intl.DateTimeFormat {
  const key = `${language} ${style}`
  let format = formats.get(key)
  if (format === undefined) {
    format = new Intl.DateTimeFormat(localeOf(language), { ...STYLES[style], timeZone: 'UTC' })
    formats.set(key, format)
  }
  return format
}

function dateOf(day: DayText): Date {
  return new Date(readClock(`${day} 00:00:00`) * 1000)
}

/** The days from one to a later one in a language; what both have in common is said once: `23 – 29 November 2026`. */
export function daysIn(language: string, first: DayText, last: DayText): string {
  if (language !== 'ja' && language !== 'zh')
    return formatOf(language, 'dateYear').formatRange(dateOf(first), dateOf(last))
  // Of these Intl writes ranges in digits alone.
  const isOneYear = first.slice(0, 4) === last.slice(0, 4)
  return `${dayIn(language, 'dateYear', first)} – ${dayIn(language, isOneYear ? 'date' : 'dateYear', last)}`
}

/** A day in a language: `Saturday, 28 November 2026` in the style `full`. */
export function dayIn(language: string, style: keyof typeof STYLES, day: DayText): string {
  const text = formatOf(language, style).format(dateOf(day))
  // The one comma that British English leaves out reads better with the time behind.
  return language === 'en' && (style === 'full' || style === 'long') ? text.replace(/^(\p{L}+) /u, '$1, ') : text
}

/** What stands between a day and its time. */
export function betweenDayAndTime(language: string): string {
  return { ar: '، ', ja: ' ', zh: ' ' }[language] ?? ', '
}

/** The day of the wall clock of the site. */
export function todayIn(zone: string, now: number): DayText {
  return localFromMillis(now, zone).slice(0, 10)
}

/** A day some days later or earlier. */
export function daysAfter(day: DayText, days: number): DayText {
  return addToLocal(`${day} 00:00:00`, { days }).slice(0, 10)
}

/** A month some months later or earlier, as `2026-11`. */
export function monthsAfter(month: string, months: number): string {
  return addToLocal(`${month}-01 00:00:00`, { months }).slice(0, 7)
}

/** Day of the week: 0 Sunday .. 6 Saturday. */
export function weekday(day: DayText): number {
  return weekdayOf(readClock(`${day} 00:00:00`) / DAY)
}

/** First days of the week where it is not Monday, by language: Sunday 0, Saturday 6. */
const FIRST_WEEKDAYS: Readonly<Record<string, number>> = { ja: 0, pt: 0, ar: 6, zh: 1 }

/** The day on which the week of a day begins, as readers of a language count it. */
export function startOfWeek(language: string, day: DayText): DayText {
  const first = FIRST_WEEKDAYS[language] ?? 1
  return daysAfter(day, -((weekday(day) - first + 7) % 7))
}

/** Days from one to another, 0 for the same. */
export function daysBetween(from: DayText, to: DayText): number {
  return (readClock(`${to} 00:00:00`) - readClock(`${from} 00:00:00`)) / DAY
}
