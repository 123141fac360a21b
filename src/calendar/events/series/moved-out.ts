import { readClock, writeClock } from '../../../base/time/clock.ts'
import type { Recurrence } from '../../../base/time/recurrence/lines.ts'
import { type MoveOfAll, movedStart } from '../../../base/time/recurrence/move.ts'
import type { SeriesDateTable } from '../../../storage/schema.ts'
import { isOut } from '../../event-store/series/shown.ts'
import type { SeriesState } from '../../event-store/series/state.ts'
import { DayPlaces } from './dates.ts'

/** What a series recurred by, what it recurs by when all its dates are moved, and how they are. */
interface MovedRecurrence {
  readonly was: Recurrence | undefined
  readonly is: Recurrence
  readonly move: MoveOfAll
}

/** Where dates are after a move, by the start that they had; those that stay are not among them. */
export type MovedPlaces = ReadonlyMap<string, string>

/** The places of dates that EXDATE took out, and takes out where they are as far from the start as they were. */
export function samePlaces({ was, is, move }: MovedRecurrence): MovedPlaces {
  if (move.from.start === move.to.start) return new Map()
  const now = new Set(is.excluded.map(({ seconds }) => seconds))
  const places = (was?.excluded ?? []).map(({ seconds }): [string, string] => {
    const start = writeClock(seconds)
    return [start, movedStart(start, move)]
  })
  return new Map(places.filter(([, place]) => now.has(readClock(place))))
}

/** A date that moves to a place whether it was taken out or not. */
interface MovedDate {
  readonly id: number
  readonly start: string
}

/**
 * A series whose dates that EXDATE takes out have moved to their places, and `named` to its: they keep their ids and what
 * they have for themselves, and come back where they are now. Dates that a change of the rule dropped stay where they were.
 */
export function withMovedOut(state: SeriesState, places: MovedPlaces, named?: MovedDate): SeriesState {
  if (places.size === 0 && named === undefined) return state
  const placeOf = (date: SeriesDateTable): string | undefined => {
    if (date.id === named?.id) return named.start
    return isOut(date) && date.id !== date.series_id ? places.get(date.recurrence_id) : undefined
  }
  const moving = new Map(state.dates.map((date) => [date.id, placeOf(date)]))
  const staying = state.dates.filter((date) => date.id !== date.series_id && isOnDay(date, moving.get(date.id)))
  const days = new DayPlaces(staying)
  const dates = state.dates.map((date): SeriesDateTable => {
    const start = moving.get(date.id)
    if (start === undefined) return date
    const of_day = isOnDay(date, start) ? date.of_day : days.next(start.slice(0, 10))
    return { ...date, recurrence_id: start, of_day }
  })
  return { ...state, dates }
}

/** Whether a date is on the day of a start; it stays on its own where that is undefined. */
function isOnDay({ recurrence_id }: SeriesDateTable, start: string | undefined): boolean {
  return start === undefined || start.slice(0, 10) === recurrence_id.slice(0, 10)
}
