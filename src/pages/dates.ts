import { clockFormat } from '../base/i18n/translate.ts'
import { readClock, weekdayOf } from '../base/time/clock.ts'
import {
  addToLocal,
  endOfToday,
  localFromMillis,
  millisFromUtc,
  offsetText,
  zoneAbbreviation,
} from '../base/time/zones.ts'
import type { EventRow } from '../calendar/event-store/event-row.ts'
import { html, type Markup, NOTHING } from './html.ts'
import type { PageContext } from './page-context.ts'

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
  monthAlone: { month: 'long' },
  shortMonth: { month: 'short' },
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
  narrowWeekday: { weekday: 'narrow' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

function dateOf(day: DayText): Date {
  return new Date(readClock(`${day} 00:00:00`) * 1000)
}

/** The days from one to a later one in a language; what both have in common is written once: `23 – 29 November 2026`. */
export function daysIn(language: string, first: DayText, last: DayText): string {
  if (language !== 'ja' && language !== 'zh')
    return clockFormat(language, STYLES.dateYear).formatRange(dateOf(first), dateOf(last))
  // Of these Intl writes ranges in digits alone.
  const isOneYear = first.slice(0, 4) === last.slice(0, 4)
  return `${dayIn(language, 'dateYear', first)} – ${dayIn(language, isOneYear ? 'date' : 'dateYear', last)}`
}

/** A day in a language: `Saturday, 28 November 2026` in the style `full`. */
export function dayIn(language: string, style: keyof typeof STYLES, day: DayText): string {
  const text = clockFormat(language, STYLES[style]).format(dateOf(day))
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

/** The day on which the week of a day starts, where weeks start on a weekday. */
export function startOfWeek(first: number, day: DayText): DayText {
  return daysAfter(day, -((weekday(day) - first + 7) % 7))
}

/** Whether a day is the last one of its week. */
export function endsWeek(first: number, day: DayText): boolean {
  return weekday(daysAfter(day, 1)) === first
}

/** Whether a day is one of the last seven of its month. */
export function endsMonth(day: DayText): boolean {
  return daysAfter(day, 7).slice(0, 7) > day.slice(0, 7)
}

/** Days from one to another, 0 for the same. */
export function daysBetween(from: DayText, to: DayText): number {
  return (readClock(`${to} 00:00:00`) - readClock(`${from} 00:00:00`)) / DAY
}

/** When an event takes place. */
export type Times = Pick<EventRow, 'start_local' | 'end_local' | 'start_utc' | 'end_utc' | 'timezone' | 'all_day'>

/**
 * When an event takes place, on its own clock: `Monday, 1 March 2027, 10:00 – 12:00 EST`; whole days without times,
 * a moment without an end.
 */
export function whenText({ language, say }: Pick<PageContext, 'language' | 'say'>, times: Times): string {
  const { start_local: start, end_local: end } = times
  const day = (local: string): string => dayIn(language, 'full', local.slice(0, 10))
  const isOneDay = start.slice(0, 10) === lastDay(times)
  if (times.all_day === 1)
    return isOneDay
      ? `${day(start)}${betweenDayAndTime(language)}${say('fields.allDay').toLowerCase()}`
      : `${day(start)} – ${day(end)}`
  const comma = betweenDayAndTime(language)
  const from = `${day(start)}${comma}${clock(start)}`
  const zone = zoneOf(times)
  if (start === end) return `${from} ${zone}`
  return `${from} – ${isOneDay ? clock(end) : `${day(end)}${comma}${clock(end)}`} ${zone}`
}

/** Letters of the clock that an event keeps: `EST`. */
export function zoneOf({ start_local, timezone, start_utc }: Times): string {
  return zoneAbbreviation(start_local, timezone, start_utc)
}

/** The clock of a wall clock reading: `10:00`. */
export function clock(local: string): string {
  return local.slice(11, 16)
}

/** The times at the end of a text of `whenText`: they stay together on one line. */
const CLOCKS = /\d\d:\d\d (?:– \d\d:\d\d )?\S+$/

/** When an event takes place, for people and, by its beginning, for programs. */
export function time(context: Pick<PageContext, 'language' | 'say'>, times: Times): Markup {
  const text = whenText(context, times)
  const [clocks = ''] = CLOCKS.exec(text) ?? []
  const together = clocks === '' ? NOTHING : html`<span class="clocks">${clocks}</span>`
  return html`<time datetime="${machineTime(times)}">${text.slice(0, text.length - clocks.length)}${together}</time>`
}

/** The same on two lines where the day and the time can be told apart. */
export function dayAndTime(context: Pick<PageContext, 'language' | 'say'>, times: Times): Markup {
  const text = whenText(context, times)
  const day = `${dayIn(context.language, 'full', times.start_local.slice(0, 10))}${betweenDayAndTime(context.language)}`
  const rest = text.startsWith(day) ? text.slice(day.length) : ''
  const isShort = rest !== '' && rest.length < day.length
  if (!isShort) return html`<time datetime="${machineTime(times)}"><b>${text}</b></time>`
  const first = day.slice(0, day.length - betweenDayAndTime(context.language).length)
  return html`<time datetime="${machineTime(times)}"><b>${first}</b><span class="clocks">${rest}</span></time>`
}

/** The beginning: a date for whole days, else a moment with the offset of the event's zone. */
export function machineTime(times: Times): string {
  return moment(times, 'start')
}

/** The end in the same form. */
export function machineEnd(times: Times): string {
  return moment(times, 'end')
}

function moment(times: Times, side: 'start' | 'end'): string {
  const local = side === 'start' ? times.start_local : times.end_local
  if (times.all_day === 1) return local.slice(0, 10)
  const utc = side === 'start' ? times.start_utc : times.end_utc
  return local.replace(' ', 'T') + offsetText(utc, times.timezone)
}

/** The hours of an event on one of its days, in short: `10:00 – 12:00`, `10:00`, or that it takes all day. */
export function hoursText({ language, say }: Pick<PageContext, 'language' | 'say'>, times: Times, day: string): string {
  const { start_local: start, end_local: end } = times
  const starts = start.slice(0, 10)
  const ends = lastDay(times)
  if (times.all_day === 1)
    return starts === ends ? say('fields.allDay') : `${say('fields.allDay')} · ${until(language, say, ends)}`
  if (starts === ends) return start === end ? clock(start) : `${clock(start)} – ${clock(end)}`
  const from = day > starts ? '' : `${clock(start)} · `
  return `${from}${until(language, say, ends)}`
}

function until(language: string, say: PageContext['say'], day: string): string {
  return say('pages.until', { date: dayIn(language, 'medium', day) })
}

/** Longest night, in seconds, and the hour of the morning before which it has ended. */
const NIGHT = 43_200
const MORNING = '08:00:00'

/**
 * The last day of an event. One that ends at midnight does not take the day that starts then, and one that ends early in the
 * morning, half a day after its start at most, is of the evening on which it started.
 */
export function lastDay({ start_local: start, end_local: end }: Pick<Times, 'start_local' | 'end_local'>): string {
  const [first, last, clockTime] = [start.slice(0, 10), end.slice(0, 10), end.slice(11)]
  if (last === first) return last
  const isNight = clockTime < MORNING && readClock(end) - readClock(start) <= NIGHT
  return isNight || clockTime === '00:00:00' ? daysAfter(last, -1) : last
}

/** The moment when the day ends in the zone of the site: pages say which day it is. */
export function dayEnd(zone: string, now: number): number {
  return Math.min(endOfToday(now, zone), millisFromUtc('9999-12-31 23:59:59'))
}
