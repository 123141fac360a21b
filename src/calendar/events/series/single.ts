import type { Transaction } from '../../../storage/engine.ts'
import { exceptionOf, recursNoMore } from '../../event-store/series/recurring.ts'
import type { SeriesState } from '../../event-store/series/state.ts'
import type { Holding } from './dates.ts'
import { withOwn } from './fields.ts'
import { recurringBy } from './state.ts'

/** A series whose event is what its first date is by itself: that one stays where the event recurs no more. */
export function singled(state: SeriesState): SeriesState {
  const { base, dates } = state
  const own = state.exceptions.get(base.row.id)
  const exceptions = new Map(state.exceptions)
  if (own === undefined) return state
  exceptions.delete(base.row.id)
  const { row, links } = withOwn(base, own, exceptionOf(own.row)?.fields ?? [])
  // If it was moved, the rule gives its original start.
  const isMoved = row.timezone === base.row.timezone && row.start_local !== base.row.start_local
  const previous_start = row.previous_start ?? (isMoved ? base.row.start_local : null)
  return {
    base: { row: { ...row, previous_start }, links },
    dates: dates.map((one) => (one.id === base.row.id ? { ...one, exception_id: null } : one)),
    exceptions,
  }
}

/**
 * A series after a change. Where it recurs no more, its event is what its first date is by itself, however it came to that:
 * nobody is notified of dates then, nor of what one of them has for itself.
 */
export function settled(tx: Transaction, state: SeriesState, holding: Holding): SeriesState | Promise<SeriesState> {
  const { row } = state.base
  if (!recursNoMore(row) || !state.exceptions.has(row.id)) return state
  return recurringBy(tx, singled(state), { recurrence: undefined, holding })
}
