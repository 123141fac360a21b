import type { EventWithRelations } from '../../events/index.ts'
import type { Site } from '../../model/site.ts'
import { placeOf, type ZoneRef } from '../../time/observances.ts'
import { eventComponent, type Scene } from './event.ts'
import { line, textValue } from './lines.ts'
import { zoneComponent } from './zone.ts'

/** Media type of iCalendar (RFC 5545 section 8.1). */
export const CALENDAR_TYPE = 'text/calendar'

/**
 * The texts that files are put together from, one for each event: a line with the zone that it names and the years in
 * which it begins or ends (`Europe/Berlin 2026 2027`; empty for days and for what is written in UTC), then its VEVENT.
 */
export function eventTexts(events: readonly EventWithRelations[], parts: Omit<Scene, 'placeNamed'>): Buffer[] {
  const placeNamed = rememberedPlaces()
  const scene = { ...parts, placeNamed }
  return events.map((event) => {
    const { all_day, timezone, start_local, end_local } = event.row
    const place = all_day === 1 ? undefined : placeNamed(timezone)
    const clock = place === undefined ? [] : [place.name, start_local.slice(0, 4), end_local.slice(0, 4)]
    return Buffer.from(`${clock.join(' ')}\n${eventComponent(event, scene)}`)
  })
}

/** What a file is made for. */
export interface CalendarScene {
  readonly site: Site
  /** Whether programs subscribe to it: then it has a name of its own. A file of one event is put into any calendar. */
  readonly isFeed: boolean
}

/**
 * An iCalendar object of such texts with the definition of every zone that they name (RFC 5545 section 3.4). It says no
 * METHOD: it shows what is in the calendar and asks nobody for anything (section 3.7.2).
 */
export function calendarFile(texts: readonly Buffer[], { site, isFeed }: CalendarScene): Buffer {
  const place = placeOf(site.zone)
  const head = [
    line('BEGIN', 'VCALENDAR'),
    line('VERSION', '2.0'),
    line('PRODID', '-//Kalends//Kalends//EN'),
    line('CALSCALE', 'GREGORIAN'),
    ...(isFeed ? feedLines(site.name, place) : []),
    ...zoneComponents(texts),
    // An object needs a component (section 3.6).
    texts.length === 0 ? zoneComponent(place ?? UTC, [ANY_YEAR]) : '',
  ]
  const events = texts.map((text) => text.subarray(text.indexOf(LINE_END) + 1))
  return Buffer.concat([Buffer.from(head.join('')), ...events, Buffer.from(line('END', 'VCALENDAR'))])
}

const LINE_END = 0x0a

const UTC: ZoneRef = { name: 'UTC', resolved: 'UTC' }

/** No event turns on it. */
const ANY_YEAR = 2000

/** Name and zone of the calendar, and when to ask again (RFC 7986 sections 5.1 and 5.7), also as older programs know them. */
function feedLines(name: string, place: ZoneRef | undefined): string[] {
  return [
    line('NAME', textValue(name)),
    line('X-WR-CALNAME', textValue(name)),
    place === undefined ? '' : line('X-WR-TIMEZONE', place.name),
    line('REFRESH-INTERVAL;VALUE=DURATION', 'PT1H'),
    line('X-PUBLISHED-TTL', 'PT1H'),
  ]
}

/** Reading a zone text takes longer than writing a whole event. */
function rememberedPlaces(): Scene['placeNamed'] {
  const places = new Map<string, ZoneRef | undefined>()
  return (zone) => {
    if (!places.has(zone)) places.set(zone, placeOf(zone))
    return places.get(zone)
  }
}

/** The zones of the texts, each in all the years that are named with it. */
function zoneComponents(texts: readonly Buffer[]): string[] {
  const clocks = new Set(texts.map((text) => text.toString('latin1', 0, text.indexOf(LINE_END))))
  const years = new Map<string, Set<number>>()
  for (const clock of clocks) {
    const [name = '', ...named] = clock.split(' ')
    if (name !== '') years.set(name, new Set([...(years.get(name) ?? []), ...named.map(Number)]))
  }
  return [...years].flatMap(([name, own]) => {
    const place = placeOf(name)
    return place === undefined ? [] : zoneComponent(place, own)
  })
}
