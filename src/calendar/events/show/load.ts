import { entryPasswordTrial } from '../../../http/auth/entry-password.ts'
import { mayEdit, mayRead } from '../../../http/auth/rights.ts'
import type { Dependency } from '../../../http/cache/versions.ts'
import type { PasswordTries } from '../../../http/limits/guesses.ts'
import { type ItemVersion, itemVersion } from '../../../http/route/preconditions.ts'
import type { Reader } from '../../../storage/engine.ts'
import { lineagesOf } from '../../../storage/entry-texts.ts'
import type { EntryColumns, OrganizerTable, VenueTable } from '../../../storage/schema.ts'
import { type EventLinks, type EventRow, NO_LINKS, shownLinksOf, sourceOf } from '../../event-store/event-row.ts'
import type { OrganizerContent } from '../../organizers/index.ts'
import type { LinkedLookup } from '../../shared/linked/lookup.ts'
import type { LinkedDraft } from '../../shared/linked/row.ts'
import { imagesOf } from '../../shared/stored-image.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Term, TermLookup } from '../../terms/index.ts'
import type { VenueContent } from '../../venues/index.ts'
import { eventJsonLd } from './json-ld.ts'
import { type EventParts, presentEvent, redactEvent } from './present.ts'

/** The other modules that an event's representation draws from. */
export interface Lookups {
  readonly venue: LinkedLookup<VenueTable, LinkedDraft<VenueContent>>
  readonly organizer: LinkedLookup<OrganizerTable, LinkedDraft<OrganizerContent>>
  readonly category: TermLookup
  readonly tag: TermLookup
}

/** How events are to be shown. */
export interface Showing {
  readonly viewer: Viewer
  /** Whether the events and what they embed carry `json_ld`: single reads only. */
  readonly withJsonLd: boolean
  /** IDs of the protected events that this caller has unlocked with a password. */
  readonly opened: ReadonlySet<number>
  /** The dependencies of each representation are added here, by the ID of its event. */
  readonly used?: Map<number, Dependency[]>
  /** The versions of the events as the viewer sees them are added here, by ID. */
  readonly versions?: Map<number, ItemVersion>
}

/** Whether the caller sees the content of an event: it has no password, the right one was sent, or the caller may edit. */
export function isOpen(
  row: Pick<EventRow, 'id' | 'password_hash' | 'author_id' | 'status'>,
  viewer: Viewer,
  opened: ReadonlySet<number>,
): boolean {
  if (row.password_hash === null || opened.has(row.id)) return true
  return mayEdit(viewer.caller, { authorId: row.author_id, status: row.status })
}

/**
 * IDs of the protected events that a password opens; one password applies to the whole list. Events on which this client
 * has tried too many stay closed.
 */
export async function openedBy(
  password: string | undefined,
  rows: readonly EventRow[],
  tries: PasswordTries | undefined,
): Promise<ReadonlySet<number>> {
  if (password === undefined) return new Set()
  const guarded = rows.filter((row) => row.password_hash !== null)
  const isRight = entryPasswordTrial(password)
  const opens = async ({ id, password_hash, occasion }: EventRow): Promise<boolean> => {
    const trying = tries?.begin(occasion?.series.id ?? id, password)
    if (tries !== undefined && trying === undefined) return false
    const opened = await isRight(password_hash ?? '')
    trying?.end(opened)
    return opened
  }
  const right = await Promise.all(guarded.map(opens))
  return new Set(guarded.filter((_row, index) => right[index]).map((row) => row.id))
}

/** Representations of events, in order; what they embed is read with one query for each kind. */
export async function presentEvents(
  reader: Reader,
  lookups: Lookups,
  { rows, showing }: { readonly rows: readonly EventRow[]; readonly showing: Showing },
): Promise<Readonly<Record<string, unknown>>[]> {
  const material = await readMaterial(reader, lookups, { rows })
  return inPortions(reader, rows, (portion) => presentRows(lookups, material, { rows: portion, showing }))
}

/** Representations of events from what was read before, in order. */
export function presentRows(
  lookups: Lookups,
  material: Material,
  { rows, showing }: { readonly rows: readonly EventRow[]; readonly showing: Showing },
): Readonly<Record<string, unknown>>[] {
  const parts = partsOfRows(lookups, material, { rows, showing })
  return rows.map((row) => {
    const own = parts.get(row.id)
    if (own === undefined) throw new Error(`event ${row.id} was not gathered`)
    if (!isOpen(row, showing.viewer, showing.opened)) return redactEvent(row, own, showing.viewer)
    const plain = showing.withJsonLd && row.password_hash === null
    const json_ld = plain ? eventJsonLd(row, own, showing.viewer) : undefined
    return presentEvent(row, { ...own, json_ld }, showing.viewer)
  })
}

/** The rows that events embed, by ID; terms are sorted by name. */
export interface Relations {
  /** What each event is linked to, by the ID of the event. */
  readonly links: ReadonlyMap<number, EventLinks>
  readonly venues: ReadonlyMap<number, VenueTable>
  readonly organizers: ReadonlyMap<number, OrganizerTable>
  readonly categories: readonly Term[]
  readonly tags: readonly Term[]
  /** Those of the events and of their venues and organizers, by the IDs of these. */
  readonly pictures: Awaited<ReturnType<typeof imagesOf>>
}

