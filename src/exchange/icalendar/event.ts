import { isHttpUrl } from '../../base/text/http-url.ts'
import { storedJson } from '../../base/text/stored-json.ts'
import type { ZoneRef } from '../../base/time/observances.ts'
import { nextMidnight } from '../../base/time/ranges.ts'
import { occursTwice } from '../../base/time/zones.ts'
import type { EventWithRelations } from '../../calendar/events/index.ts'
import { pageUrl } from '../../calendar/shared/present.ts'
import { fileUrl } from '../../calendar/shared/stored-image.ts'
import type { Urls } from '../../http/address.ts'
import { cssColorOf } from '../../model/color.ts'
import type { Column } from '../../model/column.ts'
import { PLAIN_PROPERTIES } from '../../model/event-parts.ts'
import type { Site } from '../../model/site.ts'
import type { Status } from '../../model/status.ts'
import { descriptionLines } from './description.ts'
import { conferenceLines, furtherLines, keptOf, originOf } from './kept.ts'
import { date, dateTime, line, parameterValue, textLine, textValue } from './lines.ts'

/** What events are written for. */
export interface EventComponentContext {
  readonly site: Site
  readonly urls: Pick<Urls, 'page'>
  /** The place that the zone of an event names; undefined for those whose clock never changes. */
  placeNamed(zone: string): ZoneRef | undefined
}

/** What identifies the VEVENT of an event, and when it takes place. */
export interface EventIdentity {
  /** The event of whose number UID is made: all components of a recurring event have one. */
  readonly id: number
  readonly revision: number
  /** The event that this one is part of; 0 for none. */
  readonly parent: number
  /** Complete lines: DTSTART, DTEND, and those of recurrence. */
  readonly times: string
}

/** The property with the zone of an event that is written in UTC, as days, or on a clock that has another name in files. */
export const ZONE_PROPERTY = 'X-KALENDS-TIMEZONE'

/** The VEVENT of an event that does not recur (RFC 5545 section 3.6.1). */
export function eventComponent(event: EventWithRelations, scene: EventComponentContext): string {
  const { row } = event
  const { id, revision, post_parent: parent } = row
  // Whose days they are is of no use to other programs, but what came with a file comes back as it was.
  const isUntold = row.all_day === 1 && originOf(row).uid === undefined
  const zone = isUntold ? '' : zoneLine(row, scene, scene.site.zone)
  return component(event, scene, { id, revision, parent, times: timeLines(row, scene) + zone })
}

/** The zone of what is written in UTC or as days, unless it is the usual one there: it comes back with the file. */
export function zoneLine(
  { all_day, start_local, timezone }: EventWithRelations['row'],
  { placeNamed }: Pick<EventComponentContext, 'placeNamed'>,
  usual: string,
): string {
  if (timezone === usual) return ''
  const place = all_day === 1 ? undefined : placeNamed(timezone)
  const isUnnamed = place === undefined || occursTwice(start_local, place.name)
  return isUnnamed ? line(ZONE_PROPERTY, timezone) : ''
}

/** A VEVENT; members without content are left out. */
export function component(event: EventWithRelations, scene: EventComponentContext, identity: EventIdentity): string {
  const { row, categories, tags } = event
  const { site, urls } = scene
  const changed = utcValue(lastChange(event))
  const spoken = languageOf(row)
  const origin = originOf(row)
  const written = [
    line('BEGIN', 'VEVENT'),
    line('UID', origin.uid ?? uidOf(identity.id, site)),
    // Nothing is scheduled here (no METHOD), so both are the time of the last visible change (RFC 5545 section 3.8.7.2).
    line('DTSTAMP', changed),
    line('LAST-MODIFIED', changed),
    line('CREATED', utcValue(earlier(row.published_at, row.modified_at))),
    line('SEQUENCE', String(identity.revision - 1)),
    identity.times,
    line(`SUMMARY${spoken}`, textValue(row.title)),
    descriptionLines(row, { spoken, isImported: origin.uid !== undefined }),
    placeLines(event),
    organizerLines(event),
    termLine('CATEGORIES', categories),
    // CATEGORIES would mix them up; calendars that publish tags use this name.
    termLine('X-TAGS', tags),
    keptOf('COLOR', origin.lines) ?? textLine('COLOR', cssColorOf(categories) ?? ''),
    line('URL', pageUrl('event', row, urls)),
    imageLines(event, urls),
    identity.parent === 0 ? '' : line('RELATED-TO', uidOf(identity.parent, site)),
    stateLine(row, origin.lines),
    textLine(`COMMENT${spoken}`, row.event_status_reason),
    ...PLAIN_PROPERTIES.map(({ name, column, property }) => plainLine(property, column, Reflect.get(row, name))),
    ...conferenceLines(row, origin.lines),
    row.status === 'private' ? (keptOf('CLASS', origin.lines) ?? line('CLASS', 'PRIVATE')) : '',
    keptOf('TRANSP', origin.lines) ?? line('TRANSP', row.all_day === 1 ? 'TRANSPARENT' : 'OPAQUE'),
  ].join('')
  return written + furtherLines(written, origin.lines) + line('END', 'VEVENT')
}

/** A property of a field that needs no code of its own; '' where it says nothing. */
function plainLine(property: string, { kind }: Column, value: unknown): string {
  if (kind === 'flag' || kind === 'mark') return value === 1 ? line(property, 'TRUE') : ''
  if (kind === 'number') return value === null ? '' : line(property, String(value))
  return textLine(property, String(value ?? ''))
}

/** How sure an event is; an imported one may say that it is less so than others that are published. */
function stateLine({ event_status, status }: EventWithRelations['row'], kept: readonly string[]): string {
  const state = OUTCOMES.get(event_status) ?? STATES[status]
  return (state === 'CONFIRMED' ? keptOf('STATUS', kept) : undefined) ?? line('STATUS', state)
}

