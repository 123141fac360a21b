import { civilFromDays } from '../clock.ts'
import type { Frequency, RecurrenceRule } from './rule.ts'

const DAY = 86_400

/** Whether the period that a moment lies in is one to which INTERVAL comes from that of another moment; seconds of a clock. */
export function isOnInterval(
  { frequency, interval, weekStart }: RecurrenceRule,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  const numberOf = PERIOD_NUMBERS[frequency]
  return (numberOf(to, weekStart) - numberOf(from, weekStart)) % interval === 0
}

/** The number of the period that a moment lies in: one more than that of the period before. */
const PERIOD_NUMBERS: Readonly<Record<Frequency, (seconds: number, weekStart: number) => number>> = {
  YEARLY: (seconds) => civilFromDays(Math.floor(seconds / DAY)).year,
  MONTHLY: (seconds) => {
    const { year, month } = civilFromDays(Math.floor(seconds / DAY))
    return year * 12 + month
  },
  // The first day of all was a Thursday.
  WEEKLY: (seconds, weekStart) => Math.floor((Math.floor(seconds / DAY) + 4 - weekStart) / 7),
  DAILY: (seconds) => Math.floor(seconds / DAY),
  HOURLY: (seconds) => Math.floor(seconds / 3600),
  MINUTELY: (seconds) => Math.floor(seconds / 60),
  SECONDLY: (seconds) => seconds,
}
