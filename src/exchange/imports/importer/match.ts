import { nameKey } from '../../../base/text/name-key.ts'
import { storedJson } from '../../../base/text/stored-json.ts'
import { linksOf, storedEvents } from '../../../calendar/events/index.ts'
import { globalId } from '../../../calendar/shared/present.ts'
import type { Site } from '../../../model/site.ts'
import type { Reader } from '../../../storage/engine.ts'
import { lineagesOf } from '../../../storage/entry-texts.ts'
import type { SourceCalendarEvent } from '../readers/icalendar/types.ts'
import { inParts, inSlices } from '../slices.ts'
import { partsOfEvent, type Said } from './merging.ts'
import type { PlannedEvent } from './planned.ts'
import { eventsFrom, type ImportedEvent, importedEvents } from './store-events.ts'
import { ownIdIn } from './store-origins.ts'

/** How events of a file are matched with stored ones. */
export interface Matching {
  readonly events: readonly SourceCalendarEvent[]
  readonly plan: (event: SourceCalendarEvent) => PlannedEvent
  /** 0 for a file. */
  readonly subscription: number
  readonly site: Site
  /** Venues here by their names in the run. */
  readonly venues: ReadonlyMap<string, number>
  /** The present, UTC text. */
  readonly at: string
}

/** Events of a file by the global IDs under which they are stored here, or will be. */
export interface MatchedEvents {
  readonly planned: Map<string, PlannedEvent>
  /** The last imported state of those that were imported before. */
  readonly said: ReadonlyMap<string, ImportedEvent>
  /** Their names in the file, where these are others. */
  readonly names: ReadonlyMap<string, string>
  /** The IDs of these. */
  readonly renamed: ReadonlySet<number>
}

/**
 * Plans the events of a file, each once: the last one counts. An event of a subscription that has another UID than before
 * is the one that its file no longer has, of the same title and start.
 */
export async function matchEvents(reader: Reader, matching: Matching): Promise<MatchedEvents> {
  const { events, plan, subscription, site } = matching
  const read = new Map<string, { readonly event: SourceCalendarEvent; readonly one: PlannedEvent }>()
  for await (const event of inSlices(events)) {
    const one = plan(event)
    read.set(one.identity.globalId, { event, one })
  }
  const rows = new Map((await importedEvents(reader, [...read.keys()])).map((row) => [row.name, row]))
  if (subscription !== 0) {
    const fresh = [...read].filter(([name]) => !rows.has(name)).map(([name, { one }]) => [name, one] as const)
    const former = fresh.length === 0 ? [] : await eventsFrom(reader, subscription, { gone: true })
    const vanished = former.filter(({ name }) => !read.has(name))
    for (const [name, row] of await pairs(reader, { ...matching, fresh, vanished })) rows.set(name, row)
  }
  const stored = await storedNames(reader, [...rows.values()], site)
  const planned = new Map<string, PlannedEvent>()
  const said = new Map<string, ImportedEvent>()
  const names = new Map<string, string>()
  const renamed = new Set<number>()
  for await (const [name, { event, one }] of inSlices(read)) {
    const row = rows.get(name)
    const own = (row && stored.get(row.id)) ?? name
    if (row !== undefined) said.set(own, row)
    if (own !== name) names.set(own, name)
    if (own !== name && row !== undefined) renamed.add(row.id)
    planned.set(own, own === name ? one : underName(own, plan({ ...event, uid: uidOf(own, site) })))
  }
  return { planned, said, names, renamed }
}

/** The global IDs under which imported events are stored. */
async function storedNames(
  reader: Reader,
  rows: readonly ImportedEvent[],
  { host }: Site,
): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>()
  for await (const part of inParts(rows)) {
    const ids = part.map(({ id }) => id)
    const lineages = await lineagesOf(reader, ids)
    for (const id of ids) names.set(id, lineages.get(id)?.[0] ?? globalId(host, id))
  }
  return names
}

/** The UID of which a global ID is made. */
function uidOf(name: string, { host }: Site): string {
  const id = ownIdIn(name, host)
  return id === undefined ? name.replace(/^UID:/, '') : `${id}@${host}`
}

function underName(name: string, one: PlannedEvent): PlannedEvent {
  return { ...one, identity: { ...one.identity, globalId: name } }
}

interface Pairing extends Matching {
  readonly fresh: readonly (readonly [string, PlannedEvent])[]
  readonly vanished: readonly ImportedEvent[]
}