/** How sure an event is; only those who may edit see what is not published. */
const STATES: Readonly<Record<Status, string>> = {
  publish: 'CONFIRMED',
  future: 'CONFIRMED',
  private: 'CONFIRMED',
  draft: 'TENTATIVE',
  pending: 'TENTATIVE',
  trash: 'CANCELLED',
}

/** The status of an event that is less certain than its state. */
const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ['canceled', 'CANCELLED'],
  ['postponed', 'TENTATIVE'],
])

/** The same for ever, wherever the calendar moves to: the host is fixed (architecture: Identity of the site). */
function uidOf(id: number, site: Site): string {
  return `${id}@${site.host}`
}

/** What an event is known by on its own: its UID, but for a date of a recurring event one that its other dates do not have. */
export function ownUid(row: EventWithRelations['row'], site: Site): string {
  const kept = row.occasion === undefined ? originOf(row).uid : undefined
  return kept ?? uidOf(row.id, site)
}

/** The last change of anything that the event shows and that has a time of change. */
function lastChange({ row, venues, organizers }: EventWithRelations): string {
  let last = row.modified_at
  for (const one of [...venues, ...organizers]) if (one.modified_at > last) last = one.modified_at
  return last
}

/** A publication date may be set to any day; nothing is made after it was changed. */
function earlier(one: string, other: string): string {
  return one < other ? one : other
}

function utcValue(utc: string): string {
  return `${dateTime(utc)}Z`
}

/** The names of terms, each once. */
function termLine(head: string, terms: EventWithRelations['categories']): string {
  const names = new Set(terms.map((term) => textValue(term.name)))
  return names.size === 0 ? '' : line(head, [...names].join(','))
}

/** The parameter for the language of a text (RFC 5545 section 3.2.10); '' if unknown. */
function languageOf({ language }: { readonly language: string }): string {
  return language === '' ? '' : `;LANGUAGE=${language}`
}

/** When an event takes place. All-day events are days, the last of which is not included; others end after they have started, or say no end. */
export function timeLines(row: EventWithRelations['row'], { placeNamed }: EventComponentContext): string {
  if (row.all_day === 1) {
    const [start, end] = [date(row.start_local), date(nextMidnight(row.end_local))]
    // The last day there is has none after it.
    return line('DTSTART;VALUE=DATE', start) + (end > start ? line('DTEND;VALUE=DATE', end) : '')
  }
  const place = placeNamed(row.timezone)
  const start = momentLine('DTSTART', { local: row.start_local, utc: row.start_utc }, place)
  if (row.end_utc <= row.start_utc) return start
  return start + momentLine('DTEND', { local: row.end_local, utc: row.end_utc }, place)
}

/**
 * A moment on the clock of its place (RFC 5545 section 3.3.5), but in UTC when that clock shows the reading twice: not all
 * programs take it for the first one, as they should.
 */
function momentLine(
  name: string,
  { local, utc }: { readonly local: string; readonly utc: string },
  place: ZoneRef | undefined,
): string {
  if (place === undefined) return line(name, utcValue(utc))
  if (occursTwice(local, place.name)) return line(name, utcValue(utc))
  return line(`${name};TZID=${place.name}`, dateTime(local))
}

/** All venues in words; the point is that of the first one. */
function placeLines({ venues }: EventWithRelations): string {
  const texts = venues.map(({ name, address, city, stateprovince, state, province, zip, country }) =>
    [name, address, city, stateprovince || state || province, zip, country].filter((part) => part !== '').join(', '),
  )
  const { geo_lat = null, geo_lng = null } = venues[0] ?? {}
  const geo = geo_lat === null || geo_lng === null ? '' : line('GEO', `${degrees(geo_lat)};${degrees(geo_lng)}`)
  const [venue] = venues
  const spoken = venue === undefined || venues.length > 1 ? '' : languageOf(venue)
  return textLine(`LOCATION${spoken}`, texts.join('; ')) + geo
}

/** A plain decimal number, to the tenth of a meter. */
function degrees(value: number): string {
  return String(Number(value.toFixed(6)))
}

/** Only a email address names an organizer (RFC 5545 section 3.8.4.3), and only one; the others are contacts. */
function organizerLines({ organizers }: EventWithRelations): string {
  const first = organizers.find(({ email }) => email !== '')
  const others = organizers.filter((one) => one !== first)
  const contacts = others.map(({ name, phone, email, website }) =>
    textLine('CONTACT', [name, phone, email, website].filter((part) => part !== '').join(', ')),
  )
  const main = first === undefined ? '' : line(`ORGANIZER;CN=${parameterValue(first.name)}`, mailto(first.email))
  return main + contacts.join('')
}

function mailto(address: string): string {
  return `mailto:${address.replace(/[^\w.!*'~@+-]/gu, encodeURIComponent)}`
}

/** As `IMAGE` (RFC 7986 section 5.10), and for older programs as an attachment. */
function imageLines({ row, picture }: EventWithRelations, urls: EventComponentContext['urls']): string {
  const type = picture === undefined ? '' : `;FMTTYPE=${picture.mime}`
  const url = picture === undefined ? recordedImage(row.image_recorded) : fileUrl(picture.file, urls)
  if (url === undefined) return ''
  return line(`IMAGE;VALUE=URI;DISPLAY=FULLSIZE${type}`, url) + line(`ATTACH${type}`, url)
}

function recordedImage(source: string | null): string | undefined {
  const { url } = source === null ? {} : storedJson<Readonly<Record<string, unknown>>>(source)
  return typeof url === 'string' && isHttpUrl(url) ? new URL(url).href : undefined
}
