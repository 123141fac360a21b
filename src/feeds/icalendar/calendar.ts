import type { WholeEvent } from '../../events/index.ts'
import { type Place, placeOf } from '../../time/observances.ts'
import { eventComponent, type Scene } from './event.ts'
import { line, textValue } from './lines.ts'
import { zoneComponent } from './zone.ts'

/** Media type of iCalendar (RFC 5545 section 8.1). */
export const CALENDAR_TYPE = 'text/calendar'

/** What a file is made for. */
export interface CalendarScene extends Omit<Scene, 'placeNamed'> {
  /** Whether programs subscribe to it: then it has a name of its own. A file of one event is put into any calendar. */
  readonly isFeed: boolean
}

/**
 * An iCalendar object with the definition of every zone that its events name (RFC 5545 section 3.4). It says no METHOD:
 * it shows what is in the calendar and asks nobody for anything (section 3.7.2).
 */
export function calendarText(events: readonly WholeEvent[], { site, urls, isFeed }: CalendarScene): string {
  const placeNamed = rememberedPlaces()
  const scene = { site, urls, placeNamed }
  return [
    line('BEGIN', 'VCALENDAR'),
    line('VERSION', '2.0'),
    line('PRODID', '-//Kalends//Kalends//EN'),
    line('CALSCALE', 'GREGORIAN'),
    ...(isFeed ? feedLines(site.name, placeNamed(site.zone)) : []),
    ...zoneComponents(events, placeNamed),
    // An object needs a component (section 3.6).
    events.length === 0 ? zoneComponent(placeNamed(site.zone) ?? UTC, [ANY_YEAR]) : '',
    ...events.map((event) => eventComponent(event, scene)),
    line('END', 'VCALENDAR'),
  ].join('')
}

const UTC: Place = { name: 'UTC', resolved: 'UTC' }

/** No event turns on it. */
const ANY_YEAR = 2000

/** Name and zone of the calendar, and when to ask again (RFC 7986 sections 5.1 and 5.7), also as older programs know them. */
function feedLines(name: string, place: Place | undefined): string[] {
  return [
    line('NAME', textValue(name)),
    line('X-WR-CALNAME', textValue(name)),
    place === undefined ? '' : line('X-WR-TIMEZONE', place.name),
    line('REFRESH-INTERVAL;VALUE=DURATION', 'PT1H'),
    line('X-PUBLISHED-TTL', 'PT1H'),
  ]
}

function rememberedPlaces(): Scene['placeNamed'] {
  const places = new Map<string, Place | undefined>()
  return (zone) => {
    if (!places.has(zone)) places.set(zone, placeOf(zone))
    return places.get(zone)
  }
}

/** The zones of the events, each in the years in which one of them begins or ends; days are in no zone. */
function zoneComponents(events: readonly WholeEvent[], placeNamed: Scene['placeNamed']): string[] {
  const years = new Map<string, { readonly place: Place; readonly years: Set<number> }>()
  for (const { row } of events) {
    const place = row.all_day === 1 ? undefined : placeNamed(row.timezone)
    if (place === undefined) continue
    const known = years.get(place.name) ?? { place, years: new Set() }
    years.set(place.name, known)
    for (const local of [row.start_local, row.end_local]) known.years.add(Number(local.slice(0, 4)))
  }
  return [...years.values()].map((one) => zoneComponent(one.place, one.years))
}
