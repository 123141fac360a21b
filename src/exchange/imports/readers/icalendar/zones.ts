import { readClock, writeClock } from '../../../../base/time/clock.ts'
import { toLocal, toUtc } from '../../../../base/time/zones.ts'
import type { Component } from './components.ts'
import { textOf, type WrittenTime } from './values.ts'
import { zoneOfVcalendar } from './vcalendar.ts'
import { zoneCalled } from './zone-labels.ts'
import { readZoneRules, type ZoneRules } from './zone-rules.ts'

/** A zone that times of a file are written in. */
export interface SourceZone {
  /** Names of zones that it may be, the likeliest first; the clock of the file decides, where it defines one. */
  readonly names: readonly string[]
  /** The clock that the file defines; undefined where only a name says it. */
  readonly rules: ZoneRules | undefined
}

/** The zones that a calendar of a file names. */
export interface SourceZones {
  /** The zone of times and days that are of no zone. */
  readonly own: string
  /** Whether the calendar names a zone that nobody knows, and no other one was given for it. */
  readonly isUnknown: boolean
  /** Undefined for an unknown one. */
  find(tzid: string): SourceZone | undefined
}

/** Definitions of zones that are read of a calendar. */
const MOST_ZONES = 500

/** The zones of a calendar; `own` is what the importer says, else the calendar itself, else that of the site. */
export function zonesOf(
  calendar: Component | undefined,
  { zone, siteZone }: { readonly zone: string | undefined; readonly siteZone: string },
): SourceZones {
  const stated = calendar === undefined ? '' : textOf(calendar, 'X-WR-TIMEZONE')
  const own = zone ?? zoneCalled(stated) ?? (calendar && zoneOfVcalendar(calendar)) ?? siteZone
  const definitions = (calendar?.components ?? []).filter(({ name }) => name === 'VTIMEZONE').slice(0, MOST_ZONES)
  const defined = new Map(definitions.map((one) => [textOf(one, 'TZID'), one]))
  const found = new Map<string, SourceZone | undefined>()
  const make = (tzid: string): SourceZone | undefined => {
    const definition = defined.get(tzid)
    const rules = definition && readZoneRules(definition)
    const named = [tzid, definition === undefined ? '' : textOf(definition, 'X-LIC-LOCATION')]
    const names = named.flatMap((name) => zoneCalled(name) ?? [])
    if (rules === undefined && names.length === 0) return undefined
    return { names: [...new Set([...names, ...(rules === undefined ? [] : [own, siteZone])])], rules }
  }
  return {
    own,
    isUnknown: zone === undefined && stated !== '' && zoneCalled(stated) === undefined,
    find: (text) => {
      const tzid = text.trim()
      if (!found.has(tzid)) found.set(tzid, make(tzid))
      return found.get(tzid)
    },
  }
}

/** The UTC second of a wall clock second of a zone of the tz database. */
export function instantIn(wall: number, zone: string): number {
  return readClock(toUtc(writeClock(wall), zone))
}

/** The wall clock second of a UTC second. */
export function wallIn(utc: number, zone: string): number {
  return readClock(toLocal(writeClock(utc), zone))
}

/** The UTC second of a time as it was written; undefined for a zone that is not known. */
export function instantOfTime({ stamp, tzid }: WrittenTime, zones: SourceZones): number | undefined {
  if (stamp.isUtc) return stamp.seconds
  if (tzid === undefined) return instantIn(stamp.seconds, zones.own)
  const zone = zones.find(tzid)
  if (zone === undefined) return instantIn(stamp.seconds, zones.own)
  return zone.rules?.instantOf(stamp.seconds) ?? instantIn(stamp.seconds, zone.names[0] ?? 'UTC')
}

/**
 * The zone of the tz database whose clock agrees with that of a source zone at all these wall clock seconds; undefined
 * if there is none.
 */
export function agreeingZone({ names, rules }: SourceZone, walls: readonly number[]): string | undefined {
  if (rules === undefined) return names[0]
  const agrees = (name: string): boolean => walls.every((wall) => instantIn(wall, name) === rules.instantOf(wall))
  return names.find(agrees) ?? placesLike(rules, walls).find(agrees)
}

/** Days of the year on which clocks are compared before the dates themselves are. */
const SAMPLES = [15, 80, 95, 190, 280, 295, 310] as const
const DAY = 86_400

const knownPlaces = new Map<string, readonly string[]>()

/** Zones with the same offsets in the year of the first of these seconds. */
function placesLike(rules: ZoneRules, walls: readonly number[]): readonly string[] {
  const [first = 0] = walls
  const year = readClock(`${writeClock(first).slice(0, 4)}-01-01 12:00:00`)
  const moments = SAMPLES.map((day) => year + day * DAY)
  const key = moments.map((at) => rules.offsetAt(at)).join(' ') + year
  const known = knownPlaces.get(key)
  if (known !== undefined) return known
  const same = (name: string): boolean => moments.every((at) => wallIn(at, name) === at + rules.offsetAt(at))
  const places = [...COMMON, ...Intl.supportedValuesOf('timeZone')].filter(same).slice(0, 20)
  if (knownPlaces.size >= 200) knownPlaces.clear()
  knownPlaces.set(key, places)
  return places
}

/** Places that stand for their zone before the others of it. */
const COMMON = [
  'Europe/London',
  'Europe/Berlin',
  'Europe/Paris',
  'Europe/Athens',
  'Europe/Moscow',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Pacific/Auckland',
]
