import { type MoveOfAll, movedStart } from '../../../base/time/recurrence/move.ts'
import type { SeriesDateTable } from '../../../storage/schema.ts'
import type { EventState } from '../../event-store/copies.ts'
import { isOut } from '../../event-store/series/shown.ts'
import type { SeriesState } from '../../event-store/series/state.ts'

/**
 * A series whose dates have for themselves what those had in whose place they are. When the start of the series moves, a
 * date is in the place of the one that was as far from the former start as it is from the new one, if that was dropped
 * and it was not there before; and the event itself is in the place of the date that began when it begins now. What no
 * date is in the place of keeps what it has in the trash, and there is also what a date had from an earlier time in
 * whose place another one moves.
 */
export function withMovedExceptions(before: SeriesState, after: SeriesState, move: MoveOfAll): SeriesState {
  if (move.from.start === move.to.start) return after
  const places = placesOf(before.dates, after.dates, (start) => movedStart(start, move))
  const exceptions = new Map(after.exceptions)
  const filled = new Set<number>()
  for (const [former, place] of places) {
    const own = exceptions.get(former.id)
    const other = exceptions.get(place.id)
    // What a place has comes back with it, and the event itself keeps what it has.
    if (own === undefined || filled.has(place.id)) continue
    if (place.id === place.series_id && other !== undefined) continue
    filled.add(place.id)
    exceptions.set(place.id, own)
    if (other === undefined) exceptions.delete(former.id)
    else exceptions.set(former.id, other)
  }
  const dates = after.dates.map((date) => ({ ...date, exception_id: exceptions.get(date.id)?.row.id ?? null }))
  return { ...after, dates, exceptions: inOrder(dates, exceptions) }
}

type Places = readonly (readonly [former: SeriesDateTable, place: SeriesDateTable])[]

/** The dates that were dropped, each with the one that is in its place now; those that none is in the place of are left out. */
function placesOf(
  before: readonly SeriesDateTable[],
  after: readonly SeriesDateTable[],
  placeOf: (start: string) => string,
): Places {
  const wasIn = new Set(before.flatMap((date) => (isOut(date) ? [] : [date.id])))
  const isIn = new Map(after.flatMap((date) => (isOut(date) ? [] : [[date.recurrence_id, date]])))
  const kept = new Set([...isIn.values()].map(({ id }) => id))
  const dropped = before.filter((date) => wasIn.has(date.id) && !kept.has(date.id))
  return dropped.flatMap((date): Places => {
    const same = isIn.get(date.recurrence_id)
    if (same !== undefined) return [[date, same]]
    const place = isIn.get(placeOf(date.recurrence_id))
    return place === undefined || wasIn.has(place.id) ? [] : [[date, place]]
  })
}

/** Exceptions in the order of their dates. */
function inOrder(
  dates: readonly SeriesDateTable[],
  exceptions: ReadonlyMap<number, EventState>,
): ReadonlyMap<number, EventState> {
  return new Map(
    dates.flatMap(({ id }): [number, EventState][] => {
      const own = exceptions.get(id)
      return own === undefined ? [] : [[id, own]]
    }),
  )
}
