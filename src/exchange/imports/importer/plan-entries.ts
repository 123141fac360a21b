import { fold } from '../../../base/text/fold.ts'
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
import { mayBeSame, newLinked, organizerName } from './plan-linked.ts'
import { isPlace, placeName } from './plan-places.ts'
import { organizersNamed, placesNamed } from './store-linked.ts'

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

/**
 * Plans the venues and organizers that a table lists: what is here by name and address, or email address, only gets what
 * is still empty in it; the others are created.
 */
export async function planEntries(reader: Reader, { entries, file, host }: EntryPlanning): Promise<PlannedEntries> {
  const venues = entries.flatMap((one) => (one.kind === 'venue' ? [one] : []))
  const organizers = entries.flatMap((one) => (one.kind === 'organizer' ? [one] : []))
  const options = { file, host }
  return {
    venues: await planVenues(reader, venues, options),
    organizers: await planPeople(reader, organizers, options),
  }
}

async function planVenues(
  reader: Reader,
  venues: readonly TableVenue[],
  options: Pick<EntryPlanning, 'file' | 'host'>,
): Promise<ReadonlyMap<string, SourceLinked<VenueContent>>> {
  const names = new Set<string>()
  for await (const { content } of inSlices(venues)) names.add(fold(content.name))
  const stored = Map.groupBy(await placesNamed(reader, [...names]), (one) => nameKey(one.name))
  const planned = new Map<string, SourceLinked<VenueContent>>()
  for await (const { content, line } of inSlices(venues)) {
    const { name, address = '', city = '' } = content
    const found = taken(stored.get(nameKey(name)), (one) => isPlace(one, content), { address, city })
    const own = placeName({ location: name, point: undefined, place: content })
    put(planned, { ...options, line, id: found?.id, own, content: { ...VENUES.blank, ...content } })
  }
  return planned
}

async function planPeople(
  reader: Reader,
  organizers: readonly TableOrganizer[],
  options: Pick<EntryPlanning, 'file' | 'host'>,
): Promise<ReadonlyMap<string, SourceLinked<OrganizerContent>>> {
  const names = new Set<string>()
  for await (const { content } of inSlices(organizers)) names.add(fold(content.name))
  const stored = Map.groupBy(await organizersNamed(reader, [...names]), (one) => nameKey(one.name))
  const planned = new Map<string, SourceLinked<OrganizerContent>>()
  for await (const { content, line } of inSlices(organizers)) {
    const { name, email = '' } = content
    const found = taken(stored.get(nameKey(name)), (one) => mayBeSame(one.email, email), { email })
    const own = organizerName({ name, email })
    put(planned, { ...options, line, id: found?.id, own, content: { ...ORGANIZERS.blank, ...content } })
  }
  return planned
}

/** The stored item that a row is; from then on it has what the row says of it, so a row that says something else is another. */
function taken<Known extends object>(
  stored: Known[] | undefined,
  isSame: (one: Known) => boolean,
  said: Readonly<Partial<Record<keyof Known, string>>>,
): Known | undefined {
  const at = stored?.findIndex(isSame) ?? -1
  const found = stored?.[at]
  if (stored !== undefined && found !== undefined) stored[at] = filledIn(found, said)
  return found
}

/** An item of a table, the ID of what it is here, and the global ID that it gets otherwise. */
interface Listed<Content> extends Pick<EntryPlanning, 'file' | 'host'> {
  readonly line: number
  readonly id: number | undefined
  readonly own: string
  readonly content: Content
}

/** Adds an item; one that is listed twice is imported once, as it was listed first where both say something. */
function put<Content extends LinkedContent>(
  planned: Map<string, SourceLinked<Content>>,
  { file, host, line, id, own, content }: Listed<Content>,
): void {
  const name = id === undefined ? own : globalId(host, id)
  const before = planned.get(name)
  if (before !== undefined) {
    planned.set(name, { ...before, content: filledIn(before.content, content) })
    return
  }
  const made = newLinked({ file, globalId: name, content, since: undefined })
  planned.set(name, { ...made, place: { file, path: `line ${line}` }, isFilling: true })
}
