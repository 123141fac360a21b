import { clockFormat } from '../../base/i18n/translate.ts'
import { readClock } from '../../base/time/clock.ts'
import type { EventRow } from '../../calendar/events/index.ts'

/** When an event takes place, on its own clock. */
type Times = Pick<EventRow, 'start_local' | 'end_local' | 'all_day'>

const DAY = { day: 'numeric', month: 'long', year: 'numeric' } as const
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const STYLES = { day: DAY, time: TIME, both: { ...DAY, ...TIME } } as const

/** When an event takes place as HTML in a language; in short, an event of one day shows its times only. */
export function scheduleDetails(times: Times, language: string, isShort = false): string {
  const { start_local: start, end_local: end, all_day } = times
  const isOneDay = start.slice(0, 10) === end.slice(0, 10)
  const written = (style: keyof typeof STYLES, local: string) =>
    clockFormat(language, STYLES[style]).format(dateOf(local))
  const style = all_day === 1 ? 'day' : isOneDay && isShort ? 'time' : 'both'
  const from = span('date-start', written(style, start))
  if (start === end || (all_day === 1 && isOneDay)) return from
  const until = isOneDay ? span('time', written('time', end)) : span('date-end', written(style, end))
  return `${from} - ${until}`
}

function span(name: string, text: string): string {
  return `<span class="tribe-event-${name}">${text}</span>`
}

function dateOf(local: string): Date {
  return new Date(readClock(local) * 1000)
}
