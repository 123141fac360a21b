import { plainText } from '../../../../base/text/html.ts'
import type { VenueContent } from '../../../../calendar/venues/index.ts'
import type { Component, Note } from './components.ts'
import type { Property } from './content-lines.ts'
import { type Location, meetingIn, namedMeeting, readLocation } from './meetings.ts'
import { plainValue, propertyOf, textOf } from './values.ts'

/** Where an event takes place. */
export interface NamedPlace {
  /** Name and address; '' for no place. */
  readonly location: string
  readonly point: { readonly lat: number; readonly lng: number } | undefined
  /** What a table says of the place, column by column; absent where `location` says all. */
  readonly place?: Partial<VenueContent>
}

/** Where an event takes place, and where people attend online. */
export interface Attendance extends NamedPlace {
  /** Web address; ''. */
  readonly conference: string
  /** Whether it takes place online, even without an address. */
  readonly isOnline: boolean
}

/** Longest text of a place. */
const LONGEST = 1000

/** Reads LOCATION, GEO, what Apple writes beside them, and addresses of online meetings, also in the description. */
export function readAttendance(event: Component, description: string, note: Note): Attendance {
  const lines = textOf(event, 'LOCATION').split('\n')
  const location = readLocation(lines.map((line) => plainText(line.replace(/\s+/g, ' '))).join('\n'))
  const apple = propertyOf(event, 'X-APPLE-STRUCTURED-LOCATION')
  const title = readLocation(linesOf(apple?.parameters.get('X-TITLE') ?? '').join('\n'))
  const links = [propertyOf(event, 'LOCATION')?.parameters.get('ALTREP'), description, textOf(event, 'URL')]
  const linked = links.map((text) => meetingIn(text ?? '')).find((one) => one !== '') ?? ''
  const conference = namedMeeting(event) || location.address || title.address || linked
  const isOnline = location.isOnline || title.isOnline || conference !== ''
  return { ...placeOf(event, { location, title, apple }, note), conference, isOnline }
}

/** What an event writes of its place: LOCATION, and the title of what Apple writes. */
interface WrittenPlace {
  readonly location: Location
  readonly title: Location
  readonly apple: Property | undefined
}

/** The place of a location: Apple writes its name on the first line, and once more by itself. */
function placeOf(event: Component, { apple, ...written }: WrittenPlace, note: Note): NamedPlace {
  const [title = '', ...titleRest] = linesOf(written.title.place)
  const [first = '', ...rest] = linesOf(written.location.place)
  const own = linesOf(apple?.parameters.get('X-ADDRESS') ?? '')
  const name = title || first
  const further = [first.startsWith(name) ? first.slice(name.length).replace(/^[\s,]+/, '') : first, ...rest]
  const address = [own, titleRest, title === '' ? rest : further].find((lines) => lines.join('') !== '') ?? []
  const point = pointOf(apple, note) ?? pointOf(propertyOf(event, 'GEO'), note)
  if (name !== '' && (title !== '' || rest.length > 0)) {
    const parts = { name, address: address.filter((line) => line !== '').join(', ') }
    return {
      location: [name, parts.address]
        .filter((text) => text !== '')
        .join(', ')
        .slice(0, LONGEST),
      point,
      place: parts,
    }
  }
  const [, named, inBrackets] = BRACKETED.exec(first) ?? []
  if (named !== undefined && inBrackets !== undefined)
    return { location: first.slice(0, LONGEST), point, place: { name: named, address: inBrackets } }
  if (first === '' && point !== undefined) noteGeo(event, note)
  return { location: first.slice(0, LONGEST), point }
}

/** A name with an address in brackets, as Meetup writes them. */
const BRACKETED = /^([^(),]+?)\s*\(([^()]+,[^()]+)\)$/

/** The lines of a text; programs escape their breaks once or twice. */
function linesOf(text: string): string[] {
  const lines = text
    .replace(/\\+n/gi, '\n')
    .split('\n')
    .map((line) => plainValue(line).replace(/[\s,]+$/, ''))
  return lines.filter((line) => line !== '')
}

function pointOf(property: Property | undefined, note: Note): NamedPlace['point'] {
  const text = plainValue(property?.value ?? '')
  const point = pointIn(text)
  if (property !== undefined && point === undefined && !/^(?:geo:)?[0.;, ]*$/i.test(text))
    note(property, 'import.note.unread')
  return point
}

function noteGeo(event: Component, note: Note): void {
  const property = propertyOf(event, 'GEO')
  if (property !== undefined) note(property, 'import.note.unread')
}

/** Latitude and longitude of a text; none for the origin of all coordinates, which stands for no place. */
function pointIn(text: string): NamedPlace['point'] {
  // Behind them an address (RFC 5870) may have the altitude and parameters.
  const plain = text.replace(/^(\s*geo:[^,;]*,[^,;]*)[,;].*$/is, '$1')
  const [, lat = '', lng = ''] =
    /^\s*(?:geo:)?([+-]?\d+(?:[.,]\d+)?)(?:\s*[;,/]\s*|\s+)([+-]?\d+(?:[.,]\d+)?)(?![\w.,])/i.exec(plain) ?? []
  const point = { lat: Number(lat.replace(',', '.')), lng: Number(lng.replace(',', '.')) }
  const isPoint = lat !== '' && Math.abs(point.lat) <= 90 && Math.abs(point.lng) <= 180
  return isPoint && (point.lat !== 0 || point.lng !== 0) ? point : undefined
}
