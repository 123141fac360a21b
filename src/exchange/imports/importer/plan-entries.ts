import { nameKey } from '../../../base/text/name-key.ts'
import { ORGANIZERS, type OrganizerContent } from '../../../calendar/organizers/index.ts'
import type { LinkedContent } from '../../../calendar/shared/linked/row.ts'
import { globalId } from '../../../calendar/shared/present.ts'
import { VENUES, type VenueContent } from '../../../calendar/venues/index.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { TableEntry, TableOrganizer, TableVenue } from '../readers/csv/read-entries.ts'
import type { SourceLinked } from '../readers/json/read-linked.ts'
import { inSlices } from '../slices.ts'
import { filledIn } from './import-linked.ts'
import { type LinkedKind, mayBeSame, type Nameable, newLinked, organizerName, storedByName } from './plan-linked.ts'
import { isPlace, placeName } from './plan-places.ts'
import { type KnownOrganizer, type KnownPlace, organizersNamed, placesNamed } from './store-linked.ts'

/** Venues and organizers of tables, by the global IDs under which they are imported. */
export interface PlannedEntries {
  readonly venues: ReadonlyMap<string, SourceLinked<VenueContent>>
  readonly organizers: ReadonlyMap<string, SourceLinked<OrganizerContent>>
}

/** What planning needs. */
interface EntryPlanning {
  readonly entries: readonly TableEntry[]
  readonly file: string
  /** Host of this site. */
  readonly host: string
}

/** Venues or organizers of tables: how they are compared with stored ones. */
interface ListedKind<Content, Known extends { readonly id: number; readonly name: string }>
  extends Pick<LinkedKind<Nameable, Known, Content>, 'find'> {
  readonly blank: Content
  isSame(stored: Known, content: Content): boolean
  /** The name within a run of one that is new. */
  runName(content: Content): string
}

const LISTED_VENUES: ListedKind<VenueContent, KnownPlace> = {
  blank: VENUES.blank,
  find: placesNamed,
  isSame: isPlace,
  runName: (place) => placeName({ location: place.name, point: undefined, place }),
}

const LISTED_ORGANIZERS: ListedKind<OrganizerContent, KnownOrganizer> = {
  blank: ORGANIZERS.blank,
  find: organizersNamed,
  isSame: (stored, { email }) => mayBeSame(stored.email, email),
  runName: organizerName,
}

/**
 * Plans the venues and organizers that a table lists: what is here by name and address, or email address, only gets what
 * is still empty in it; the others are created.
 */
export async function planEntries(reader: Reader, { entries, ...options }: EntryPlanning): Promise<PlannedEntries> {
  const venues = entries.filter((one): one is TableVenue => one.kind === 'venue')
  const organizers = entries.filter((one): one is TableOrganizer => one.kind === 'organizer')
  return {
    venues: await planListed(reader, LISTED_VENUES, { listed: venues, ...options }),
    organizers: await planListed(reader, LISTED_ORGANIZERS, { listed: organizers, ...options }),
  }
}

interface Listed<Content> extends Omit<EntryPlanning, 'entries'> {
  readonly listed: readonly { readonly line: number; readonly content: Partial<Content> & { readonly name: string } }[]
}

/** One that is listed twice is imported once, as it was listed first where both say something. */
async function planListed<Content extends LinkedContent, Known extends { readonly id: number; readonly name: string }>(
  reader: Reader,
  kind: ListedKind<Content, Known>,
  { listed, file, host }: Listed<Content>,
): Promise<ReadonlyMap<string, SourceLinked<Content>>> {
  const names = listed.map(({ content }) => content.name)
  const stored = await storedByName(reader, kind, names)
  const planned = new Map<string, SourceLinked<Content>>()
  for await (const { content: said, line } of inSlices(listed)) {
    const content = { ...kind.blank, ...said }
    const known = stored.get(nameKey(content.name)) ?? []
    const at = known.findIndex((one) => kind.isSame(one, content))
    const found = known[at]
    // From then on it has what the row says of it, so a row that says something else is another.
    if (found !== undefined) known[at] = filledIn(found, content)
    const name = found === undefined ? kind.runName(content) : globalId(host, found.id)
    const before = planned.get(name)
    const made = before ?? newLinked({ file, globalId: name, content })
    const whole = before === undefined ? content : filledIn(before.content, content)
    const place = before?.place ?? { file, path: `line ${line}` }
    planned.set(name, { ...made, content: whole, place, isFilling: true })
  }
  return planned
}
