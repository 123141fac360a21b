import { addToLocal } from '../../../base/time/zones.ts'
import type { Call } from '../../../http/route.ts'
import type { Reader } from '../../../storage/engine.ts'
import { activeFilters } from '../../shared/filters.ts'
import { ALL_EVENT_FILTERS, type AnyEventFilter, type EventListing, type EventListValues } from './filters.ts'
import { planOf } from './plan.ts'
import { type ResolvedList, wholeListing } from './request.ts'
import type { PageRow } from './ways/way.ts'

/** A list that is read from its first event to its last. */
export interface WholeList {
  readonly resolved: ResolvedList
  /** Most new events of a page. */
  readonly size: number
}

/** So many pages are read at once where one takes as long as all of them. */
const AT_ONCE = 20

/**
 * The IDs of a whole list in its order, each once, page after page: a page is read when it is asked for, and none is
 * kept. Where one page takes as long as the whole list, twenty are read at once. A list by start continues after the last
 * start, so that events added or deleted before it shift nothing; others continue after as many events as were read.
 */
export async function* idsInPages(
  reader: Reader,
  call: Call<EventListValues>,
  { resolved, size }: WholeList,
): AsyncGenerator<readonly number[], void, void> {
  const seen = new SeenIds()
  const first: EventListing = { ...wholeListing(call, resolved), limit: size, offset: 0 }
  const most = planOf(first).sortsAll ? size * AT_ONCE : size
  let page = { ...first, limit: most }
  for (;;) {
    const rows = await planOf(page).rows(reader)
    const ids = rows.flatMap(({ id }) => (seen.add(id) ? id : []))
    for (let at = 0; at < ids.length; at += size) yield ids.slice(at, at + size)
    if (rows.length < page.limit) return
    page = pageAfter({ page, size: most }, rows)
  }
}

/** The page after one that is full. */
function pageAfter(
  { page, size }: { readonly page: EventListing; readonly size: number },
  rows: readonly PageRow[],
): EventListing {
  const further = { ...page, limit: size, offset: page.offset + rows.length }
  const last = rows.at(-1)?.start_local
  if (last === undefined || !isByStart(page)) return further
  const isDescending = page.order?.descending === true
  const { bounds } = page.query
  const edge = isDescending ? addToLocal(last, { seconds: 1 }) : last
  const name = isDescending ? 'starts_before' : 'start_date'
  // The last second there is has none after it.
  if (bounds[name] === edge || (isDescending && edge === last)) return further
  const query = { ...page.query, bounds: { ...bounds, [name]: edge } }
  // Those that start with the last one are read again: who counted on their number would miss one when another leaves.
  const again = rows.length - 1 - rows.findLastIndex((row) => row.start_local !== last)
  return again <= size
    ? { ...page, query, limit: size + again, offset: 0 }
    : { ...page, query, limit: size, offset: again }
}

function isByStart({ order, query }: EventListing): boolean {
  if (order !== undefined) return order.by === 'start'
  return !activeFilters<AnyEventFilter>(ALL_EVENT_FILTERS, query).some(({ filter }) => filter.isById)
}

/** IDs that were met, a bit for each: those of one calendar lie close together. */
class SeenIds {
  readonly #bits = new Map<number, number>()

  /** Whether the ID is new. */
  add(id: number): boolean {
    const place = Math.floor(id / 32)
    const bits = this.#bits.get(place) ?? 0
    const bit = 1 << (id % 32)
    this.#bits.set(place, bits | bit)
    return (bits & bit) === 0
  }
}
