import { isWithinYears, readClock, writeClock } from '../../../../base/time/clock.ts'
import { isLikeUtc } from '../../../../base/time/zone-names.ts'
import { isZone } from '../../../../base/time/zones.ts'
import { ZONE_PROPERTY } from '../../../icalendar/event.ts'
import type { Component, Note } from './components.ts'
import type { SourceTimes } from './types.ts'
import { type Duration, propertyOf, readDuration, takesWholeDays, textOf, timeOf, type WrittenTime } from './values.ts'
import { agreeingZone, instantIn, instantOfTime, type SourceZone, type SourceZones, wallIn } from './zones.ts'

const DAY = 86_400

/** When a component takes place, as it was written. */
export interface WrittenTimes {
  readonly start: WrittenTime
  /** Undefined for times of UTC and of no zone, for days and for a zone that is not known. */
  readonly zone: SourceZone | undefined
  readonly isAllDay: boolean
  /** The zone of times in UTC or of days, if the file names it; undefined otherwise. */
  readonly told: string | undefined
  /** Seconds of the same clock from the start to the end of a day, or whole days of an all-day event. */
  readonly end: { readonly by: 'length'; readonly seconds: number } | { readonly by: 'clock'; readonly wall: number }
}

/** Reads DTSTART, DTEND and DURATION; the ID of what is wrong with the start. An end that is unreadable or too early is left out. */
export function readTimes(event: Component, zones: SourceZones, note: Note): WrittenTimes | string {
  const property = propertyOf(event, 'DTSTART')
  const start = property && timeOf(property)
  if (start === undefined) return property === undefined ? 'import.problem.noStart' : 'import.problem.badStart'
  const isAllDay = takesWholeDays(event, start)
  const stated = textOf(event, ZONE_PROPERTY).trim()
  const own = isZone(stated) ? stated : undefined
  const zone = start.tzid === undefined ? undefined : preferring(own, zones.find(start.tzid))
  const end = endOf(event, { start, zones, note })
  if (!isAllDay || start.stamp.isDate)
    return { start, zone, isAllDay, told: start.stamp.isUtc || isAllDay ? own : undefined, end }
  const told = own ?? zone?.names[0]
  const seconds = dayOf(start, told ?? zones.own)
  const length = daysIn(end.by === 'clock' ? end.wall - start.stamp.seconds : end.seconds)
  const day = { stamp: { seconds, isUtc: false, isDate: true }, tzid: undefined }
  return { start: day, zone: undefined, isAllDay, told, end: { by: 'length', seconds: length } }
}

/** The first second of the day that a time of a whole day is on; a time of UTC is the midnight of some zone. */
export function dayOf({ stamp }: WrittenTime, zone: string): number {
  const days = stamp.isUtc ? Math.round(wallIn(stamp.seconds, zone) / DAY) : Math.floor(stamp.seconds / DAY)
  return days * DAY
}

/** Seconds of the whole days that a length takes, at least one; clocks may change by an hour within it. */
function daysIn(seconds: number): number {
  return Math.max(1, Math.ceil((seconds - 3600) / DAY)) * DAY
}

/** The zone named in the file, if its clock agrees. */
function preferring(told: string | undefined, zone: SourceZone | undefined): SourceZone | undefined {
  return told === undefined || zone?.rules === undefined ? zone : { ...zone, names: [told, ...zone.names] }
}

/** The start of an event whose end is read. */
interface EndContext {
  readonly start: WrittenTime
  readonly zones: SourceZones
}

function endOf(event: Component, { note, ...context }: EndContext & { readonly note: Note }): WrittenTimes['end'] {
  const { start } = context
  const property = propertyOf(event, 'DTEND')
  const end = property && timeOf(property)
  const length = end === undefined ? propertyOf(event, 'DURATION') : undefined
  const duration = length && readDuration(length.value)
  const unread = [end === undefined && property, duration === undefined && length]
  for (const one of unread) if (one && one.value.trim() !== '') note(one, 'import.note.unread')
  const found = end === undefined ? duration && afterDuration(start, duration) : afterTime(end, context)
  if (found !== undefined && found !== 'early') return found
  const early = found && (end === undefined ? length : property)
  if (early !== undefined) note(early, 'import.note.noEnd')
  return { by: 'length', seconds: start.stamp.isDate ? DAY : 0 }
}

function afterDuration({ stamp }: WrittenTime, { days, seconds }: Duration): WrittenTimes['end'] | 'early' {
  if (days < 0 || seconds < 0) return 'early'
  if (stamp.isDate) return { by: 'length', seconds: Math.max(1, days + Math.ceil(seconds / DAY)) * DAY }
  if (days === 0) return { by: 'length', seconds }
  // Days are those of the calendar; what comes on top of them is counted exactly, which the clock does but on days of change.
  return { by: 'clock', wall: stamp.seconds + days * DAY + seconds }
}

