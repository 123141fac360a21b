import type { Reader } from '../../storage/engine.ts'
import { type GivenAll, keptStatement } from '../../storage/kept-statement.ts'
import { remember, remembering } from '../../storage/remembered.ts'
import { addToLocal } from '../../time/zones.ts'
import { countedBy, type EventListing, type PageShape, type PageValues, sortedStatement } from './store.ts'
import { nameOf } from './store-totals.ts'

/** An event at the beginning of a list. */
interface Begun {
  readonly event_id: number
  readonly start_local: string
  readonly end_local: string
}

/** Events of a beginning that is remembered: a page of the usual length. */
const LONGEST = 50

const beginningsOf = remembering<readonly Begun[]>(500)

/**
 * The first page of a list, from what begins first after its start, whatever its end: most readers ask from today on, until
 * then or then. It is remembered until the next commit. Undefined for other lists, where nothing is remembered, and where
 * that alone does not tell what the page holds.
 */
export async function begunPage(reader: Reader, listing: EventListing): Promise<readonly number[] | undefined> {
  const { query, visibility, limit, offset } = listing
  const { start_date, end_date, ...others } = query.bounds
  const counted = countedBy(listing)
  const isFirst = offset === 0 && limit <= LONGEST
  const isSimple = isFirst && visibility.ofAll.length === 1 && Object.keys(others).length === 0
  const known = isSimple ? beginningsOf(reader) : undefined
  if (known === undefined || counted === undefined || start_date === undefined) return undefined
  const key = `${nameOf(counted)} begun ${limit} ${start_date}`
  const begun = known.get(key) ?? (await remember(known, key, reader.all(beginning(reader, listing, start_date))))
  if (end_date === undefined || begun.every((one) => one.end_local <= end_date)) return begun.map((one) => one.event_id)
  const last = begun.length < limit ? undefined : begun.at(-1)
  // Where a clock was set back, an end is up to a day before its start.
  if (last !== undefined && last.start_local <= addToLocal(end_date, { days: 1 })) return undefined
  return begun.filter((one) => one.end_local <= end_date).map((one) => one.event_id)
}

function beginning(reader: Reader, { query, visibility, limit }: EventListing, start_date: string) {
  const { bounds: _left, ...others } = query
  return beginningWith(reader, { shape: { query: others, visibility }, values: { start_date, limit } })
}

const beginningWith = keptStatement(
  (reader, { query, visibility }: PageShape, given: GivenAll<Pick<PageValues, 'start_date' | 'limit'>>) => {
    const { limit, ...bounds } = given
    const sorted = sortedStatement(reader, { query: { ...query, bounds }, visibility, limit, offset: 0 })
    return sorted.select(['occurrence.start_local', 'occurrence.end_local'])
  },
)
