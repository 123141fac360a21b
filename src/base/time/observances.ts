import { placeLetters } from './abbreviations.ts'
import { changesOf, offsetsOf, readClock, writeClock } from './clock.ts'
import { readZoneName } from './zone-names.ts'
import { toUtc } from './zones.ts'

/** A place of the tz database whose clock is not simply that of UTC. */
export interface ZoneRef {
  /** As it was written, or as the runtime writes it where only the letter case differs. */
  readonly name: string
  /** The name under which the runtime keeps it. */
  readonly resolved: string
}

/** A time during which the clock of a place is a certain offset ahead of UTC. */
export interface Observance {
  /** The wall clock reading with which it starts, on the clock as it was before: `2026-03-29 02:00:00`. */
  readonly onset: string
  /** The same moment in UTC. */
  readonly onsetUtc: string
  /** Seconds ahead of UTC before. The same as `offset` when nothing changes here, because only the year starts. */
  readonly before: number
  /** Seconds ahead of UTC. */
  readonly offset: number
  /** `CEST`, `-03`. */
  readonly letters: string
  /** Whether the clock will be behind this within nine months, as it is after summer time. */
  readonly isDaylight: boolean
}

const DAY = 86_400

/** Days after the start of an observance on which standard time is looked for. */
const LATER = [91, 182, 273]

/** The place that a zone text names; undefined for UTC and for offsets that never change. */
export function placeOf(zone: string): ZoneRef | undefined {
  const named = readZoneName(zone)
  if (named?.kind !== 'place' || named.resolved === 'UTC') return undefined
  const { resolved } = named
  return { name: resolved.toLowerCase() === zone.toLowerCase() ? resolved : zone, resolved }
}

/** The observances of a year of the place's own clock: the one with which it starts, and those that start within it. */
export function observancesOf({ name, resolved }: ZoneRef, year: number): Observance[] {
  const offsetAt = offsetsOf(resolved)
  const first = startOf(name, year)
  const end = year === 9999 ? readClock('9999-12-31 23:59:59') : startOf(name, year + 1)
  return [first, ...changesOf(resolved, first, end - 1)].map((at) => {
    const offset = offsetAt(at)
    const before = at === first ? offset : offsetAt(at - 1)
    return {
      onset: writeClock(at + before),
      onsetUtc: writeClock(at),
      before,
      offset,
      letters: placeLetters(name, writeClock(at + offset), offset),
      isDaylight: LATER.some((days) => offsetAt(at + days * DAY) < offset),
    }
  })
}

/** The Unix second with which a year starts on the clock of a place. */
function startOf(zone: string, year: number): number {
  return readClock(toUtc(`${String(year).padStart(4, '0')}-01-01 00:00:00`, zone))
}
