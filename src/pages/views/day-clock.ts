import { millisFromUtc, momentIn, occursTwice, toUtc } from '../../base/time/zones.ts'
import { daysAfter } from '../dates.ts'

/** Part of a day on its clock, in minutes since midnight. */
export interface MinuteSpan {
  readonly from: number
  readonly to: number
}

/** What a change of clocks does to a day; a day of 24 hours has neither. */
export interface DayClock {
  /** Readings that the clock never shows. */
  readonly skipped?: MinuteSpan
  /** Readings that it shows twice. */
  readonly twice?: MinuteSpan
}

/** Minutes between two readings that are looked at: no clock is changed by less. */
const STEP = 15

/** Minutes of a day whose clock is not changed. */
export const WHOLE_DAY = 1440

/** How the clock of a zone goes through a day, `2026-03-29`. */
export function dayClock(day: string, zone: string): DayClock {
  const next = daysAfter(day, 1)
  const [from, to] = [toUtc(`${day} 00:00:00`, zone), toUtc(`${next} 00:00:00`, zone)]
  if (millisFromUtc(to) - millisFromUtc(from) === WHOLE_DAY * 60_000) return {}
  const readings = Array.from({ length: WHOLE_DAY / STEP }, (_, index) => index * STEP)
  const skipped = spanOf(
    readings.filter((minutes) => {
      const local = reading(day, minutes)
      return momentIn(local, zone)?.local !== local
    }),
  )
  const twice = spanOf(readings.filter((minutes) => occursTwice(reading(day, minutes), zone)))
  return { ...(skipped && { skipped }), ...(twice && { twice }) }
}

/** From the first to the last of some readings; undefined for none. */
function spanOf(minutes: readonly number[]): MinuteSpan | undefined {
  const [first] = minutes
  return first === undefined ? undefined : { from: first, to: (minutes.at(-1) ?? first) + STEP }
}

/** The clock reading some minutes after midnight. */
function reading(day: string, minutes: number): string {
  return `${day} ${clockText(minutes)}:00`
}

/** Minutes as a clock shows them: 90 is `01:30`. */
export function clockText(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Minutes since midnight of a clock reading, seconds dropped. */
export function minutesOf(local: string): number {
  return Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16))
}
