import { isHttpUrl } from '../../../../base/text/http-url.ts'
import { PLAIN_PROPERTIES } from '../../../../model/event-parts.ts'
import { PLACED_KEPT } from '../../../icalendar/kept.ts'
import type { Component, Note } from './components.ts'
import type { Property } from './content-lines.ts'
import { isMeeting } from './meetings.ts'
import { addressIn, propertiesOf, propertyOf, takesWholeDays, timeOf } from './values.ts'

/** Bounds of what is stored of one event. */
const MOST_KEPT = { lines: 50, characters: 10_000 } as const

/**
 * What is not kept: what has a place here or is rebuilt by the exporter, who was invited and what became of that, which
 * is no one else's business, and what is specific to one program's copy of the event.
 */
const PLACED = new Set([
  ...['UID', 'DTSTAMP', 'LAST-MODIFIED', 'CREATED', 'SEQUENCE', 'RECURRENCE-ID'],
  ...['DTSTART', 'DTEND', 'DURATION', 'RRULE', 'EXRULE', 'RDATE', 'EXDATE'],
  ...['SUMMARY', 'DESCRIPTION', 'STYLED-DESCRIPTION', 'LOCATION', 'GEO', 'CATEGORIES', 'ORGANIZER', 'URL'],
  ...['ATTENDEE', 'REQUEST-STATUS', 'X-APPLE-STRUCTURED-LOCATION'],
  ...PLAIN_PROPERTIES.map(({ property }) => property),
])

/** Properties of calendars, zones, tasks and reminders, which some programs write into events. */
const ELSEWHERE =
  /^(?:PRODID|VERSION|CALSCALE|METHOD|NAME|DAYLIGHT|RNUM|EXNUM|REFRESH-INTERVAL|TZ.*|DUE|COMPLETED|PERCENT-COMPLETE|FREEBUSY|ACTION|TRIGGER|REPEAT)$/

const OF_PROGRAMS = /^X-(?:TAGS|KALENDS-|ALT-DESC|WR-|MOZ-|LIC-|MICROSOFT-CDO|[A-Z-]+-ALLDAY|MS-OLK|GOOGLE-CONFERENCE)/

/** Properties in which programs mark an event as private, beside CLASS. */
export const PRIVACY = /^(?:X-(?:[A-Z-]+-)?)?(?:SENSITIVITY|PRIVATE|PRIVACY|VISIBILITY)$|^X-CALENDARSERVER-ACCESS$/

/** Where the exporter writes a property among those that are stored. */
function rankOf({ name }: Property): number {
  const at = PLACED_KEPT.indexOf(name)
  return at < 0 ? PLACED_KEPT.length : at
}

/** What of an event has a place here. */
interface UsedProperties {
  /** Address of its image; ''. */
  readonly image: string
  /** Address of its online meeting; ''. */
  readonly conference: string
  /** Whether its location is only the name of a program. */
  readonly isOnlyNamed: boolean
  readonly isCancelled: boolean
  /** Whether who is to be asked (CONTACT) counts as the organizer. */
  readonly isContact: boolean
}

/** The properties of an event that have no place here, as they were written and in the order of the exporter; bounded. */
export function keptLines(event: Component, taken: UsedProperties, note: Note): string[] {
  const kept = event.properties.filter((property) => isKept(property, { ...taken, event }))
  for (const property of event.properties) if (isLost(property)) note(property, 'import.note.unread')
  const lines: string[] = []
  let size = 0
  for (const property of kept.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const parameters = [...property.parameters].map(([name, value]) => `;${name}=${parameterOf(name, value)}`)
    const text = `${property.name}${parameters.join('')}:${property.value}`
    if (lines.length === MOST_KEPT.lines || size + text.length > MOST_KEPT.characters) {
      note(property, 'import.note.tooLong', { value: text.slice(0, 100) })
      continue
    }
    size += text.length
    lines.push(text)
  }
  return lines
}

/** Whether a property should name an address and does not, such as an attachment inside a file. */
function isLost({ name, value }: Property): boolean {
  const text = value.trim()
  if (text === '' || !/^(?:IMAGE|ATTACH|CONFERENCE)$/.test(name)) return false
  return name === 'CONFERENCE' ? !isUri(text) : addressIn(text) === ''
}

function isKept(property: Property, { event, ...taken }: UsedProperties & { readonly event: Component }): boolean {
  const { name, value } = property
  if (name === 'LOCATION') return taken.isOnlyNamed && propertyOf(event, name) === property
  if (PRIVACY.test(name) || (name !== 'CONFERENCE' && isMeeting(property) && addressIn(value) === taken.conference))
    return false
  if (PLACED.has(name) || OF_PROGRAMS.test(name) || ELSEWHERE.test(name)) return false
  const word = value.trim().toUpperCase()
  const isFirst = propertyOf(event, name) === property
  if (name === 'CONFERENCE') return keptConferences(event).includes(property)
  // A further image has no place.
  if (name === 'IMAGE' || (name === 'ATTACH' && isImage(property))) return !['', taken.image].includes(addressIn(value))
  if (name === 'ATTACH') return isHttpUrl(value.trim())
  if (name === 'STATUS') return isFirst && word === 'TENTATIVE'
  if (name === 'CLASS') return isFirst && word !== '' && word !== 'PUBLIC' && word !== 'PRIVATE'
  if (name === 'TRANSP') return isFirst && word !== '' && word !== usualTransparency(event)
  // Why an event was canceled has a place.
  if (name === 'COMMENT') return !(taken.isCancelled && isFirst)
  if (name === 'CONTACT') return !(taken.isContact && isFirst)
  return name.startsWith('X-') || /^[A-Z][A-Z0-9-]*$/.test(name)
}

/** What the exporter writes of an event whose file says nothing else. */
function usualTransparency(event: Component): string {
  const property = propertyOf(event, 'DTSTART')
  const start = property && timeOf(property)
  return start !== undefined && takesWholeDays(event, start) ? 'TRANSPARENT' : 'OPAQUE'
}

/**
 * All ways to take part, in their order, unless they are the one address that has a place here; the exporter writes that
 * one as it is kept.
 */
function keptConferences(event: Component): readonly Property[] {
  const all = propertiesOf(event, 'CONFERENCE')
  const isPlain = ({ value, parameters }: Property): boolean =>
    addressIn(value) !== '' && [...parameters.keys()].every((name) => name === 'VALUE')
  return all.length === 1 && all.every(isPlain) ? [] : all.filter(({ value }) => isUri(value.trim()))
}

/** Addresses of other kinds, such as telephone numbers, count. */
function isUri(value: string): boolean {
  return (
    value.length <= 2000 && /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) && !/^(?:javascript|data|vbscript):/i.test(value)
  )
}

/** Whether what is attached is an image, by its type or by its name. */
export function isImage({ value, parameters }: Pick<Property, 'value' | 'parameters'>): boolean {
  const type = parameters.get('FMTTYPE') ?? ''
  return /^image\//i.test(type) || (type === '' && /\.(?:jpe?g|png|gif|webp|avif)(?:\?|$)/i.test(value.trim()))
}

/** FEATURE holds a list of words (RFC 7986 section 6.3). */
function parameterOf(name: string, value: string): string {
  return name === 'FEATURE' && /^[\w-]+(?:,[\w-]+)*$/.test(value) ? value : quoted(value)
}

function quoted(value: string): string {
  const written = value.replaceAll('^', '^^').replaceAll('\n', '^n').replaceAll('"', "^'")
  return /[:;,]/.test(written) ? `"${written}"` : written
}
