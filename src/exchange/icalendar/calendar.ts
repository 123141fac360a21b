import { nextTurn } from '../../base/background.ts'
import { placeOf, type ZoneRef } from '../../base/time/observances.ts'
import { readZoneName } from '../../base/time/zone-names.ts'
import { type EventWithRelations, recursNoMore, type WholeSeries } from '../../calendar/events/index.ts'
import type { Site } from '../../model/site.ts'
import { clocksOf, clocksOfDate, clocksOfSeries } from './clocks.ts'
import { type EventComponentContext, eventComponent } from './event.ts'
import { line, textValue } from './lines.ts'
import { dateComponent, seriesComponents } from './series.ts'
import { fixedZoneComponent, zoneComponent } from './zone.ts'

/** Media type of iCalendar (RFC 5545 section 8.1). */
export const CALENDAR_TYPE = 'text/calendar'

/**
 * The texts that files are put together from, one for each event: a line with the zones that it names and the years in
 * which it starts or ends (`Europe/Berlin 2026 2027;Asia/Tokyo 2026-2031`; empty for days and for what is written in
 * UTC), then its VEVENT. A date of a recurring event names that event and itself in it (RECURRENCE-ID).
 */
export function eventTexts(
  events: readonly EventWithRelations[],
  parts: Omit<EventComponentContext, 'placeNamed'>,
): Promise<Buffer[]> {
  const scene = { ...parts, placeNamed: rememberedPlaces() }
  return writtenInTurns(events, (event) => {
    const { occasion } = event.row
    if (occasion === undefined) return clockedText(clocksOf(event.row, scene), eventComponent(event, scene))
    return clockedText(clocksOfDate(event.row, occasion, scene), dateComponent(event, occasion, scene))
  })
}

/** The texts of whole recurring events: the rule with its exceptions. One that recurs no more is written as any other event. */
export function seriesTexts(
  series: readonly WholeSeries[],
  parts: Omit<EventComponentContext, 'placeNamed'>,
): Promise<Buffer[]> {
  const scene = { ...parts, placeNamed: rememberedPlaces() }
  return writtenInTurns(series, (one) => {
    const { base, exceptions } = one
    if (recursNoMore(base.row) && exceptions.length === 0)
      return clockedText(clocksOf(base.row, scene), eventComponent(base, scene))
    return clockedText(clocksOfSeries(one, scene), seriesComponents(one, scene))
  })
}

/** Bytes that are written before others have their turn: some milliseconds. */
const AT_ONCE = 100_000

async function writtenInTurns<Item>(items: readonly Item[], write: (item: Item) => Buffer): Promise<Buffer[]> {
  const texts: Buffer[] = []
  let written = 0
  for (const item of items) {
    const text = write(item)
    texts.push(text)
    written += text.length
    if (written < AT_ONCE) continue
    written = 0
    await nextTurn()
  }
  return texts
}

function clockedText(clocks: readonly string[], components: string): Buffer {
  return Buffer.from(`${[...new Set(clocks)].join(';')}\n${components}`)
}

/** The purpose of a file. */
export interface CalendarContext {
  readonly site: Site
  /** Whether programs subscribe to it: then it has a name of its own. A file of one event is put into any calendar. */
  readonly isFeed: boolean
}

/**
 * An iCalendar object of such texts with the definition of every zone that they name (RFC 5545 section 3.4). It says no
 * METHOD: it shows what is in the calendar and asks nobody for anything (section 3.7.2).
 */
export function calendarFile(texts: readonly Buffer[], { site, isFeed }: CalendarContext): Buffer {
  const heads = new Set(texts.map((text) => text.toString('latin1', 0, text.indexOf(LINE_END))))
  const head = [CALENDAR_START, headLines({ site, isFeed }), ...zoneTexts(heads, site)]
  const events = texts.map((text) => text.subarray(text.indexOf(LINE_END) + 1))
  return Buffer.concat([Buffer.from(head.join('')), ...events, Buffer.from(CALENDAR_END)])
}

/** Where an iCalendar object starts. */
export const CALENDAR_START = line('BEGIN', 'VCALENDAR')

/** Where it ends. */
export const CALENDAR_END = line('END', 'VCALENDAR')

/** The properties of an iCalendar object. */
export function headLines({ site, isFeed }: CalendarContext): string {
  return [
    line('VERSION', '2.0'),
    line('PRODID', '-//Kalends//Kalends//EN'),
    line('CALSCALE', 'GREGORIAN'),
    ...(isFeed ? feedLines(site.name, placeOf(site.zone)) : []),
  ].join('')
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
function rememberedPlaces(): EventComponentContext['placeNamed'] {
  const places = new Map<string, ZoneRef | undefined>()
  return (zone) => {
    if (!places.has(zone)) places.set(zone, placeOf(zone))
    return places.get(zone)
  }
}

/**
 * The definitions of the zones in the first lines of texts, each in all the years that are named with it. For no text at
 * all it is that of the site, because an object needs a component (RFC 5545 section 3.6).
 */
export function zoneTexts(heads: ReadonlySet<string>, site: Pick<Site, 'zone'>): string[] {
  if (heads.size === 0) return [zoneComponent(placeOf(site.zone) ?? UTC, [ANY_YEAR])]
  const clocks = new Set([...heads].flatMap((head) => head.split(';')))
  const years = new Map<string, Set<number>>()
  for (const clock of clocks) {
    const [name = '', ...named] = clock.split(' ')
    if (name !== '') years.set(name, new Set([...(years.get(name) ?? []), ...named.flatMap(yearsOf)]))
  }
  return [...years].flatMap(([name, own]) => {
    const place = placeOf(name)
    if (place !== undefined) return zoneComponent(place, own)
    const zone = readZoneName(name)
    return zone?.kind === 'fixed' ? fixedZoneComponent(name, zone.offset) : []
  })
}

/** The years of `2026` or `2026-2031`. */
function yearsOf(text: string): number[] {
  const [first = 0, last = first] = text.split('-').map(Number)
  return Array.from({ length: last - first + 1 }, (_none, index) => first + index)
}
