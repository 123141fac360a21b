import { fold } from '../../../base/text/fold.ts'
import { slugify } from '../../../base/text/slug.ts'
import { ORGANIZERS, type OrganizerContent } from '../../../calendar/organizers/index.ts'
import type { LinkedContent } from '../../../calendar/shared/linked/row.ts'
import type { TermLookup } from '../../../calendar/terms/index.ts'
import { VENUES, type VenueContent } from '../../../calendar/venues/index.ts'
import type { TermKey } from '../../../model/resource.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { SourceEntry } from '../json/read-entry.ts'
import type { SourceLinked } from '../json/read-linked.ts'
import type { SourceTerm } from '../json/read-term.ts'
import { inParts, inSlices } from '../json/slices.ts'
import { idsByOrigin } from '../json/store.ts'
import type { EventContent, NamedOrganizer, NamedPlace } from './content.ts'
import { type KnownPlace, organizersNamed, placesNamed } from './store.ts'

/** What the events of a file name: stored ones by name, and those to create. */
export interface LinkedPlan<Item> {
  readonly known: ReadonlyMap<string, number>
  readonly made: ReadonlyMap<string, Item>
}

/** Text of an entry without a description. */
export const BLANK_ENTRY: SourceEntry = {
  status: 'publish',
  slug: '',
  publishedAt: undefined,
  modifiedAt: undefined,
  description: '',
  excerpt: '',
  image_recorded: null,
  imageAddress: '',
  recordedAuthor: '',
  unknown: {},
}

/** Longest name under which something is known. */
const LONGEST = 500

/** The places of an event, each with its name in a run; `[]` for none. */
export function placesIn(content: EventContent): readonly (readonly [string, NamedPlace])[] {
  const places = [content, ...(content.otherPlaces ?? [])].filter(({ location }) => location !== '')
  return places.map((place) => [`LOCATION:${place.location}`.slice(0, LONGEST), place])
}

/** How an organizer is named in a run. */
export function organizerName({ name, email, isByName }: NamedOrganizer): string {
  const own = isByName && email !== '' ? `${email} ${name}` : email || name
  return `ORGANIZER:${own}`.slice(0, LONGEST)
}

/** How a category or tag is named in a run; undefined for a name that has no slug. */
export function termName(name: string): string | undefined {
  const slug = slugify(name)
  return slug === '' ? undefined : `CATEGORIES ${slug}`
}

/** The places of events: venues that were created from the same text before, then those of this name and address, else new ones. */
export async function planPlaces(
  reader: Reader,
  { contents, file }: { readonly contents: readonly EventContent[]; readonly file: string },
): Promise<LinkedPlan<SourceLinked<VenueContent>>> {
  const { wanted, since } = await mentions(contents, placesIn)
  const origins = await originsOf(reader, 'venue', [...wanted.keys()])
  const named = new Map<string, KnownPlace[]>()
  const names = new Set<string>()
  for await (const { location, place } of inSlices(wanted.values()))
    names.add(fold(location)).add(fold(place?.name ?? headOf(location).name))
  for (const place of await placesNamed(reader, [...names])) {
    const same = named.get(place.name_folded)
    if (same === undefined) named.set(place.name_folded, [place])
    else same.push(place)
  }
  const known = new Map(origins)
  const made = new Map<string, SourceLinked<VenueContent>>()
  for await (const [name, content] of inSlices(wanted)) {
    if (known.has(name)) continue
    const id = samePlace(content, named)
    if (id !== undefined) known.set(name, id)
    else made.set(name, newLinked({ file, globalId: name, content: placeContent(content), since: since.get(name) }))
  }
  return { known, made }
}

/** Degrees within which two points are the same place: about a kilometer. */
const NEAR = 0.01

function samePlace(
  { location, point, place }: NamedPlace,
  named: ReadonlyMap<string, readonly KnownPlace[]>,
): number | undefined {
  const text = fold(location)
  const { name = '' } = place ?? headOf(location)
  const candidates = [...(named.get(text) ?? []), ...(named.get(fold(name)) ?? [])]
  const isNear = ({ geo_lat, geo_lng }: KnownPlace): boolean => {
    if (point === undefined || geo_lat === null || geo_lng === null) return true
    return Math.abs(geo_lat - point.lat) < NEAR && Math.abs(geo_lng - point.lng) < NEAR
  }
  const near = candidates.filter(isNear)
  const same = near.find((one) => fold(one.text) === text) ?? near.find((one) => one.name_folded === text)
  return (same ?? near.find((one) => place !== undefined && isPlace(one, place)))?.id
}

