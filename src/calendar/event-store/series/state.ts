import type { Reader } from '../../../storage/engine.ts'
import type { EventTable, SeriesDateTable } from '../../../storage/schema.ts'
import type { EventState } from '../copies.ts'
import { type EventRow, linksOf, NO_LINKS } from '../event-row.ts'
import { datesOfSeries, storedEvents } from './rows.ts'
import { shownDate } from './shown.ts'

/** What is stored of a recurring event. */
export interface SeriesState {
  /** What all its dates have in common. */
  readonly base: EventState
  /** All its dates with those that were taken out, by their start; none before it recurs. */
  readonly dates: readonly SeriesDateTable[]
  /** What dates have for themselves, by the ID of the date. */
  readonly exceptions: ReadonlyMap<number, EventState>
}

/** What is stored of an event that recurs, or of one that does not yet. */
export async function seriesState(reader: Reader, row: EventTable): Promise<SeriesState> {
  const dates = row.recurrence === null ? [] : await datesOfSeries(reader, row.id)
  const ids = dates.flatMap(({ exception_id }) => exception_id ?? [])
  const rows = new Map((await storedEvents(reader, ids)).map((one) => [one.id, one]))
  const links = await linksOf(reader, [row.id, ...ids])
  const stateOf = (one: EventTable): EventState => ({ row: one, links: links.get(one.id) ?? NO_LINKS })
  const exceptions = dates.flatMap(({ id, exception_id }): [number, EventState][] => {
    const exception = exception_id === null ? undefined : rows.get(exception_id)
    return exception === undefined ? [] : [[id, stateOf(exception)]]
  })
  return { base: stateOf(row), dates, exceptions: new Map(exceptions) }
}

/** A date of a recurring event as if it were an event by itself. */
export function stateOfDate({ base, exceptions }: SeriesState, date: SeriesDateTable): EventState & { row: EventRow } {
  const exception = exceptions.get(date.id)
  const row = shownDate({ series: base.row, date, exception: exception?.row })
  return { row, links: (exception ?? base).links }
}
