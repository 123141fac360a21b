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
import type { TermShelf } from '../terms/index.ts'
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

async function gatherParts(
  reader: Reader,
  shelves: Shelves,
  { rows, showing }: { readonly rows: readonly EventRow[]; readonly showing: Showing },
): Promise<ReadonlyMap<number, EventParts>> {
  const ids = rows.map((row) => row.id)
  const links = await linksOf(reader, ids)
  const of = (kind: keyof EventLinks): number[] => [...new Set([...links.values()].flatMap((one) => one[kind]))]
  const venues = await shelves.venue.byIds(reader, of('venue'))
  const organizers = await shelves.organizer.byIds(reader, of('organizer'))
  const categories = await shelves.category.byIds(reader, of('category'))
  const tags = await shelves.tag.byIds(reader, of('tag'))
  const lineages = await lineagesOf(reader, [...ids, ...venues.keys(), ...organizers.keys()])
  const pictures = await picturesOf(reader, [...rows, ...venues.values(), ...organizers.values()])
  const { viewer, withJsonLd: single } = showing
  const linked = <Row extends EntryColumns>(
    shelf: LinkedShelf<Row>,
    found: ReadonlyMap<number, Row>,
    wanted: readonly number[],
  ) =>
    wanted.flatMap((id) => {
      const row = found.get(id)
      if (row === undefined || !isShown(row, viewer)) return []
      const own = { lineage: lineages.get(id), picture: pictureAmong(pictures, row) }
      return [shelf.present(row, { viewer, ...own, withJsonLd: single })]
    })
  return new Map(
    rows.map((row) => {
      const own = links.get(row.id) ?? NO_LINKS
      const embedded = [...own.venue.map((id) => venues.get(id)), ...own.organizer.map((id) => organizers.get(id))]
      showing.used?.set(row.id, usedBy(row.id, own, [row, ...embedded]))
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

/** Everything that was read, shown or not: what is hidden now may be shown after its next change. */
function usedBy(
  id: number,
  links: EventLinks,
  pictured: readonly (Pick<EntryColumns, 'image_id'> | undefined)[],
): Part[] {
  const linked = (['venue', 'organizer', 'category', 'tag'] as const).flatMap((of) =>
    links[of].map((target) => ({ of, id: target })),
  )
  const pictures = pictured.flatMap((one) => (one?.image_id ? [{ of: 'media', id: one.image_id } as const] : []))
  return [{ of: 'event', id }, ...linked, ...pictures]
}

/** Linked items in the trash, or that the caller may not read, are not shown (decisions: Rights, Trash). */
export function isShown(row: EntryColumns, viewer: Pick<Viewer, 'caller'>): boolean {
  return row.status !== 'trash' && mayRead(viewer.caller, { authorId: row.author_id, status: row.status })
}