/** Whether a stored venue is one of a table: name, address and city are the same, or one of the two says no address or city. */
export function isPlace(stored: KnownPlace, { name = '', address = '', city = '' }: Partial<VenueContent>): boolean {
  const agrees = (one: string, other: string): boolean => one === '' || other === '' || fold(one) === fold(other)
  return stored.name_folded === fold(name) && agrees(stored.address, address) && agrees(stored.city, city)
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

/** The organizers of events: by email address and name, or by name alone where either has no address. */
export async function planOrganizers(
  reader: Reader,
  { contents, file }: { readonly contents: readonly EventContent[]; readonly file: string },
): Promise<LinkedPlan<SourceLinked<OrganizerContent>>> {
  const { wanted, since } = await mentions(contents, ({ organizers }) =>
    organizers.map((one): [string, NamedOrganizer] => [organizerName(one), one]),
  )
  const known = new Map(await originsOf(reader, 'organizer', [...wanted.keys()]))
  const names = new Set<string>()
  for await (const organizer of inSlices(wanted.values())) names.add(fold(organizer.name))
  const stored = Map.groupBy(await organizersNamed(reader, [...names]), (one) => one.name_folded)
  const made = new Map<string, SourceLinked<OrganizerContent>>()
  for await (const [name, organizer] of inSlices(wanted)) {
    if (known.has(name)) continue
    const { email } = organizer
    const named = stored.get(fold(organizer.name)) ?? []
    const same = named.find((one) => email === '' || one.email === '' || one.email === email)
    if (same !== undefined) known.set(name, same.id)
    else {
      const content = { ...ORGANIZERS.blank, name: organizer.name, email }
      made.set(name, newLinked({ file, globalId: name, content, since: since.get(name) }))
    }
  }
  return { known, made }
}

/** The terms of events: those that are here by slug or name, and new ones. */
export async function planNames(
  reader: Reader,
  { key, lookup, names, file }: { key: TermKey; lookup: TermLookup; names: readonly string[]; file: string },
): Promise<LinkedPlan<SourceTerm>> {
  const wanted = new Map([...new Set(names)].flatMap((name) => pairOf(termName(name), name)))
  const found = await lookup.seek(reader, [...wanted.values()])
  const known = new Map<string, number>()
  const made = new Map<string, SourceTerm>()
  for (const [ref, name] of wanted) {
    const id = found.get(name)
    if (id !== undefined) known.set(ref, id)
    else made.set(ref, newTerm(ref, { name, file, key }))
  }
  return { known, made }
}

function newTerm(ref: string, { name, file, key }: { name: string; file: string; key: TermKey }): SourceTerm {
  return {
    place: { file, path: key },
    ref,
    parentRef: '',
    parentId: 0,
    wishedId: undefined,
    slug: slugify(name),
    name,
    description: '',
    extra: {},
  }
}

/** A venue or organizer to create. */
export function newLinked<Content extends LinkedContent>(made: {
  readonly file: string
  readonly globalId: string
  readonly content: Content
  /** UTC text; undefined for the present. */
  readonly since: string | undefined
}): SourceLinked<Content> {
  const { file, globalId, content, since } = made
  const identity = { globalId, lineage: [], wishedId: undefined }
  const entry = { ...BLANK_ENTRY, publishedAt: since, modifiedAt: since }
  return { place: { file, path: globalId }, identity, entry, content }
}

/** What events name. */
interface Mentions<Item> {
  /** By the name that it has in a run, as the last event has it. */
  readonly wanted: ReadonlyMap<string, Item>
  /**
   * When it was first mentioned, UTC text: items created from it have not changed since, so it makes no event look newer than
   * it is. Undefined where an event has no time of change.
   */
  readonly since: ReadonlyMap<string, string | undefined>
}

/** Contents after which others have their turn. */
const PART = 500

async function mentions<Item>(
  contents: readonly EventContent[],
  namedIn: (content: EventContent) => readonly (readonly [string, Item])[],
): Promise<Mentions<Item>> {
  const wanted = new Map<string, Item>()
  const since = new Map<string, string | undefined>()
  for await (const part of inParts(contents, PART))
    for (const content of part)
      for (const [name, item] of namedIn(content)) {
        wanted.set(name, item)
        const before = since.has(name) ? since.get(name) : content.modified
        const { modified } = content
        const isEarlier = before === undefined || (modified !== undefined && before < modified)
        since.set(name, isEarlier ? before : modified)
      }
  return { wanted, since }
}

function pairOf<Value>(name: string | undefined, value: Value): [string, Value][] {
  return name === undefined ? [] : [[name, value]]
}

async function originsOf(
  reader: Reader,
  kind: 'venue' | 'organizer',
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for await (const part of inParts(names, 500))
    for (const [name, id] of await idsByOrigin(reader, kind, part)) found.set(name, id)
  return found
}
