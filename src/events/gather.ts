import { entryPasswordTrial } from '../auth/entry-password.ts'
import { mayEdit, mayRead } from '../auth/rights.ts'
import { type EventLinks, type EventRow, NO_LINKS } from '../entries/event-row.ts'
import type { LinkedShelf } from '../entries/linked/shelf.ts'
import { linksOf } from '../entries/store-event.ts'
import { pictureAmong, picturesOf } from '../entries/store-picture.ts'
import { lineagesOf } from '../entries/text.ts'
import type { Viewer } from '../entries/viewer.ts'
import type { Part } from '../http/cache/versions.ts'
import type { Reader } from '../storage/engine.ts'
import type { EntryColumns, OrganizerTable, VenueTable } from '../storage/schema.ts'
import type { Term, TermShelf } from '../terms/index.ts'
import { eventJsonLd } from './json-ld.ts'
import { type EventParts, presentEvent, redactEvent } from './present.ts'

/** The other rooms that an event's representation draws from. */
export interface Shelves {
  readonly venue: LinkedShelf<VenueTable>
  readonly organizer: LinkedShelf<OrganizerTable>
  readonly category: TermShelf
  readonly tag: TermShelf
}

/** How events are to be shown. */
export interface Showing {
  readonly viewer: Viewer
  /** Whether the events and what they embed carry `json_ld`: single reads only. */
  readonly withJsonLd: boolean
  /** Ids of protected events whose content this caller sees, because of a password. */
  readonly opened: ReadonlySet<number>
  /** What each answer is made of is added here, by the id of its event. */
  readonly used?: Map<number, Part[]>
}

/** Whether the caller sees the content of an event: it has no password, the right one was sent, or the caller may edit. */
export function isOpen(row: EventRow, viewer: Viewer, opened: ReadonlySet<number>): boolean {
  if (row.password_hash === null || opened.has(row.id)) return true
  return mayEdit(viewer.caller, { authorId: row.author_id, status: row.status })
}

/** Ids of the protected events that a password opens; one password applies to the whole list. */
export async function openedBy(password: string | undefined, rows: readonly EventRow[]): Promise<ReadonlySet<number>> {
  if (password === undefined) return new Set()
  const guarded = rows.filter((row) => row.password_hash !== null)
  const isRight = entryPasswordTrial(password)
  const right = await Promise.all(guarded.map((row) => isRight(row.password_hash ?? '')))
  return new Set(guarded.filter((_row, index) => right[index]).map((row) => row.id))
}

/** Representations of events, in their order; what they embed is read in one go for all of them. */
export async function gatherEvents(
  reader: Reader,
  shelves: Shelves,
  { rows, showing }: { readonly rows: readonly EventRow[]; readonly showing: Showing },
): Promise<Readonly<Record<string, unknown>>[]> {
  const parts = await gatherParts(reader, shelves, { rows, showing })
  return rows.map((row) => {
    const own = parts.get(row.id)
    if (own === undefined) throw new Error(`event ${row.id} was not gathered`)
    if (!isOpen(row, showing.viewer, showing.opened)) return redactEvent(row, own, showing.viewer)
    const plain = showing.withJsonLd && row.password_hash === null
    const json_ld = plain ? eventJsonLd(row, own, showing.viewer) : undefined
    return presentEvent(row, { ...own, json_ld }, showing.viewer)
  })
}

/** The rows that events embed, by id; terms are sorted by name. */
export interface Embedded {
  readonly links: ReadonlyMap<number, EventLinks>
  readonly venues: ReadonlyMap<number, VenueTable>
  readonly organizers: ReadonlyMap<number, OrganizerTable>
  readonly categories: readonly Term[]
  readonly tags: readonly Term[]
  /** Those of the events and of their venues and organizers. */
  readonly pictures: Awaited<ReturnType<typeof picturesOf>>
}