/** What a write knows of what its event embeds. */
export interface KnownRelations {
  /** The rows of all venues that it embeds, maybe among others; undefined where they were not read, as for organizers. */
  readonly venues?: Relations['venues'] | undefined
  readonly organizers?: Relations['organizers'] | undefined
  /** IDs of what the write has made: no other site knows them, and nothing else refers to them. */
  readonly made?: ReadonlySet<number>
}

/** Events of which something is to be read. */
export interface LinkedRows extends KnownRelations {
  readonly rows: readonly EventRow[]
  /** Their links by the ID of the event, where they were read before. */
  readonly known?: ReadonlyMap<number, EventLinks> | undefined
}

/** Reads what events embed with one query for each kind, whoever may see it. */
export async function loadRelations(reader: Reader, lookups: Lookups, asked: LinkedRows): Promise<Relations> {
  const { rows, known } = asked
  const links = known ?? (await shownLinksOf(reader, rows))
  const of = (kind: keyof EventLinks): number[] => {
    const ids = new Set<number>()
    for (const one of links.values()) for (const id of one[kind]) ids.add(id)
    return [...ids]
  }
  const [venueIds, organizerIds, categoryIds, tagIds] = [of('venue'), of('organizer'), of('category'), of('tag')]
  const { venues: noVenues, organizers: noOrganizers } = NO_MATERIAL.embedded
  const readVenues = () => (venueIds.length === 0 ? noVenues : lookups.venue.byIds(reader, venueIds))
  const venues = asked.venues ?? (await readVenues())
  const readOrganizers = () =>
    organizerIds.length === 0 ? noOrganizers : lookups.organizer.byIds(reader, organizerIds)
  const organizers = asked.organizers ?? (await readOrganizers())
  const categories = categoryIds.length === 0 ? [] : await lookups.category.byIds(reader, categoryIds)
  const tags = tagIds.length === 0 ? [] : await lookups.tag.byIds(reader, tagIds)
  const pictures = await imagesOf(reader, [...rows, ...venues.values(), ...organizers.values()])
  return { links, venues, organizers, categories, tags, pictures }
}

/** Everything that representations of events need beside their rows. */
export interface Material {
  readonly embedded: Relations
  readonly lineages: ReadonlyMap<number, readonly string[]>
}

/** What an event without relations needs. */
export const NO_MATERIAL: Material = {
  embedded: {
    links: new Map(),
    venues: new Map(),
    organizers: new Map(),
    categories: [],
    tags: [],
    pictures: new Map(),
  },
  lineages: new Map(),
}

/** Reads what the representations of events need. */
export async function readMaterial(reader: Reader, lookups: Lookups, asked: LinkedRows): Promise<Material> {
  const embedded = await loadRelations(reader, lookups, asked)
  const ids = [...asked.rows.map((row) => row.id), ...embedded.venues.keys(), ...embedded.organizers.keys()]
  const { made } = asked
  const lineages = await lineagesOf(reader, made === undefined ? ids : ids.filter((id) => !made.has(id)))
  return { embedded, lineages }
}

function partsOfRows(
  lookups: Lookups,
  { embedded, lineages }: Material,
  { rows, showing }: { readonly rows: readonly EventRow[]; readonly showing: Showing },
): ReadonlyMap<number, EventParts> {
  const { links, pictures } = embedded
  const { venues, organizers, categories, tags } = presentAll(lookups, embedded, { lineages, showing })
  const parts = new Map<number, EventParts>()
  for (const row of rows) {
    const own = links.get(row.id) ?? NO_LINKS
    showing.used?.set(row.id, dependenciesOfEvent(row, embedded))
    showing.versions?.set(row.id, eventVersion(row, embedded, showing.viewer))
    parts.set(row.id, {
      lineage: lineages.get(row.id),
      picture: pictures.get(row.id),
      venues: among(venues, own.venue),
      organizers: among(organizers, own.organizer),
      categories: inPlace(categories, own.category),
      tags: inPlace(tags, own.tag),
    })
  }
  return parts
}

/** What any of the events embeds as this viewer sees it, each made once and found by its ID. */
function presentAll(
  lookups: Lookups,
  { venues, organizers, categories, tags, pictures }: Relations,
  { lineages, showing }: { readonly lineages: ReadonlyMap<number, readonly string[]>; readonly showing: Showing },
) {
  const { viewer, withJsonLd } = showing
  const linked = <Row extends EntryColumns>(lookup: LinkedLookup<Row>, found: ReadonlyMap<number, Row>) => {
    const shown = new Map<number, Readonly<Record<string, unknown>>>()
    for (const row of found.values()) {
      const own = { lineage: lineages.get(row.id), picture: pictures.get(row.id) }
      if (isShown(row, viewer)) shown.set(row.id, lookup.present(row, { viewer, withJsonLd, ...own }))
    }
    return shown
  }
  return {
    venues: linked(lookups.venue, venues),
    organizers: linked(lookups.organizer, organizers),
    categories: placed(categories, (term) => lookups.category.present(term, viewer.urls)),
    tags: placed(tags, (term) => lookups.tag.present(term, viewer.urls)),
  }
}