function afterTime(end: WrittenTime, { start, zones }: EndContext): WrittenTimes['end'] | 'early' {
  if (start.stamp.isDate || end.stamp.isDate) return afterDay(start, end)
  const isSameClock = end.tzid === start.tzid && end.stamp.isUtc === start.stamp.isUtc
  const [from, to] = [instantOfTime(start, zones), instantOfTime(end, zones)]
  if (from === undefined || to === undefined || to < from) return 'early'
  return isSameClock ? { by: 'clock', wall: end.stamp.seconds } : { by: 'length', seconds: to - from }
}

/** An end that is a day ends before it; some programs write the same day twice for one. */
function afterDay({ stamp: from }: WrittenTime, { stamp: to }: WrittenTime): WrittenTimes['end'] | 'early' {
  const days = Math.floor(to.seconds / DAY) - Math.floor(from.seconds / DAY)
  if (days < 0) return 'early'
  if (!from.isDate) return { by: 'clock', wall: Math.max(to.seconds, from.seconds) }
  return { by: 'length', seconds: Math.max(1, Math.ceil((to.seconds - from.seconds) / DAY)) * DAY }
}

/**
 * The times on the clock of a zone of the tz database, or in UTC where no clock agrees with that of the file; undefined
 * beyond the years that a clock shows. `recurs` keeps times of UTC in UTC, or in what the file calls a clock like that,
 * because a rule is reckoned there.
 */
export function resolveTimes(
  written: WrittenTimes,
  zones: SourceZones,
  { recurs, zone: wanted }: { readonly recurs: boolean; readonly zone?: string | undefined },
): SourceTimes | undefined {
  const { start, zone, isAllDay, end } = written
  const wall = start.stamp.seconds
  if (isAllDay) {
    const last = wall + (end.by === 'length' ? end.seconds : DAY) - 1
    return timesIn({ zone: wanted ?? written.told ?? zones.own, isAllDay, start: wall, end: last })
  }
  const from = instantOfTime(start, zones)
  if (from === undefined) return undefined
  const to = end.by === 'length' ? from + end.seconds : instantOfTime(onClockOf(start, end.wall), zones)
  if (to === undefined) return undefined
  const walls = end.by === 'clock' ? [wall, end.wall] : [wall]
  const name = wanted ?? nameOf({ start, zone, told: written.told, walls }, zones, recurs)
  return timesAt({ from, to, zone: name })
}

function onClockOf({ stamp, tzid }: WrittenTime, wall: number): WrittenTime {
  return { stamp: { ...stamp, seconds: wall }, tzid }
}

function nameOf(
  { start, zone, told, walls }: Pick<WrittenTimes, 'start' | 'zone' | 'told'> & { readonly walls: readonly number[] },
  zones: SourceZones,
  recurs: boolean,
): string {
  if (start.stamp.isUtc && recurs) return told !== undefined && isLikeUtc(told) ? told : 'UTC'
  if (start.stamp.isUtc) return told ?? zones.own
  if (zone === undefined) return zones.own
  return agreeingZone(zone, walls) ?? 'UTC'
}

function timesIn(given: {
  readonly zone: string
  readonly isAllDay: boolean
  readonly start: number
  readonly end: number
}): SourceTimes | undefined {
  const { zone, isAllDay, start, end } = given
  const [from, to] = [instantIn(start, zone), instantIn(end, zone)]
  if (![start, end, from, to].every(isWithinYears)) return undefined
  const utc = { startUtc: writeClock(from), endUtc: writeClock(to) }
  return { start: writeClock(start), end: writeClock(end), ...utc, zone, isAllDay }
}

/** Times of which the moments are known, on the clock of a zone. */
export function timesAt({
  from,
  to,
  zone,
}: {
  readonly from: number
  readonly to: number
  readonly zone: string
}): SourceTimes | undefined {
  const [start, end] = [wallIn(from, zone), wallIn(to, zone)]
  if (![start, end, from, to].every(isWithinYears)) return undefined
  const utc = { startUtc: writeClock(from), endUtc: writeClock(to) }
  return { start: writeClock(start), end: writeClock(end), ...utc, zone, isAllDay: false }
}

/** The same times so many seconds of UTC later. */
export function movedTimes(times: SourceTimes, start: number): SourceTimes | undefined {
  const { zone, isAllDay } = times
  if (isAllDay) return timesIn({ zone, isAllDay, start, end: start + readClock(times.end) - readClock(times.start) })
  const from = instantIn(start, zone)
  return timesAt({ from, to: from + readClock(times.endUtc) - readClock(times.startUtc), zone })
}

/** Whole days of a zone, from the day of one wall clock second to that of another. */
export function timesOfDays(given: {
  readonly zone: string
  readonly first: number
  readonly last: number
}): SourceTimes | undefined {
  const day = (seconds: number): number => Math.floor(seconds / DAY) * DAY
  const { zone, first, last } = given
  return timesIn({ zone, isAllDay: true, start: day(first), end: day(last) + DAY - 1 })
}
