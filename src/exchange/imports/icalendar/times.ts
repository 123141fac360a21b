import { isWithinYears, readClock, writeClock } from '../../../base/time/clock.ts'
import { isLikeUtc } from '../../../base/time/zone-names.ts'
import { isZone } from '../../../base/time/zones.ts'
import { ZONE_PROPERTY } from '../../icalendar/event.ts'
import type { Component } from './components.ts'
import type { SourceTimes } from './types.ts'
import { propertyOf, readDuration, textOf, timeOf, type WrittenTime } from './values.ts'
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

/** Reads DTSTART, DTEND and DURATION; what is wrong with them where they do not fit. */
export function readTimes(event: Component, zones: SourceZones): WrittenTimes | string {
  const property = propertyOf(event, 'DTSTART')
  const start = property && timeOf(property)
  if (start === undefined) return property === undefined ? 'has no DTSTART' : 'has a DTSTART that is no date'
  const isAllDay = start.stamp.isDate
  const stated = textOf(event, ZONE_PROPERTY).trim()
  const own = isZone(stated) ? stated : undefined
  const zone = start.tzid === undefined ? undefined : preferring(own, zones.find(start.tzid))
  const end = endOf(event, { start, zones, isAllDay })
  if (typeof end === 'string') return end
  return { start, zone, isAllDay, told: start.stamp.isUtc || isAllDay ? own : undefined, end }
}

/** The zone named in the file, if its clock agrees. */
function preferring(told: string | undefined, zone: SourceZone | undefined): SourceZone | undefined {
  return told === undefined || zone?.rules === undefined ? zone : { ...zone, names: [told, ...zone.names] }
}

function endOf(
  event: Component,
  { start, zones, isAllDay }: { readonly start: WrittenTime; readonly zones: SourceZones; readonly isAllDay: boolean },
): WrittenTimes['end'] | string {
  const property = propertyOf(event, 'DTEND')
  if (property === undefined) {
    const length = propertyOf(event, 'DURATION')
    const duration = length && readDuration(length.value)
    const whole = isAllDay ? 1 : 0
    if (duration === undefined) return { by: 'length', seconds: whole * DAY }
    if (duration.days < 0 || duration.seconds < 0) return 'ends before it starts'
    const days = isAllDay ? Math.max(1, duration.days + Math.ceil(duration.seconds / DAY)) : duration.days
    if (days === 0 || isAllDay) return { by: 'length', seconds: days * DAY + (isAllDay ? 0 : duration.seconds) }
    // Days are those of the calendar; what comes on top of them is counted exactly, which the clock does but on days of change.
    return { by: 'clock', wall: start.stamp.seconds + days * DAY + duration.seconds }
  }
  const end = timeOf(property)
  if (end === undefined) return { by: 'length', seconds: isAllDay ? DAY : 0 }
  if (isAllDay || end.stamp.isDate) return endOfDays(start, end)
  const isSameClock = end.tzid === start.tzid && end.stamp.isUtc === start.stamp.isUtc
  const [from, to] = [instantOfTime(start, zones), instantOfTime(end, zones)]
  if (from === undefined || to === undefined || to < from) return 'ends before it starts'
  return isSameClock ? { by: 'clock', wall: end.stamp.seconds } : { by: 'length', seconds: to - from }
}

/** An end that is a day ends before it; some programs write the same day twice for one. */
function endOfDays(start: WrittenTime, end: WrittenTime): WrittenTimes['end'] | string {
  const days = Math.floor(end.stamp.seconds / DAY) - Math.floor(start.stamp.seconds / DAY)
  if (days < 0) return 'ends before it starts'
  if (!start.stamp.isDate) return { by: 'clock', wall: Math.max(end.stamp.seconds, start.stamp.seconds) }
  return { by: 'length', seconds: Math.max(1, days) * DAY }
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
