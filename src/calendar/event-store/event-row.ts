import { sql } from 'kysely'
import { storedJson } from '../../base/text/stored-json.ts'
import { namesOf } from '../../model/column.ts'
import { EVENT_COLUMNS } from '../../model/event.ts'
import type { Reader } from '../../storage/engine.ts'
import { asJsonArray } from '../../storage/expressions.ts'
import { ENTRY_COLUMNS, type EventTable, LINK_KIND, type SeriesDateTable } from '../../storage/schema.ts'
import { idsTemplate } from '../../storage/statement-template.ts'

/** An event as it is shown: a stored one, or a date of a recurring event as if it were stored by itself. */
export interface EventRow extends EventTable {
  /** Which date of which recurring event it is; absent for plain events. */
  readonly occasion?: Occasion
}

/** The parts of a date of a recurring event. */
export interface Occasion {
  /** The row of the recurring event. */
  readonly series: EventTable
  readonly date: SeriesDateTable
  /** The date's own row; absent when it is like the others. */
  readonly exception?: EventTable
  /** Address of its page below those of events, without slashes at its ends; absent where that is its slug. */
  readonly page?: string
}

/** The row of `event` whose content, relations and text a shown event has. */
export function sourceOf(row: Pick<EventRow, 'id' | 'occasion'>): number {
  const { occasion } = row
  return occasion === undefined ? row.id : (occasion.exception ?? occasion.series).id
}

/** IDs that an event refers to, each list in its order. */
export interface EventLinks {
  readonly venue: readonly number[]
  readonly organizer: readonly number[]
  readonly category: readonly number[]
  readonly tag: readonly number[]
}

/** An event without relations. */
export const NO_LINKS: EventLinks = { venue: [], organizer: [], category: [], tag: [] }

/** The columns of an event, for selections. */
export const EVENT_SELECTION = [...ENTRY_COLUMNS, ...namesOf(EVENT_COLUMNS)] as const

/** The relations of events by event ID; every requested ID has an entry. */
export async function linksOf(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, EventLinks>> {
  if (ids.length === 0) return new Map()
  const rows = await reader.all(linksWith(reader, ids))
  // Sorting five rows here takes less than merging four tables there.
  rows.sort((one, other) => one.position - other.position)
  const groups = Map.groupBy(rows, (row) => row.event_id)
  return new Map(ids.map((id) => [id, grouped(groups.get(id) ?? [])]))
}

const linksWith = idsTemplate((reader, hasId) => {
  const part = (kind: keyof EventLinks) =>
    reader.db
      .selectFrom(`event_${kind}`)
      .select([
        sql.lit(LINK_KIND[kind]).as('kind'),
        'event_id',
        sql<number>`${sql.ref(`${kind}_id`)}`.as('target_id'),
        'position',
      ])
      .where(hasId(`event_${kind}.event_id`))
  return part('venue').unionAll(part('organizer')).unionAll(part('category')).unionAll(part('tag'))
})

/** What shown events are linked to, by their own IDs: venues and organizers in order, categories and tags in any. */
export async function shownLinksOf(
  reader: Reader,
  events: readonly Pick<EventRow, 'id' | 'occasion'>[],
): Promise<ReadonlyMap<number, EventLinks>> {
  const links = await shownLinksOfRows(reader, [...new Set(events.map(sourceOf))])
  return new Map(events.map((event) => [event.id, links.get(sourceOf(event)) ?? NO_LINKS]))
}

/**
 * What stored events are linked to. The order takes another lookup in four tables, which only events with several of a kind
 * need.
 */
async function shownLinksOfRows(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, EventLinks>> {
  if (ids.length === 0) return new Map()
  const rows = await reader.all(shownLinksWith(reader, ids))
  const links = new Map(rows.map(({ id, ...of }) => [id, linksIn(of)]))
  const several = rows.filter(({ id }) => hasOrder(links.get(id) ?? NO_LINKS)).map(({ id }) => id)
  return several.length === 0 ? links : new Map([...links, ...(await linksOf(reader, several))])
}

/** Where and of which categories stored events are, without the rest of their links, in half the time. */
export async function placesOfRows(
  reader: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Pick<EventLinks, 'venue' | 'category'>>> {
  if (ids.length === 0) return new Map()
  const rows = await reader.all(placesWith(reader, ids))
  const links = new Map(rows.map(({ id, venue, category }) => [id, { venue: idsIn(venue), category: idsIn(category) }]))
  const several = rows.filter(({ id }) => (links.get(id)?.venue.length ?? 0) > 1).map(({ id }) => id)
  return several.length === 0 ? links : new Map([...links, ...(await linksOf(reader, several))])
}

const shownLinksWith = idsOfLinks(['venue', 'organizer', 'category', 'tag'])
const placesWith = idsOfLinks(['venue', 'category'])

/** Reads the IDs that events are linked to, of these kinds. */
function idsOfLinks<Kind extends keyof EventLinks>(kinds: readonly Kind[]) {
  return idsTemplate((reader, hasId) =>
    reader.db
      .selectFrom('event')
      .select((event) => {
        const idsOf = (kind: Kind) => {
          const name: keyof EventLinks = kind
          return event
            .selectFrom(`event_${name}`)
            .select(asJsonArray(reader.engine, `${name}_id`).as('ids'))
            .whereRef(`event_${name}.event_id`, '=', 'event.id')
            .as(kind)
        }
        return ['event.id', ...kinds.map(idsOf)]
      })
      .where(hasId('event.id')),
  )
}

function linksIn({ venue, organizer, category, tag }: Readonly<Record<keyof EventLinks, string | null>>): EventLinks {
  return { venue: idsIn(venue), organizer: idsIn(organizer), category: idsIn(category), tag: idsIn(tag) }
}

function idsIn(list: string | null): readonly number[] {
  return list === null || list === '[]' ? [] : storedJson(list)
}

function hasOrder({ venue, organizer }: EventLinks): boolean {
  return venue.length > 1 || organizer.length > 1
}

function grouped(rows: readonly { readonly kind: number; readonly target_id: number }[]): EventLinks {
  const of = (kind: keyof EventLinks): number[] =>
    rows.filter((row) => row.kind === LINK_KIND[kind]).map((row) => row.target_id)
  return { venue: of('venue'), organizer: of('organizer'), category: of('category'), tag: of('tag') }
}

/** Whether a row of `event` is an event by itself: no series and no exception. */
export function isPlain(row: Pick<EventTable, 'recurrence' | 'exception'>): boolean {
  return row.recurrence === null && row.exception === null
}
