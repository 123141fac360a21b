import { fold } from '../../../base/text/fold.ts'
import { nameKey } from '../../../base/text/name-key.ts'
import { VENUES, type VenueContent } from '../../../calendar/venues/index.ts'
import type { EventContent } from '../readers/icalendar/content.ts'
import type { NamedPlace } from '../readers/icalendar/places.ts'
import { type LinkedKind, type Nameable, runName } from './plan-linked.ts'
import { type KnownPlace, placesNamed } from './store-linked.ts'

/** The places of an event, each with its name within a run; `[]` for none. */
export function placesIn(content: EventContent): readonly (readonly [string, NamedPlace])[] {
  const places = [content, ...(content.otherPlaces ?? [])].filter(({ location }) => location !== '')
  return places.map((place) => [placeName(place), place])
}

/** The names of the places of an event; `[]` for none. */
export function venueNames(content: EventContent): readonly string[] {
  const places = [content, ...(content.otherPlaces ?? [])].filter(({ location }) => location !== '')
  return places.map((place) => readPlace(place).name)
}

/** The name of a place within a run, the same in every spelling. */
export function placeName(place: NamedPlace): string {
  const { name, words } = readPlace(place)
  return runName('LOCATION', [nameKey(name), [...words].join(' ')].filter((part) => part !== '').join(', '))
}

/** The name of a place, and the words of its address. */
function readPlace({ location, place }: Pick<NamedPlace, 'location' | 'place'>): Nameable {
  if (place === undefined) return { name: headOf(location).name, words: wordsIn(headOf(location).address) }
  const { name = '', address = '', city = '', stateprovince = '', zip = '', country = '' } = place
  return { name, words: wordsIn([address, city, stateprovince, zip, country].join(' ')) }
}

function wordsIn(address: string): ReadonlySet<string> {
  return new Set(
    fold(address)
      .split(/[\s,;]+/)
      .filter((word) => word !== ''),
  )
}

/** The places of events: venues of this name whose address does not contradict. */
export const NAMED_PLACES: LinkedKind<NamedPlace & Nameable, KnownPlace, VenueContent> = {
  key: 'venue',
  namedIn: (content) => placesIn(content).map(([name, place]) => [name, { ...place, ...readPlace(place) }]),
  find: placesNamed,
  namesOf: ({ location, name }) => [location, name],
  stored: samePlace,
  mayBeOne: (one, other) => isNear(one.point, other.point),
  contentOf: placeContent,
}

/** Degrees within which two points are the same place: about a kilometer. */
const NEAR = 0.01

function isNear(one: NamedPlace['point'], other: NamedPlace['point']): boolean {
  if (one === undefined || other === undefined) return true
  return Math.abs(other.lat - one.lat) < NEAR && Math.abs(other.lng - one.lng) < NEAR
}

function samePlace(
  { location, place, point, name, words }: NamedPlace & Nameable,
  named: ReadonlyMap<string, readonly KnownPlace[]>,
): number | undefined {
  const text = nameKey(location)
  const near = [...(named.get(text) ?? []), ...(named.get(nameKey(name)) ?? [])].filter(({ geo_lat, geo_lng }) =>
    isNear(geo_lat === null || geo_lng === null ? undefined : { lat: geo_lat, lng: geo_lng }, point),
  )
  const isSame = (one: KnownPlace): boolean => fold(one.text) === fold(location)
  const agrees = (one: KnownPlace): boolean => {
    if (place !== undefined) return isPlace(one, place)
    const known = wordsIn(one.text)
    return nameKey(one.name) === text || [...words].every((word) => known.has(word))
  }
  return (near.find(isSame) ?? near.find(agrees))?.id
}

/** The columns of an address that are compared. */
const ADDRESS = ['address', 'city', 'stateprovince', 'zip', 'country'] as const

/** Whether a stored venue is one of a table: the name is the same, and no part of the address contradicts. */
export function isPlace(stored: KnownPlace, place: Partial<VenueContent>): boolean {
  const agrees = (one: string, other = ''): boolean => one === '' || other === '' || fold(one) === fold(other)
  return (
    nameKey(stored.name) === nameKey(place.name ?? '') && ADDRESS.every((part) => agrees(stored[part], place[part]))
  )
}

/** A place in words starts with its name; the address follows. */
function headOf(location: string): { readonly name: string; readonly address: string } {
  const at = location.search(/,\s/)
  if (at < 1) return { name: location, address: '' }
  return { name: location.slice(0, at).trim(), address: location.slice(at + 1).trim() }
}

function placeContent({ location, point, place }: NamedPlace): VenueContent {
  const geo = point === undefined ? {} : { geo_lat: point.lat, geo_lng: point.lng }
  return { ...VENUES.blank, ...(place ?? headOf(location)), ...geo }
}
