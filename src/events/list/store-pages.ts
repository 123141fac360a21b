import type { Reader } from '../../storage/engine.ts'
import { rememberedRows } from '../../storage/remembered.ts'
import { countEvents, type EventListing, keptPage, listEventIds, sortedFrom, totalOfRest } from './store.ts'
import { begunPage } from './store-begun.ts'

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
 * is read once, and these are then counted in passing. Undefined for lists that are read in their order.
 */
async function pageWithTotal(reader: Reader, listing: EventListing): Promise<EventPage | undefined> {
  if (sortedFrom(reader.engine, listing) === undefined) return undefined
  const rows = await rememberedRows(reader, keptPage(reader, listing))
  const [first] = rows
  if (first !== undefined) return { ids: rows.map((row) => row.event_id), total: Number(first.total) }
  return { ids: [], total: listing.offset === 0 ? 0 : await countEvents(reader, listing) }
}