/** The items with these IDs, in order; missing ones are left out. */
function among<Item>(known: ReadonlyMap<number, Item>, ids: readonly number[]): Item[] {
  const found: Item[] = []
  for (const id of ids) {
    const item = known.get(id)
    if (item !== undefined) found.push(item)
  }
  return found
}

/** What was made from terms by their IDs, with the position of each. */
export type Placed<Made> = ReadonlyMap<number, { readonly made: Made; readonly place: number }>

/** Makes something from each term. */
export function placed<Made>(terms: readonly Term[], make: (term: Term) => Made): Placed<Made> {
  return new Map(terms.map((term, place) => [term.id, { made: make(term), place }]))
}

/** What was made from the terms with these IDs, in the order of all terms: there may be many events and many terms. */
export function inPlace<Made>(known: Placed<Made>, ids: readonly number[]): Made[] {
  const found = among(known, ids)
  if (found.length > 1) found.sort((one, other) => one.place - other.place)
  return found.map(({ made }) => made)
}

/** The linked items that a viewer sees, in the order wanted. */
export function shownAmong<Row extends EntryColumns>(
  found: ReadonlyMap<number, Row>,
  wanted: readonly number[],
  viewer: Pick<Viewer, 'caller'>,
): Row[] {
  return among(found, wanted).filter((row) => isShown(row, viewer))
}

/** Everything that was read, shown or not: what is hidden now may be shown after its next change. */
export function dependenciesOfEvent(row: EventRow, { links, venues, organizers }: Relations): Dependency[] {
  const own = links.get(row.id) ?? NO_LINKS
  const dependencies: Dependency[] = [{ of: 'event', id: row.id }]
  // Whatever changes a date changes its series, too; what a deletion elsewhere takes from an exception does not.
  if (row.occasion !== undefined)
    for (const id of new Set([row.occasion.series.id, sourceOf(row)])) dependencies.push({ of: 'event', id })
  for (const of of KINDS) for (const id of own[of]) dependencies.push({ of, id })
  for (const { image_id } of [row, ...among(venues, own.venue), ...among(organizers, own.organizer)]) {
    if (image_id !== null) dependencies.push({ of: 'media', id: image_id })
  }
  return dependencies
}

/**
 * The version of an event as a viewer sees it: its own, and those of the venues, organizers, categories and tags shown
 * with it. Event counts of terms are not part of it.
 */
export function eventVersion(row: EventRow, embedded: Relations, viewer: Pick<Viewer, 'caller'>): ItemVersion {
  const own = embedded.links.get(row.id) ?? NO_LINKS
  const entries = [
    ...(row.occasion === undefined ? [row] : [row, row.occasion.series]),
    ...shownAmong(embedded.venues, own.venue, viewer),
    ...shownAmong(embedded.organizers, own.organizer, viewer),
  ]
  const terms = [
    ...embedded.categories.filter(({ id }) => own.category.includes(id)),
    ...embedded.tags.filter(({ id }) => own.tag.includes(id)),
  ]
  let modified = ''
  let state = 'event'
  for (const entry of entries) {
    state += ` ${entry.id}:${entry.revision}:${entry.modified_at}`
    if (entry.modified_at > modified) modified = entry.modified_at
  }
  for (const { id, revision } of terms) state += ` ${id}:${revision}`
  return itemVersion(state, modified)
}

const KINDS = ['venue', 'organizer', 'category', 'tag'] as const

/** Linked items in the trash, or that the caller may not read, are not shown (decisions: Rights, Trash). */
export function isShown(row: EntryColumns, viewer: Pick<Viewer, 'caller'>): boolean {
  return row.status !== 'trash' && mayRead(viewer.caller, { authorId: row.author_id, status: row.status })
}

/** Characters of descriptions after which others are let in: their texts and JSON take some milliseconds to make. */
const PORTION = 256 * 1024

/**
 * What a step makes of events, one of each, in order; it gets the position of the first. All are made in one go unless
 * descriptions are long: then others are let in from time to time.
 */
export async function inPortions<Row extends { readonly description: string }, Made>(
  reader: Pick<Reader, 'pause'>,
  rows: readonly Row[],
  step: (portion: readonly Row[], first: number) => readonly Made[],
): Promise<Made[]> {
  const made: Made[] = []
  for (const portion of portionsOf(rows)) {
    if (made.length > 0) await reader.pause()
    made.push(...step(portion, made.length))
  }
  return made
}

function portionsOf<Row extends { readonly description: string }>(rows: readonly Row[]): Row[][] {
  const portions: Row[][] = [[]]
  let characters = 0
  for (const row of rows) {
    if (characters >= PORTION) {
      portions.push([])
      characters = 0
    }
    portions.at(-1)?.push(row)
    characters += row.description.length
  }
  return portions
}
