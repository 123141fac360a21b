import type { OrganizerContent } from '../../organizers/index.ts'
import { plainText } from '../../text/plain.ts'
import type { VenueContent } from '../../venues/index.ts'
import { type Identity, identityOf } from './identity.ts'
import { flagAt, numberAt, type Place, type Recorded, textAt } from './members.ts'
import { addressAt, ENTRY_MEMBERS, type RecordedEntry, readEntry } from './read-entry.ts'
import { leftOut, type Read } from './read-term.ts'

/** A venue or organizer as it was recorded, cleaned. */
export interface RecordedLinked<Content> {
  readonly place: Place
  readonly identity: Identity
  readonly entry: RecordedEntry
  readonly content: Content
}

/** A recorded venue. */
export type RecordedVenue = RecordedLinked<VenueContent>

/** A recorded organizer. */
export type RecordedOrganizer = RecordedLinked<OrganizerContent>

/** What surrounds an item. */
export interface Around {
  /** Site that the surroundings name; '' when unknown. */
  readonly site: string
  /** Zone of dates that are recorded on a wall clock only. */
  readonly zone: string
}

const VENUE_KNOWN: ReadonlySet<string> = new Set([
  ...ENTRY_MEMBERS,
  ...['venue', 'address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website', 'stateprovince'],
  ...['geo_lat', 'geo_lng', 'show_map', 'show_map_link'],
])

const ORGANIZER_KNOWN: ReadonlySet<string> = new Set([...ENTRY_MEMBERS, 'organizer', 'phone', 'website', 'email'])

/** Reads a venue, which may have no name; one without an id is left out. @throws recorded_not_usable */
export function readVenue(recorded: Recorded, around: Around): Read<RecordedVenue> {
  return readLinked(recorded, { ...around, known: VENUE_KNOWN }, ({ description }) => ({
    name: lineAt(recorded, 'venue'),
    description,
    address: lineAt(recorded, 'address'),
    city: lineAt(recorded, 'city'),
    country: lineAt(recorded, 'country'),
    province: lineAt(recorded, 'province'),
    state: lineAt(recorded, 'state'),
    zip: lineAt(recorded, 'zip'),
    phone: lineAt(recorded, 'phone'),
    website: addressAt(recorded, 'website'),
    stateprovince: lineAt(recorded, 'stateprovince'),
    show_map: flagAt(recorded, 'show_map', true) ? 1 : 0,
    show_map_link: flagAt(recorded, 'show_map_link', true) ? 1 : 0,
    ...coordinatesOf(recorded),
  }))
}

/** Reads an organizer; one without an id is left out. @throws recorded_not_usable */
export function readOrganizer(recorded: Recorded, around: Around): Read<RecordedOrganizer> {
  return readLinked(recorded, { ...around, known: ORGANIZER_KNOWN }, ({ description }) => ({
    name: lineAt(recorded, 'organizer'),
    description,
    phone: lineAt(recorded, 'phone'),
    website: addressAt(recorded, 'website'),
    email: emailAt(recorded),
  }))
}

function readLinked<Content>(
  recorded: Recorded,
  { site, zone, known }: Around & { readonly known: ReadonlySet<string> },
  contentOf: (entry: RecordedEntry) => Content,
): Read<RecordedLinked<Content>> {
  const identity = identityOf(recorded, site)
  if (identity === undefined) return leftOut(recorded.place, 'it has no id')
  const { entry, skipped } = readEntry(recorded, { known, zone })
  return { item: { place: recorded.place, identity, entry, content: contentOf(entry) }, skipped }
}

function lineAt(recorded: Recorded, name: string): string {
  return plainText(textAt(recorded, name))
}

/** An address as it was recorded; '' for what would be markup. */
function emailAt(recorded: Recorded): string {
  const email = lineAt(recorded, 'email')
  return /[<>]/.test(email) ? '' : email
}

/** Both coordinates where both are on the globe, else none. */
function coordinatesOf(recorded: Recorded): Pick<VenueContent, 'geo_lat' | 'geo_lng'> {
  const [lat, lng] = [numberAt(recorded, 'geo_lat'), numberAt(recorded, 'geo_lng')]
  const isPlace = lat !== null && lng !== null && Math.abs(lat) <= 90 && Math.abs(lng) <= 180
  return isPlace ? { geo_lat: lat, geo_lng: lng } : { geo_lat: null, geo_lng: null }
}
