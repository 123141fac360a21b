import { setImmediate } from 'node:timers/promises'
import { Failure } from '../../../base/errors.ts'
import { inSteps } from '../../../base/time/recurrence/steps.ts'
import type { Holding } from '../../../calendar/events/index.ts'
import { ORGANIZERS, type OrganizerContent } from '../../../calendar/organizers/index.ts'
import type { LinkedKey } from '../../../calendar/shared/linked/row.ts'
import { VENUES, type VenueContent } from '../../../calendar/venues/index.ts'
import { prepareImported } from '../../../model/kinds/html-thread.ts'
import type { ResourceKey, TermKey } from '../../../model/resource.ts'
import type { Site } from '../../../model/site.ts'
import { identityOf } from '../readers/json/identity.ts'
import type { SourceItem } from '../readers/json/items.ts'
import { listAt, type SourceObject, sourceAt } from '../readers/json/members.ts'
import { readEvent } from '../readers/json/read-event.ts'
import { readLinked, type SourceContext, type SourceLinked } from '../readers/json/read-linked.ts'
import { type Read, readTerm, refOf, type SourceTerm } from '../readers/json/read-term.ts'
import { inSlices } from '../slices.ts'
import type { Skipped } from '../types.ts'
import { planSeries, type ReadDate } from './plan-series.ts'
import type { PlannedEvent } from './planned.ts'
import { type PlannedTerms, planTerms } from './term-tree.ts'

/** Everything that the files of a run hold, read and cleaned, each item once: the last record of it counts. */
export interface Plan {
  readonly terms: Readonly<Record<TermKey, PlannedTerms>>
  /** By global ID. */
  readonly venues: ReadonlyMap<string, SourceLinked<VenueContent>>
  /** By global ID. */
  readonly organizers: ReadonlyMap<string, SourceLinked<OrganizerContent>>
  /** Events of which others are parts stand before these. */
  readonly events: readonly PlannedEvent[]
  readonly skipped: readonly Skipped[]
}

/** How items are read. */
export interface Planning {
  readonly site: Site
  readonly holding: Holding
  /** Whether an item that cannot be used is left out instead of ending the import. */
  readonly isLenient?: boolean
  /** Whether a linked item that an event embeds, or a term, is stored already, by its global ID or ref. */
  isStored?(key: Exclude<ResourceKey, 'event'>, name: string): boolean
}

/** Plans the import of items. @throws recorded_not_usable unless it is lenient */
export async function planItems(items: readonly SourceItem[], planning: Planning): Promise<Plan> {
  const found = { ...emptyCollection(), ...planning }
  for await (const item of inSlices(items)) {
    for (const { members } of [item.source, ...(item.dates ?? [])]) await prepareImported(members)
    try {
      await collect(found, item)
    } catch (error) {
      const isUnusable = error instanceof Failure && error.code === 'recorded_not_usable'
      if (planning.isLenient !== true || !isUnusable) throw error
      found.skipped.push({ what: String(error.slots['place']), why: String(error.slots['reason']) })
    }
  }
  return {
    terms: { category: planTerms(found.category), tag: planTerms(found.tag) },
    venues: found.venue,
    organizers: found.organizer,
    events: parentsFirst(found.event),
    skipped: found.skipped,
  }
}

interface Collection extends Planning {
  readonly event: Map<string, PlannedEvent>
  readonly venue: Map<string, SourceLinked<VenueContent>>
  readonly organizer: Map<string, SourceLinked<OrganizerContent>>
  readonly category: Map<string, SourceTerm>
  readonly tag: Map<string, SourceTerm>
  readonly skipped: Skipped[]
}

function emptyCollection(): Omit<Collection, keyof Planning> {
  return { event: new Map(), venue: new Map(), organizer: new Map(), category: new Map(), tag: new Map(), skipped: [] }
}

async function collect(found: Collection, item: SourceItem): Promise<void> {
  const { key, source, around } = item
  if (key === 'event') await collectEvent(found, item)
  else if (key === 'category' || key === 'tag') addTerm(found, key, { source, around })
  else addLinked(found, key, { source, around: { site: around, zone: found.site.zone } })
}

async function collectEvent(found: Collection, { source, around, dates = [] }: SourceItem): Promise<void> {
  const read = [source, ...dates].flatMap((one): ReadDate[] => {
    const event = readWithEmbedded(found, { source: one, around })
    return event === undefined ? [] : [{ source: one, event }]
  })
  const planned = await inSteps(planSeries(read, found.holding), () => setImmediate())
  if (planned === undefined) return
  found.skipped.push(...planned.skipped)
  found.event.set(planned.event.identity.globalId, planned.event)
}

/** Reads an event and adds what it embeds; undefined when it is left out. */
function readWithEmbedded(
  found: Collection,
  { source, around: site }: Pick<SourceItem, 'source' | 'around'>,
): PlannedEvent | undefined {
  const item = kept(found, readEvent(source, { around: site, site: found.site }))
  if (item === undefined) return undefined
  const around = item.identity.globalId.replace(/\?id=.*$/, '')
  const linked: SourceContext = { site: around, zone: item.columns.timezone }
  const embedded = <Name>(name: string, add: (one: SourceObject) => Name | undefined): Name[] =>
    listAt(source, name).flatMap(({ value, place }) => add(sourceAt(value, place)) ?? [])
  return {
    ...item,
    venue: unique(embedded('venue', (one) => addLinked(found, 'venue', { source: one, around: linked }))),
    organizer: unique(embedded('organizer', (one) => addLinked(found, 'organizer', { source: one, around: linked }))),
    category: unique(embedded('categories', (one) => addTerm(found, 'category', { source: one, around }))),
    tag: unique(embedded('tags', (one) => addTerm(found, 'tag', { source: one, around }))),
  }
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}

/** Adds a term that is not left out; how it is named. */
function addTerm(
  found: Collection,
  key: TermKey,
  { source, around }: Pick<SourceItem, 'source' | 'around'>,
): string | undefined {
  const ref = refOf(source, around)
  if (ref !== undefined && found.isStored?.(key, ref) === true) return ref
  const item = kept(found, readTerm(key, source, around))
  if (item !== undefined) found[key].set(item.ref, item)
  return item?.ref
}

/** Adds a venue or organizer that is not left out; its global ID. */
function addLinked(
  found: Collection,
  key: LinkedKey,
  { source, around }: { readonly source: SourceObject; readonly around: SourceContext },
): string | undefined {
  const globalId = identityOf(source, around.site)?.globalId
  if (globalId !== undefined && found.isStored?.(key, globalId) === true) return globalId
  if (key === 'venue') return keepLinked(found, readLinked(VENUES, source, around), found.venue)
  return keepLinked(found, readLinked(ORGANIZERS, source, around), found.organizer)
}

function keepLinked<Content>(
  found: Collection,
  read: Read<SourceLinked<Content>>,
  among: Map<string, SourceLinked<Content>>,
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
