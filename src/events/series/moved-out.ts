import { isOut } from '../../event-store/series/shown.ts'
import type { SeriesState } from '../../event-store/series/state.ts'
import type { SeriesDateTable } from '../../storage/schema.ts'
import { readClock } from '../../time/clock.ts'
import type { Recurrence } from '../../time/recurrence/lines.ts'
import { type MoveOfAll, movedStart } from '../../time/recurrence/move.ts'
import { DayPlaces } from './dates.ts'

/** What a series recurred by, what it recurs by when all its dates are moved, and how they are. */
interface MovedRecurrence {
  readonly was: Recurrence | undefined
  readonly is: Recurrence
  readonly move: MoveOfAll
}

/**
 * A series whose dates that EXDATE takes out have moved with the others: they keep their ids and what they have for
 * themselves, and come back where the others are now. Dates that a change of the rule dropped stay where they were.
 */
export function withMovedOut(state: SeriesState, { was, is, move }: MovedRecurrence): SeriesState {
  if (move.from.start === move.to.start) return state
  const [before, now] = [startsOf(was?.excluded), startsOf(is.excluded)]
  const placeOf = (date: SeriesDateTable): string | undefined => {
    if (!isOut(date) || date.id === date.series_id || !before.has(readClock(date.recurrence_id))) return undefined
    const start = movedStart(date.recurrence_id, move)
    return now.has(readClock(start)) ? start : undefined
  }
  const moving = new Map(state.dates.map((date) => [date.id, placeOf(date)]))
  const staying = state.dates.filter((date) => date.id !== date.series_id && isOnDay(date, moving.get(date.id)))
  const places = new DayPlaces(staying)
  const dates = state.dates.map((date): SeriesDateTable => {
    const start = moving.get(date.id)
    if (start === undefined) return date
    const of_day = isOnDay(date, start) ? date.of_day : places.next(start.slice(0, 10))
    return { ...date, recurrence_id: start, of_day }
  })
  return { ...state, dates }
}

function startsOf(dates: Recurrence['excluded'] = []): ReadonlySet<number> {
  return new Set(dates.map(({ seconds }) => seconds))
}

/** Whether a date is on the day of a start; it stays on its own where that is undefined. */
function isOnDay({ recurrence_id }: SeriesDateTable, start: string | undefined): boolean {
  return start === undefined || start.slice(0, 10) === recurrence_id.slice(0, 10)
}
