import type { Reader } from '../../../storage/engine.ts'
import type { SeriesDateTable } from '../../../storage/schema.ts'
import { type EventLinks, type EventRow, linksOf, NO_LINKS, sourceOf } from '../../event-store/event-row.ts'
import { isOut } from '../../event-store/series/shown.ts'
import { inSlices, pauseIfLong } from '../../event-store/series/slices.ts'
import { type SeriesState, seriesState, stateOfDate } from '../../event-store/series/state.ts'
import { TAKING, type TakenTime } from './store.ts'

/**
 * When and where an event takes place with all its dates, one for each venue; canceled and trashed ones are nowhere. `known`
 * are the links of an event without dates, where they were read before.
 */
export async function placementsOf(reader: Reader, row: EventRow, known?: EventLinks): Promise<TakenTime[]> {
  const { occasion } = row
  if (occasion !== undefined) return placementsOfState(reader, await seriesState(reader, occasion.series))
  const links = known ?? (await linksOf(reader, [row.id])).get(row.id) ?? NO_LINKS
  return placed(row, links.venue)
}

/** The same of an event as it is to be stored. */
export async function placementsOfState(reader: Reader, state: SeriesState): Promise<TakenTime[]> {
  const { base, dates } = state
  if (dates.length === 0) return placed(base.row, base.links.venue)
  await pauseIfLong(reader, state)
  const placements: TakenTime[] = []
  const step = async (slice: readonly SeriesDateTable[]): Promise<void> => {
    for (const date of slice.filter((one) => !isOut(one))) {
      const shown = stateOfDate(state, date)
      placements.push(...placed(shown.row, shown.links.venue))
    }
  }
  await inSlices(reader, dates, { step })
  return placements
}

function placed(row: EventRow, venues: readonly number[]): TakenTime[] {
  const { id, start_utc: start, end_utc: end, status, author_id: author, event_status } = row
  if (status === 'trash' || event_status === 'canceled') return []
  return venues.map((venue) => ({ id, venue, start, end, status, author, event: sourceOf(row) }))
}

/** Whether an event that is placed there takes the venue: a draft does not. */
export function takesVenue({ status }: Pick<TakenTime, 'status'>): boolean {
  return TAKING.includes(status)
}

/** The time from the first start to the last end; undefined for no times. */
export function windowOf(times: readonly { readonly start: string; readonly end: string }[]) {
  const [first] = times
  if (first === undefined) return undefined
  let { start, end } = first
  for (const one of times) {
    if (one.start < start) start = one.start
    if (one.end > end) end = one.end
  }
  return { start, end }
}
