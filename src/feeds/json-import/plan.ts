import { setImmediate } from 'node:timers/promises'
import type { LinkedKey } from '../../entries/linked/row.ts'
import type { TermKey } from '../../model/resource.ts'
import type { Site } from '../../model/site.ts'
import { ORGANIZERS, type OrganizerContent } from '../../organizers/index.ts'
import { VENUES, type VenueContent } from '../../venues/index.ts'
import { itemsOf, type RecordedItem } from './answers.ts'
import { listAt, type Recorded, recordedAt } from './members.ts'
import { type RecordedEvent, readEvent } from './read-event.ts'
import { type Around, type RecordedLinked, readLinked } from './read-linked.ts'
import { type Read, type RecordedTerm, readTerm } from './read-term.ts'
import { type PlannedTerms, planTerms } from './term-tree.ts'
import type { JsonFile, Skipped } from './types.ts'

/** An event with the names of what it embeds. */
export interface PlannedEvent extends RecordedEvent {
  /** Global ids, in order. */
  readonly venue: readonly string[]
  readonly organizer: readonly string[]
  /** Refs of terms, in order. */
  readonly category: readonly string[]
  readonly tag: readonly string[]
}

/** Everything that the files of a run hold, read and cleaned, each item once: the last record of it counts. */
export interface Plan {
  readonly terms: Readonly<Record<TermKey, PlannedTerms>>
  /** By global id. */
  readonly venues: ReadonlyMap<string, RecordedLinked<VenueContent>>
  /** By global id. */
  readonly organizers: ReadonlyMap<string, RecordedLinked<OrganizerContent>>
  /** Events of which others are parts stand before these. */
  readonly events: readonly PlannedEvent[]
  readonly skipped: readonly Skipped[]
}

/** Items that are read in one go: cleaning takes about a millisecond each, and the server answers meanwhile. */
const BREATH = 20

/** Reads all files. @throws recorded_not_json, recorded_not_usable when one of them is broken */
export async function planImport(files: readonly JsonFile[], site: Site): Promise<Plan> {
  const found = emptyCollection()
  const items = files.flatMap(itemsOf)
  for (const [index, item] of items.entries()) {
    if (index % BREATH === BREATH - 1) await setImmediate()
    collect(found, item, site)
  }
  return {
    terms: { category: planTerms(found.category), tag: planTerms(found.tag) },
    venues: found.venue,
    organizers: found.organizer,
    events: parentsFirst(found.event),
    skipped: found.skipped,
  }
}

interface Collection {
  readonly event: Map<string, PlannedEvent>
  readonly venue: Map<string, RecordedLinked<VenueContent>>
  readonly organizer: Map<string, RecordedLinked<OrganizerContent>>
  readonly category: Map<string, RecordedTerm>
  readonly tag: Map<string, RecordedTerm>
  readonly skipped: Skipped[]
}

function emptyCollection(): Collection {
  return { event: new Map(), venue: new Map(), organizer: new Map(), category: new Map(), tag: new Map(), skipped: [] }
}

function collect(found: Collection, { key, recorded, around }: RecordedItem, site: Site): void {
  if (key === 'event') collectEvent(found, { recorded, around }, site)
  else if (key === 'category' || key === 'tag') addTerm(found, key, { recorded, around })
  else if (key === 'venue') addLinked(found, 'venue', { recorded, around: { site: around, zone: site.zone } })
  else addLinked(found, 'organizer', { recorded, around: { site: around, zone: site.zone } })
}

function collectEvent(found: Collection, read: Pick<RecordedItem, 'recorded' | 'around'>, site: Site): void {
  const { recorded } = read
  const item = kept(found, readEvent(recorded, { around: read.around, site }))
  if (item === undefined) return
  const { globalId } = item.identity
  const around = globalId.replace(/\?id=.*$/, '')
  const linked: Around = { site: around, zone: item.columns.timezone }
  const embedded = <Name>(name: string, add: (one: Recorded) => Name | undefined): Name[] =>
    listAt(recorded, name).flatMap(({ value, place }) => add(recordedAt(value, place)) ?? [])
  found.event.set(globalId, {
    ...item,
    venue: unique(embedded('venue', (one) => addLinked(found, 'venue', { recorded: one, around: linked }))),
    organizer: unique(embedded('organizer', (one) => addLinked(found, 'organizer', { recorded: one, around: linked }))),
    category: unique(embedded('categories', (one) => addTerm(found, 'category', { recorded: one, around }))),
    tag: unique(embedded('tags', (one) => addTerm(found, 'tag', { recorded: one, around }))),
  })
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}

/** Adds a term that is not left out; how it is named. */
function addTerm(
  found: Collection,
  key: TermKey,
  { recorded, around }: Pick<RecordedItem, 'recorded' | 'around'>,
): string | undefined {
  const item = kept(found, readTerm(key, recorded, around))
  if (item !== undefined) found[key].set(item.ref, item)
  return item?.ref
}

/** Adds a venue or organizer that is not left out; its global id. */
function addLinked(
  found: Collection,
  key: LinkedKey,
  { recorded, around }: { readonly recorded: Recorded; readonly around: Around },
): string | undefined {
  if (key === 'venue') return keepLinked(found, readLinked(VENUES, recorded, around), found.venue)
  return keepLinked(found, readLinked(ORGANIZERS, recorded, around), found.organizer)
}

function keepLinked<Content>(
  found: Collection,
  read: Read<RecordedLinked<Content>>,
  among: Map<string, RecordedLinked<Content>>,
): string | undefined {
  const item = kept(found, read)
  if (item !== undefined) among.set(item.identity.globalId, item)
  return item?.identity.globalId
}

function kept<Item>(found: Collection, { item, skipped }: Read<Item>): Item | undefined {
  found.skipped.push(...skipped)
  return item
}

/** The events in their order, except that one of which others are parts comes before these. */
function parentsFirst(events: ReadonlyMap<string, PlannedEvent>): readonly PlannedEvent[] {
  const ordered = new Set<PlannedEvent>()
  for (const event of events.values()) {
    const line: PlannedEvent[] = []
    // Ends at the top, at an event that has its place already, or where the line comes back to itself.
    for (let next: PlannedEvent | undefined = event; next !== undefined; next = events.get(next.parentGlobalId)) {
      if (ordered.has(next) || line.includes(next)) break
      line.push(next)
    }
    for (const one of line.reverse()) ordered.add(one)
  }
  return [...ordered]
}
