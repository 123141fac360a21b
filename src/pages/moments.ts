import { offsetText, zoneAbbreviation } from '../base/time/zones.ts'
import type { EventRow } from '../calendar/event-store/event-row.ts'
import { betweenDayAndTime, dayIn, daysAfter } from './dates.ts'
import type { Here } from './here.ts'
import { html, type Markup, NOTHING } from './html.ts'

/** When an event takes place. */
export type Times = Pick<EventRow, 'start_local' | 'end_local' | 'start_utc' | 'end_utc' | 'timezone' | 'all_day'>

/**
 * When an event takes place, on its own clock: `Monday, 1 March 2027, 10:00 – 12:00 EST`; whole days without times,
 * a moment without an end.
 */
export function whenText({ language, say }: Pick<Here, 'language' | 'say'>, times: Times): string {
  const { start_local: start, end_local: end } = times
  const day = (local: string): string => dayIn(language, 'full', local.slice(0, 10))
  const isOneDay = start.slice(0, 10) === end.slice(0, 10)
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
export function time(here: Pick<Here, 'language' | 'say'>, times: Times): Markup {
  const text = whenText(here, times)
  const [clocks = ''] = CLOCKS.exec(text) ?? []
  const together = clocks === '' ? NOTHING : html`<span class="clocks">${clocks}</span>`
  return html`<time datetime="${machineTime(times)}">${text.slice(0, text.length - clocks.length)}${together}</time>`
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
export function hoursText({ language, say }: Pick<Here, 'language' | 'say'>, times: Times, day: string): string {
  const { start_local: start, end_local: end } = times
  const starts = start.slice(0, 10)
  const ends = lastDay(times)
  if (times.all_day === 1)
    return starts === ends ? say('fields.allDay') : `${say('fields.allDay')} · ${until(language, say, ends)}`
  if (starts === ends) return start === end ? clock(start) : `${clock(start)} – ${clock(end)}`
  const from = day > starts ? '' : `${clock(start)} · `
  return `${from}${until(language, say, ends)}`
}

function until(language: string, say: Here['say'], day: string): string {
  return say('pages.until', { date: dayIn(language, 'medium', day) })
}

/** The last day of an event: one that ends at midnight does not take the day that begins then. */
export function lastDay({ start_local: start, end_local: end }: Pick<Times, 'start_local' | 'end_local'>): string {
  const isNight = end.slice(11) === '00:00:00' && end.slice(0, 10) > start.slice(0, 10)
  if (!isNight) return end.slice(0, 10)
  return daysAfter(end.slice(0, 10), -1)
}