/** What is compared of an event; undefined where it cannot be compared so. */
type Trait<Of> = (of: Of) => string | undefined

interface Fresh {
  readonly name: string
  readonly one: PlannedEvent
  readonly parts: Readonly<Record<string, string>>
  readonly venue: string
}

interface Vanished {
  readonly row: ImportedEvent
  readonly parts: Readonly<Record<string, string>>
  /** Nothing where the event was deleted here permanently. */
  readonly title: string
  readonly start: string
  readonly venue: string
  readonly isOver: boolean
}

/**
 * Pairs events that appear in a file with those that vanish from it: by title and start, as imported last and as stored
 * here, each first with the venue; then by title and venue, if only one of each has these.
 */
async function pairs(reader: Reader, pairing: Pairing): Promise<ReadonlyMap<string, ImportedEvent>> {
  const found = new Map<string, ImportedEvent>()
  if (pairing.fresh.length === 0 || pairing.vanished.length === 0) return found
  const vanished = new Set(await vanishedOf(reader, pairing))
  const fresh = new Set<Fresh>()
  for await (const [name, one] of inSlices(pairing.fresh)) fresh.add(freshOf(name, one, pairing.venues))
  const round = (ofFresh: Trait<Fresh>, ofVanished: Trait<Vanished>, isUnique = false): void => {
    const byTrait = grouped(vanished, ofVanished)
    for (const [trait, news] of grouped(fresh, ofFresh)) {
      const olds = byTrait.get(trait) ?? []
      if (isUnique && (news.length > 1 || olds.length > 1)) continue
      for (const [index, one] of news.entries()) {
        const old = olds[index]
        if (old === undefined) continue
        found.set(one.name, old.row)
        fresh.delete(one)
        vanished.delete(old)
      }
    }
  }
  const imported = ({ parts: { title, dates } }: Pick<Fresh, 'parts'>): string => `${title} ${dates}`
  const here: Trait<Vanished> = ({ title, start }) => (title === '' ? undefined : `${start} ${title}`)
  const there: Trait<Fresh> = ({ one: { columns } }) => `${columns.start_utc} ${nameKey(columns.title)}`
  round(
    (one) => `${imported(one)} ${one.parts['venue']}`,
    (one) => `${imported(one)} ${one.parts['venue']}`,
  )
  round(imported, imported)
  round(
    (one) => `${there(one)} ${one.venue}`,
    (one) => here(one) && `${here(one)} ${one.venue}`,
  )
  round(there, here)
  round(
    ({ one, venue }) => (venue === '' ? undefined : `${venue} ${nameKey(one.columns.title)}`),
    ({ title, venue, isOver }) => (venue === '' || title === '' || isOver ? undefined : `${venue} ${title}`),
    true,
  )
  return found
}

function grouped<Item>(items: ReadonlySet<Item>, trait: Trait<Item>): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = trait(item)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

function freshOf(name: string, one: PlannedEvent, venues: ReadonlyMap<string, number>): Fresh {
  const venue = one.venue.flatMap((place) => venues.get(place) ?? [])
  const links = { venue, organizer: [], category: [], tag: [] }
  const parts = partsOfEvent({ row: one.columns, links, lines: one.series?.lines ?? [] }, ['title', 'dates'])
  return { name, one, parts, venue: venue.join() }
}

/** What is known of vanished events, those that are in the trash for that last. */
async function vanishedOf(reader: Reader, { vanished, at }: Pairing): Promise<Vanished[]> {
  const known: Vanished[] = []
  const sorted = vanished.toSorted((one, other) => Number(one.is_gone === 1) - Number(other.is_gone === 1))
  for await (const part of inParts(sorted)) {
    const ids = part.map(({ id }) => id)
    const events = new Map((await storedEvents(reader, ids)).map((event) => [event.id, event]))
    const links = await linksOf(reader, ids)
    for (const row of part) {
      const event = events.get(row.id)
      known.push({
        row,
        parts: storedJson<Said>(row.said).parts,
        title: event === undefined ? '' : nameKey(event.title),
        start: event?.start_utc ?? '',
        venue: links.get(row.id)?.venue.join() ?? '',
        isOver: row.is_gone !== 0 || (event !== undefined && event.recurrence === null && event.end_utc < at),
      })
    }
  }
  return known
}
