import { fail } from '../../../base/errors.ts'
import { type Caller, mayRead } from '../../../http/auth/rights.ts'
import type { EventValues } from '../../../model/event.ts'
import type { Reader, Transaction } from '../../../storage/engine.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import { findEvent } from '../../event-store/rows.ts'
import { deferredSeries } from '../../event-store/series/occurrences.ts'
import type { WrittenEvent } from '../write/change.ts'
import { type Others, overlapsInSlices } from './overlaps-in-slices.ts'
import { placementsOf, takesVenue } from './placements.ts'
import { exclusiveVenues, type TakenTime } from './store.ts'
import { type Overlap, ownOverlaps } from './taken.ts'

/** Most events that a header or an error names. */
const NAMED = 20

/** Overlaps that are looked at for that. */
const LOOKED_AT = 10_000

/** The fields by which an event comes to be at a venue at a time. */
const PLACING = [
  ...(['venue', 'start_date', 'end_date', 'timezone', 'all_day'] as const),
  ...(['status', 'event_status', 'recurrence'] as const),
] as const

/** Whether a change may put an event over others. */
export function mayConflict(values: EventValues): boolean {
  return PLACING.some((name) => values[name] !== undefined)
}

/** An event that is written, which may put it over others, and by whom. */
export interface GuardedWrite {
  readonly caller: Caller
  /** Undefined for a new one. */
  readonly before: EventRow | undefined
  /** Whether it may make a venue that takes one event at a time. */
  readonly makesExclusive: boolean
  write(): Promise<WrittenEvent>
}

/** An event that was written. */
export interface PlacedEvent extends WrittenEvent {
  /** When and where it takes place; absent where that has not been read. */
  readonly placements?: readonly TakenTime[]
  /** Those of them that were found to overlap nothing. */
  readonly free?: readonly TakenTime[]
}

/**
 * Writes an event unless it would take a venue that takes one event at a time, at a time when it is taken; where it was
 * there before at the same time, it may stay. Its own dates may not overlap each other there either. Writes are
 * serialized: of two at once the second sees the first.
 * @throws venue_taken
 */
export async function writeToFreeVenues(
  tx: Transaction,
  { caller, before, makesExclusive, write }: GuardedWrite,
): Promise<PlacedEvent> {
  const known = await exclusiveVenues(tx)
  if (known.size === 0 && !makesExclusive) return write()
  const had = new Set(
    before === undefined ? [] : (await placementsOf(tx, before)).filter(takesVenue).map(namePlacement),
  )
  const written = await write()
  const venues = makesExclusive ? await exclusiveVenues(tx) : known
  const isGuarded = (one: TakenTime): boolean => venues.has(one.venue) && takesVenue(one)
  const { row, links } = written
  const placements = await placementsOf(tx, row, links)
  const fresh = placements.filter((one) => isGuarded(one) && !had.has(namePlacement(one)))
  if (fresh.length === 0) return { ...written, placements }
  refuseOwnOverlaps(placements.filter(isGuarded), fresh)
  const overlaps = await firstOverlaps(tx, { caller, asked: fresh }, await othersThan(tx, row, placements))
  const venue = overlaps[0]?.asked.venue
  if (venue === undefined) return { ...written, placements, free: fresh }
  const taken = overlaps.filter(({ asked }) => asked.venue === venue).map((one) => one.taken)
  const { ids, isHidden } = named(taken, caller)
  throw fail('venue_taken', {}, { venue, events: ids, hidden: isHidden })
}

/** @throws venue_taken */
function refuseOwnOverlaps(placements: readonly TakenTime[], fresh: readonly TakenTime[]): void {
  const overlaps = ownOverlaps(placements, new Set(fresh))
  const [first] = overlaps
  if (first === undefined) return
  const dates = overlaps.filter(({ venue }) => venue === first.venue).map(({ start }) => start)
  throw fail('venue_taken', {}, { venue: first.venue, events: [], hidden: false, dates: dates.slice(0, NAMED) })
}

/** A time at a venue, as a text to be compared. */
export function namePlacement({ venue, start, end }: TakenTime): string {
  return `${venue} ${start} ${end}`
}

/** The times that other events take, as the transaction leaves them: series that it has written are not listed yet. */
export async function othersThan(
  tx: Transaction,
  row: Pick<EventRow, 'id' | 'occasion'>,
  own: readonly TakenTime[],
): Promise<Others> {
  const without = new Set(own.map(({ id }) => id))
  const series = row.occasion?.series.id ?? row.id
  const pending: TakenTime[] = []
  for (const id of deferredSeries(tx)) {
    const other = id === series ? undefined : await findEvent(tx, { by: 'id', id })
    if (other === undefined) continue
    const placements = (await placementsOf(tx, other)).filter((one) => !without.has(one.id))
    pending.push(...placements.filter(takesVenue))
  }
  return { without: new Set([...without, ...pending.map(({ id }) => id)]), pending, limit: LOOKED_AT }
}

/** The header that warns of a write which has put an event over others; none where it has not. */
export async function conflictHeader(
  reader: Reader,
  caller: Caller,
  { row, links, known, placements, free = [] }: PlacedEvent,
): Promise<Readonly<Record<string, string>>> {
  // Nothing else was at a venue that was made for it.
  const isMade = (venue: number): boolean => known?.made?.has(venue) === true
  if (links?.venue.every(isMade) === true) return {}
  const own = placements ?? (await placementsOf(reader, row, links))
  const found = new Set(free)
  const asked = own.filter((one) => !found.has(one) && !isMade(one.venue))
  if (asked.length === 0) return {}
  const others = { without: new Set(own.map(({ id }) => id)), pending: [], limit: LOOKED_AT }
  const taken = (await firstOverlaps(reader, { caller, asked }, others)).map((one) => one.taken)
  return headerNaming(taken, caller)
}

/** The header that names events which overlap others; none where there are none. */
export function headerNaming(taken: readonly TakenTime[], caller: Caller): Readonly<Record<string, string>> {
  if (taken.length === 0) return {}
  const { ids, isHidden, isCut } = named(taken, caller)
  return { 'X-Kalends-Conflicts': [...ids, ...(isHidden ? ['hidden'] : []), ...(isCut ? ['more'] : [])].join(', ') }
}

interface AskedBy {
  readonly caller: Caller
  readonly asked: readonly TakenTime[]
}

/** Overlaps by the start of what is asked, as many as can be named. */
async function firstOverlaps(reader: Reader, { caller, asked }: AskedBy, others: Others) {
  const overlaps: Overlap<TakenTime, TakenTime>[] = []
  for await (const found of overlapsInSlices(reader, asked, others)) {
    overlaps.push(...found)
    const taken = overlaps.map((one) => one.taken)
    if (overlaps.length >= LOOKED_AT || named(taken, caller).isCut) break
  }
  return overlaps
}

/** The IDs of the events that the caller may read, the first ones, and whether there are others. */
function named(taken: readonly TakenTime[], caller: Caller) {
  const isReadable = ({ author, status }: TakenTime): boolean => mayRead(caller, { authorId: author, status })
  const ids = [...new Set(taken.filter(isReadable).map(({ id }) => id))]
  return {
    ids: ids.slice(0, NAMED),
    isHidden: !taken.every(isReadable),
    isCut: ids.length > NAMED || taken.length >= LOOKED_AT,
  }
}
