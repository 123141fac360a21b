import { sql } from 'kysely'
import type { Compilable, Reader } from '../storage/engine.ts'
import { type GivenAll, keptStatement } from '../storage/kept-statement.ts'
import { rememberedRows } from '../storage/remembered.ts'
import {
  countEvents,
  type EventListing,
  listEventIds,
  type PageShape,
  type PageValues,
  sortedStatement,
  totalOfRest,
} from './store.ts'
import { begunPage } from './store-begun.ts'
import { candidatesOf, severalTargets } from './store-candidates.ts'

/** Event ids of a page of a list, and the number of events on all its pages. */
export interface EventPage {
  readonly ids: readonly number[]
  readonly total: number
}

/** One page of a list with its total: a page that ends the list tells it. */
export async function pageOfEvents(reader: Reader, listing: EventListing): Promise<EventPage> {
  const counted = await pageWithTotal(reader, listing)
  if (counted !== undefined) return counted
  const rest = await totalOfRest(reader, listing)
  // Otherwise an empty page would read all events in vain.
  if (rest !== undefined && rest <= listing.offset) return { ids: [], total: rest }
  const ids = (await begunPage(reader, listing)) ?? (await listEventIds(reader, listing))
  const isLast = ids.length < listing.limit && (ids.length > 0 || listing.offset === 0)
  return { ids, total: isLast ? listing.offset + ids.length : (rest ?? (await countEvents(reader, listing))) }
}

/**
 * Page and total in one statement, where a page is sorted from all events that it may show: a word that many events have
 * is read once, and these are then counted in passing. Undefined for lists that an index has in their order.
 */
async function pageWithTotal(reader: Reader, listing: EventListing): Promise<EventPage | undefined> {
  const { query, visibility, limit, offset } = listing
  if (candidatesOf(reader.engine, query) === undefined || severalTargets(query) !== undefined) return undefined
  const { bounds, ...others } = query
  const asked = { shape: { query: others, visibility }, values: { ...bounds, limit, offset } }
  const rows = await rememberedRows(reader, countedPage(reader, asked))
  const [first] = rows
  if (first !== undefined) return { ids: rows.map((row) => row.event_id), total: Number(first.total) }
  return { ids: [], total: offset === 0 ? 0 : await countEvents(reader, listing) }
}

interface CountedRow {
  readonly event_id: number
  readonly total: number
}

const countedPage = keptStatement(
  (reader, { query, visibility }: PageShape, given: GivenAll<PageValues>): Compilable<CountedRow> => {
    const { limit, offset, ...bounds } = given
    const page = sortedStatement(reader, { query: { ...query, bounds }, visibility, limit, offset })
    return page.select(sql<number>`count(*) over ()`.as('total'))
  },
)
