import { addMonths, civilFromDays, daysFromCivil, readClock, weekdayOf, writeClock } from './clock.ts'
import type { Present } from './resolve.ts'
import { localFromMillis } from './zones.ts'

/** A time that words name, on the clock of the site: its first and its last second, `YYYY-MM-DD HH:MM:SS`. */
export interface Period {
  readonly start: string
  readonly end: string
}

const DAY = 86_400
/** The hours of a night: it starts on one day and ends before the morning of the next. */
const EVENING = 18 * 3600
const MORNING = 6 * 3600

const WORDS = /^(?:(this|next|last|previous)\s+)?(week|weekend|month|year)$/i
const STEPS: Readonly<Record<string, number>> = { next: 1, last: -1, previous: -1 }

/**
 * The time that words such as `tonight`, `this weekend` and `next week` name, counted from `now` on the clock of `zone`;
 * undefined for other text. Weeks start on Monday, weekends are Saturday and Sunday: this one is the present or the
 * coming one. A night lasts from 18:00 to 06:00; until then the last one continues.
 */
export function readPeriod(text: string, { now, zone }: Present): Period | undefined {
  const words = text.trim()
  const present = readClock(localFromMillis(now, zone))
  const today = Math.floor(present / DAY)
  if (/^tonight$/i.test(words)) {
    const day = present - today * DAY < MORNING ? today - 1 : today
    return periodOf(day * DAY + EVENING, (day + 1) * DAY + MORNING)
  }
  const [, which, unit = ''] = WORDS.exec(words) ?? []
  if (unit === '' || (which === undefined && unit.toLowerCase() !== 'weekend')) return undefined
  const step = STEPS[which?.toLowerCase() ?? ''] ?? 0
  const monday = today - ((weekdayOf(today) + 6) % 7) + 7 * step
  if (unit.toLowerCase() === 'week') return periodOf(monday * DAY, (monday + 7) * DAY)
  if (unit.toLowerCase() === 'weekend') return periodOf((monday + 5) * DAY, (monday + 7) * DAY)
  return monthsOf(today, unit.toLowerCase() === 'year' ? 12 : 1, step)
}

/** The month or year of a day, or one beside it. */
function monthsOf(today: number, months: number, step: number): Period | undefined {
  const { year, month } = civilFromDays(today)
  const first = addMonths(daysFromCivil(year, months === 12 ? 1 : month, 1), months * step)
  return periodOf(first * DAY, addMonths(first, months) * DAY)
}

/** From one second up to another one. */
function periodOf(from: number, to: number): Period {
  return { start: writeClock(from), end: writeClock(to - 1) }
}
