import type { Transaction } from '../../../storage/engine.ts'
import type { SeriesState } from '../../event-store/series/state.ts'
import { namePlacement, othersThan } from './on-write.ts'
import { overlapsInSlices } from './overlaps-in-slices.ts'
import { placementsOfState, takesVenue } from './placements.ts'
import { exclusiveVenues, type TakenTime } from './store.ts'
import { ownOverlaps } from './taken.ts'

/** An event that comes from elsewhere, as it is to be; an event without other dates has no `dates`. */
export interface ImportedState {
  /** Undefined for a new one. */
  readonly before: SeriesState | undefined
  readonly after: SeriesState
}

/** What takes a venue that takes one event at a time. */
export interface TakenVenue extends TakenTime {
  /** Whether it is a date of the event itself, which overlaps another one of it; absent for other events. */
  readonly isOwn?: true
}

/**
 * What takes a venue that takes one event at a time when an event from elsewhere wants it: another event, or one of its own
 * dates, which another of them overlaps. Undefined where it may be stored. Where the event was there before at the same time, it may stay. To be asked before it is written.
 */
export async function venueTaken(tx: Transaction, { before, after }: ImportedState): Promise<TakenVenue | undefined> {
  const venues = await exclusiveVenues(tx)
  if (venues.size === 0) return undefined
  const isGuarded = (one: TakenTime): boolean => venues.has(one.venue) && takesVenue(one)
  const own = await placementsOfState(tx, after)
  const earlier = before === undefined ? [] : await placementsOfState(tx, before)
  const had = new Set(earlier.filter(isGuarded).map(namePlacement))
  const fresh = own.filter((one) => isGuarded(one) && !had.has(namePlacement(one)))
  if (fresh.length === 0) return undefined
  const [overlap] = ownOverlaps(own.filter(isGuarded), new Set(fresh))
  if (overlap !== undefined) return { ...overlap, isOwn: true }
  const others = await othersThan(tx, after.base.row, [...own, ...earlier])
  for await (const [overlap] of overlapsInSlices(tx, fresh, others)) return overlap?.taken
  return undefined
}
