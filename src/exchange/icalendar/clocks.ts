import type { ZoneRef } from '../../base/time/observances.ts'
import { readZoneName } from '../../base/time/zone-names.ts'
import type { EventRow, WholeSeries } from '../../calendar/events/index.ts'
import { date, dateTime, line } from './lines.ts'

// Which clock times are written on, and the years of it that a file has to define.

/** Finds the place that a zone names; undefined for those whose clock never changes. */
export interface Places {
  placeNamed(zone: string): ZoneRef | undefined
}

/** The clock of a recurring event: whole days, UTC, or a zone that the file defines under a name. */
export type SeriesClock =
  | { readonly kind: 'days' }
  | { readonly kind: 'utc' }
  | { readonly kind: 'zone'; readonly name: string }

/** Before the first of these years clocks showed local mean time; after the last one they change by rules that hold permanently. */
const [UNIFIED, SETTLED] = [1840, 2100]

/** The clock that the rule of an event is reckoned on, so that its days are those of the event. */
export function seriesClock(
  { all_day, timezone }: Pick<EventRow, 'all_day' | 'timezone'>,
  { placeNamed }: Places,
): SeriesClock {
  if (all_day === 1) return { kind: 'days' }
  const place = placeNamed(timezone)
  if (place !== undefined) return { kind: 'zone', name: place.name }
  const zone = readZoneName(timezone)
  if (zone?.kind !== 'fixed' || zone.offset === 0) return { kind: 'utc' }
  return { kind: 'zone', name: offsetName(zone.offset) }
}

/** `GMT+0530`: no colon, which some programs cannot read in a parameter. */
function offsetName(offset: number): string {
  const minutes = Math.abs(offset) / 60
  const digits = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'))
  return `GMT${offset < 0 ? '-' : '+'}${digits.join('')}`
}

/** A property with readings of the clock of a recurring event. */
export function clockLine(name: string, locals: readonly string[], clock: SeriesClock): string {
  if (clock.kind === 'days') return line(`${name};VALUE=DATE`, locals.map(date).join())
  if (clock.kind === 'utc') return line(name, locals.map((local) => `${dateTime(local)}Z`).join())
  return line(`${name};TZID=${clock.name}`, locals.map(dateTime).join())
}

/** The zone of an event by itself with the years in which it starts and ends: `Europe/Berlin 2026 2027`. */
export function clocksOf({ all_day, timezone, start_local, end_local }: EventRow, { placeNamed }: Places): string[] {
  const place = all_day === 1 ? undefined : placeNamed(timezone)
  return place === undefined ? [] : [`${place.name} ${yearOf(start_local)} ${yearOf(end_local)}`]
}

/** The zones of one date of a recurring event: its own, and that on which its original start is named. */
export function clocksOfDate(
  row: EventRow,
  { series, date }: NonNullable<EventRow['occasion']>,
  places: Places,
): string[] {
  const clock = seriesClock(series, places)
  const named = clock.kind === 'zone' ? [`${clock.name} ${yearOf(date.recurrence_id)}`] : []
  return [...clocksOf(row, places), ...named]
}

/** The zones of a recurring event with all years that its dates reach into. */
export function clocksOfSeries({ base: { row }, exceptions, last }: WholeSeries, places: Places): string[] {
  const clock = seriesClock(row, places)
  const first = yearOf(row.start_local)
  // One year more for dates that end in the next one.
  const end = Math.min(yearOf(last) + 1, SETTLED)
  const begin = Math.max(first, UNIFIED)
  const years = begin < end ? `${first} ${begin}-${end}` : `${first}`
  const own = clock.kind === 'zone' ? [`${clock.name} ${years}`] : []
  const others = exceptions.flatMap((one) => (one.row.occasion ? clocksOfDate(one.row, one.row.occasion, places) : []))
  return [...own, ...others]
}

function yearOf(local: string): number {
  return Number(local.slice(0, 4))
}
