import { isEndless } from '../../../base/time/recurrence/dates.ts'
import type { Recurrence } from '../../../base/time/recurrence/lines.ts'
import { type MoveOfAll, midnightOf, movedStart } from '../../../base/time/recurrence/move.ts'
import type { SeriesDateTable } from '../../../storage/schema.ts'
import { isOut, withAddress } from '../../event-store/series/shown.ts'
import type { SeriesState } from '../../event-store/series/state.ts'
import { DayPlaces } from './dates.ts'

/** What a series recurs by after its start has moved. */
interface Shifted {
  readonly recurrence: Recurrence
  /** Starts of its dates, ascending. */
  readonly starts: readonly string[]
  readonly move: MoveOfAll
}

/**
 * Whether all dates of a series shift by the same amount when its start moves. Where the number of dates changes as well,
 * further ones may come or go at the end, but none may be on as it was: such dates stay, and others come before them.
 */
export function isShift({ dates }: SeriesState, { recurrence, starts, move }: Shifted): boolean {
  const held = dates.flatMap((date) => (isOut(date) ? [] : [date.recurrence_id]))
  const moved = [...new Set(held.map((start) => movedStart(start, move)))]
  const both = Math.min(moved.length, starts.length)
  if (starts.slice(0, both).some((start, index) => start !== moved[index])) return false
  if (moved.length === starts.length || isEndless(recurrence)) return true
  const were = new Set(held)
  return !starts.some((start) => were.has(start))
}

/** A series whose dates have all moved, those in the trash with them: each keeps its ID and what it has for itself. */
export function withShiftedDates(state: SeriesState, move: MoveOfAll): SeriesState {
  return withDatesAt(state, ({ recurrence_id }) => movedStart(recurrence_id, move))
}

/** A series of which one date has another start. */
export function withDateAt(state: SeriesState, id: number, start: string): SeriesState {
  return withDatesAt(state, (date) => (date.id === id ? start : date.recurrence_id))
}

/** EXDATE as it was, of an event that does not shift: whole days where it lasts whole days from now on. */
export function unshifted({ excluded }: Recurrence, { to }: MoveOfAll): Recurrence['excluded'] {
  if (!to.isAllDay) return excluded
  const days = new Set(excluded.map(({ seconds }) => midnightOf(seconds)))
  return [...days].map((seconds) => ({ seconds, zone: undefined }))
}

function withDatesAt(state: SeriesState, startOf: (date: SeriesDateTable) => string): SeriesState {
  const isFurther = ({ id, series_id }: SeriesDateTable): boolean => id !== series_id
  const isOnDay = (date: SeriesDateTable): boolean => startOf(date).slice(0, 10) === date.recurrence_id.slice(0, 10)
  const days = new DayPlaces(state.dates.filter((date) => isFurther(date) && isOnDay(date)))
  const dates = state.dates.map((date): SeriesDateTable => {
    if (!isFurther(date)) return date
    const recurrence_id = startOf(date)
    if (isOnDay(date)) return { ...date, recurrence_id }
    return { ...withAddress(state.base.row, date), recurrence_id, of_day: days.next(recurrence_id.slice(0, 10)) }
  })
  return { ...state, dates }
}