/** Reads what events embed in one go for all of them, whoever may see it. */
export async function readEmbedded(reader: Reader, shelves: Shelves, rows: readonly EventRow[]): Promise<Embedded> {
  const links = await linksOf(
    reader,
    rows.map((row) => row.id),
  )
  const of = (kind: keyof EventLinks): number[] => [...new Set([...links.values()].flatMap((one) => one[kind]))]
  const venues = await shelves.venue.byIds(reader, of('venue'))
  const organizers = await shelves.organizer.byIds(reader, of('organizer'))
  const categories = await shelves.category.byIds(reader, of('category'))
  const tags = await shelves.tag.byIds(reader, of('tag'))
  const pictures = await picturesOf(reader, [...rows, ...venues.values(), ...organizers.values()])
  return { links, venues, organizers, categories, tags, pictures }
}

async function gatherParts(
  reader: Reader,
  shelves: Shelves,
  { rows, showing }: { readonly rows: readonly EventRow[]; readonly showing: Showing },
): Promise<ReadonlyMap<number, EventParts>> {
  const embedded = await readEmbedded(reader, shelves, rows)
  const { links, venues, organizers, categories, tags, pictures } = embedded
  const ids = rows.map((row) => row.id)
  const lineages = await lineagesOf(reader, [...ids, ...venues.keys(), ...organizers.keys()])
  const { viewer, withJsonLd: single } = showing
  const linked = <Row extends EntryColumns>(
    shelf: LinkedShelf<Row>,
    found: ReadonlyMap<number, Row>,
    wanted: readonly number[],
  ) =>
    shownAmong(found, wanted, viewer).map((row) => {
      const own = { lineage: lineages.get(row.id), picture: pictureAmong(pictures, row) }
      return shelf.present(row, { viewer, ...own, withJsonLd: single })
    })
  return new Map(
    rows.map((row) => {
      const own = links.get(row.id) ?? NO_LINKS
      showing.used?.set(row.id, usedBy(row, embedded))
      const part: EventParts = {
        lineage: lineages.get(row.id),
        picture: pictureAmong(pictures, row),
        venues: linked(shelves.venue, venues, own.venue),
        organizers: linked(shelves.organizer, organizers, own.organizer),
        categories: categories
          .filter((term) => own.category.includes(term.id))
          .map((term) => shelves.category.present(term, viewer.urls)),
        tags: tags.filter((term) => own.tag.includes(term.id)).map((term) => shelves.tag.present(term, viewer.urls)),
      }
      return [row.id, part]
    }),
  )
}

/** The linked items that a viewer sees, in the order wanted. */
export function shownAmong<Row extends EntryColumns>(
  found: ReadonlyMap<number, Row>,
  wanted: readonly number[],
  viewer: Pick<Viewer, 'caller'>,
): Row[] {
  return wanted.flatMap((id) => {
    const row = found.get(id)
    return row !== undefined && isShown(row, viewer) ? [row] : []
  })
}

/** Everything that was read, shown or not: what is hidden now may be shown after its next change. */
export function usedBy(row: EventRow, { links, venues, organizers }: Embedded): Part[] {
  const own = links.get(row.id) ?? NO_LINKS
  const linked = (['venue', 'organizer', 'category', 'tag'] as const).flatMap((of) =>
    own[of].map((target) => ({ of, id: target })),
  )
  const pictured = [row, ...own.venue.map((id) => venues.get(id)), ...own.organizer.map((id) => organizers.get(id))]
  const pictures = pictured.flatMap((one) => (one?.image_id ? [{ of: 'media', id: one.image_id } as const] : []))
  return [{ of: 'event', id: row.id }, ...linked, ...pictures]
}

/** Linked items in the trash, or that the caller may not read, are not shown (decisions: Rights, Trash). */
export function isShown(row: EntryColumns, viewer: Pick<Viewer, 'caller'>): boolean {
  return row.status !== 'trash' && mayRead(viewer.caller, { authorId: row.author_id, status: row.status })
}
