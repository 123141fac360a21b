import type { Caller } from '../../auth/caller.ts'
import { mayRead } from '../../auth/rights.ts'
import { fail } from '../../errors.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import { findEvent } from '../../event-store/rows.ts'
import { deferredSeries } from '../../event-store/series/occurrences.ts'
import type { EventValues } from '../../model/event.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { placementsOf, takesVenue, windowOf } from './placements.ts'
import { exclusiveVenues, type TakenTime, takenTimes } from './store.ts'
import { overlapsOf } from './taken.ts'

/** Most events that a header or an error names. */
const NAMED = 20

/** Overlaps that are looked at for that. */
const LOOKED_AT = 10_000

/** The fields by which an event comes to be at a venue at a time. */
const PLACING = [
  ...(['venue', 'start_date', 'end_date', 'timezone', 'all_day'] as const),
  ...(['status', 'event_status', 'recurrence'] as const),
] as const

/** Whether a write may put an event over others. */
export function mayConflict(values: EventValues): boolean {
  return PLACING.some((name) => values[name] !== undefined)
}

/** An event that is written, and by whom. */
export interface GuardedWrite {
  readonly caller: Caller
  readonly values: EventValues
  /** Undefined for a new one. */
  readonly before: EventRow | undefined
  write(): Promise<EventRow>
}

/**
 * Writes an event unless it would take a venue that takes one event at a time, at a time when it is taken; where it was
 * there before at the same time, it may stay. Writes are serialised: of two at once the second sees the first.
 * @throws venue_taken
 */
export async function writeToFreeVenues(
  tx: Transaction,
  { caller, values, before, write }: GuardedWrite,
): Promise<EventRow> {
  const venues = mayConflict(values) ? await exclusiveVenues(tx) : new Set<number>()
  if (venues.size === 0) return write()
  const isGuarded = (one: TakenTime): boolean => venues.has(one.venue) && takesVenue(one)
  const had = new Set(before === undefined ? [] : (await placementsOf(tx, before)).filter(isGuarded).map(nameOf))
  const row = await write()
  const own = await placementsOf(tx, row)
  const fresh = own.filter((one) => isGuarded(one) && !had.has(nameOf(one)))
  const others = await othersAt(tx, fresh, own)
  const overlaps = overlapsOf(fresh, others, LOOKED_AT)
  const [first] = overlaps
  if (first === undefined) return row
  const taken = overlaps.filter(({ asked }) => asked.venue === first.asked.venue).map((one) => one.taken)
  const { ids, isHidden } = named(taken, caller)
  throw fail('venue_taken', {}, { venue: first.asked.venue, events: ids, hidden: isHidden })
}

function nameOf({ venue, start, end }: TakenTime): string {
  return `${venue} ${start} ${end}`
}

/** The times that other events take at the venues of some times, as the transaction leaves them. */
async function othersAt(tx: Transaction, times: readonly TakenTime[], own: readonly TakenTime[]): Promise<TakenTime[]> {
  const window = windowOf(times)
  if (window === undefined) return []
  const ids = new Set(own.map(({ id }) => id))
  const stored = await takenTimes(tx, [...new Set(times.map(({ venue }) => venue))], window)
  const pending: TakenTime[] = []
  const known = new Set<number>()
  for (const id of deferredSeries(tx)) {
    const row = await findEvent(tx, { by: 'id', id })
    if (row === undefined) continue
    const placements = await placementsOf(tx, row)
    for (const one of placements) known.add(one.id)
    pending.push(...placements.filter(takesVenue))
  }
  return [...stored.filter(({ id }) => !known.has(id)), ...pending].filter(({ id }) => !ids.has(id))
}

/** The header that warns of a write which has put an event over others; none where it has not. */
export async function conflictHeader(
  reader: Reader,
  caller: Caller,
  row: EventRow,
): Promise<Readonly<Record<string, string>>> {
  const own = await placementsOf(reader, row)
  const window = windowOf(own)
  if (window === undefined) return {}
  const ids = new Set(own.map(({ id }) => id))
  const taken = await takenTimes(reader, [...new Set(own.map(({ venue }) => venue))], window)
  const others = taken.filter(({ id }) => !ids.has(id))
  const overlaps = overlapsOf(own, others, LOOKED_AT).map((one) => one.taken)
  if (overlaps.length === 0) return {}
  const { ids: shown, isHidden, isCut } = named(overlaps, caller)
  return { 'X-Kalends-Conflicts': [...shown, ...(isHidden ? ['hidden'] : []), ...(isCut ? ['more'] : [])].join(', ') }
}

/** The ids of the events that the caller may read, the first ones, and whether there are others. */
function named(taken: readonly TakenTime[], caller: Caller) {
  const isReadable = ({ author, status }: TakenTime): boolean => mayRead(caller, { authorId: author, status })
  const ids = [...new Set(taken.filter(isReadable).map(({ id }) => id))]
  return {
    ids: ids.slice(0, NAMED),
    isHidden: !taken.every(isReadable),
    isCut: ids.length > NAMED || taken.length >= LOOKED_AT,
  }
}
