import { daysFromCivil } from '../time/clock.ts'
import { offsetText } from '../time/zones.ts'
import { type Shown, textMember } from './content.ts'
import { html, type Markup, NOTHING } from './layout.ts'

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]

/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4

/** The day of a wall clock reading as people write it: `Monday, 1 March 2027`. */
function dayText(local: string): string {
  const [year = 0, month = 1, day = 1] = local.slice(0, 10).split('-').map(Number)
  const weekday = (((daysFromCivil(year, month, day) + FIRST_WEEKDAY) % 7) + 7) % 7
  return `${WEEKDAYS[weekday]}, ${day} ${MONTHS[month - 1]} ${year}`
}

/**
 * When an event takes place, on its own clock: `Monday, 1 March 2027, 10:00 – 12:00 EST`; whole days without times,
 * a moment without an end. `event` is its representation, with `all_day` true or false.
 */
export function when(event: Shown): string {
  const start = textMember(event, 'start_date')
  const end = textMember(event, 'end_date')
  const isOneDay = start.slice(0, 10) === end.slice(0, 10)
  if (event['all_day'] === true) return isOneDay ? `${dayText(start)}, all day` : `${dayText(start)} – ${dayText(end)}`
  const from = `${dayText(start)}, ${clock(start)}`
  const zone = textMember(event, 'timezone_abbr')
  if (start === end) return `${from} ${zone}`
  return `${from} – ${isOneDay ? clock(end) : `${dayText(end)}, ${clock(end)}`} ${zone}`
}

function clock(local: string): string {
  return local.slice(11, 16)
}

/** The times at the end of a text of `when`: they stay together on one line. */
const CLOCKS = /\d\d:\d\d (?:– \d\d:\d\d )?\S+$/

/** When an event takes place, for people and, by its beginning, for programs. */
export function time(event: Shown): Markup {
  const text = when(event)
  const [clocks = ''] = CLOCKS.exec(text) ?? []
  const together = clocks === '' ? NOTHING : html`<span class="clocks">${clocks}</span>`
  return html`<time datetime="${machineTime(event)}">${text.slice(0, text.length - clocks.length)}${together}</time>`
}

/** The beginning: a date for whole days, else a moment with the offset of the event's zone. */
function machineTime(event: Shown): string {
  const start = textMember(event, 'start_date')
  if (event['all_day'] === true) return start.slice(0, 10)
  return start.replace(' ', 'T') + offsetText(start, textMember(event, 'timezone'), textMember(event, 'utc_start_date'))
}
