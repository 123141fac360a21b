import type { EventState } from '../../event-store/copies.ts'
import { moved } from '../../event-store/series/recurring.ts'
import { isOut } from '../../event-store/series/shown.ts'
import type { SeriesState } from '../../event-store/series/state.ts'
import type { SeriesDateTable } from '../../storage/schema.ts'

/**
 * A series whose dates have for themselves what those had in whose place they are. When the start of the series moves, a
 * date is in the place of the one that was as far from the former start as it is from the new one, if that was dropped
 * and it was not there before; and the event itself is in the place of the date that began when it begins now. What no
 * date is in the place of keeps what it has in the trash.
 */
export function withMovedExceptions(before: SeriesState, after: SeriesState): SeriesState {
  const from = before.base.row.start_local
  const to = after.base.row.start_local
  if (from === to) return after
  const places = placesOf(before.dates, after.dates, (start) => moved(start, from, to))
  const exceptions = new Map(after.exceptions)
  const owned = new Map(after.dates.map(({ id, exception_id }) => [id, exception_id]))
  for (const [former, place] of places) {
    const own = after.exceptions.get(former.id)
    if (place.id === place.series_id && (own === undefined || owned.get(place.id) !== null)) continue
    exceptions.delete(former.id)
    exceptions.delete(place.id)
    owned.set(former.id, null)
    owned.set(place.id, own?.row.id ?? null)
    if (own !== undefined) exceptions.set(place.id, own)
  }
  const dates = after.dates.map((date) => ({ ...date, exception_id: owned.get(date.id) ?? null }))
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
