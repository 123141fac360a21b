import { setImmediate } from 'node:timers/promises'
import { withValues } from '../../../base/i18n/translate.ts'
import { inSteps } from '../../../base/time/recurrence/steps.ts'
import { checkingSteps, type Holding } from '../../../calendar/events/index.ts'
import { placeText } from '../readers/json/members.ts'
import type { Skipped } from '../types.ts'
import type { PlannedEvent } from './planned.ts'

/** Rows that one transaction of an import writes; a single series is not divided. */
const MOST_ROWS = 10_000

/** Dates of series in one file, and dates that are counted before the rest of its series is left out unseen. */
const MOST_DATES = { stored: 100_000, counted: 300_000 } as const

/** A site is no file: it is read in many small parts. */
export const NO_BOUND = { stored: Number.POSITIVE_INFINITY, counted: Number.POSITIVE_INFINITY } as const

/** Rows for an item, and further ones for each date of a series, with those for words, counters and the journal. */
const ROWS = { item: 60, date: 6 } as const

/** The events of a file that are imported, and the dates of those that recur. */
export interface BoundedEvents {
  readonly events: readonly PlannedEvent[]
  readonly dates: ReadonlyMap<PlannedEvent, number>
  readonly skipped: readonly Skipped[]
}

/** Leaves out series beyond the dates that a file may have, in its order. */
export async function boundDates(
  planned: readonly PlannedEvent[],
  holding: Holding,
  most: Readonly<Record<'stored' | 'counted', number>> = MOST_DATES,
): Promise<BoundedEvents> {
  const events: PlannedEvent[] = []
  const dates = new Map<PlannedEvent, number>()
  const skipped: Skipped[] = []
  const why = withValues('import.problem.tooManyDates', { count: most.stored })
  let stored = 0
  let counted = 0
  for (const event of planned) {
    const count = counted > most.counted && event.series !== undefined ? most.stored : await datesOf(event, holding)
    counted += count
    if (count > 0 && stored + count > most.stored) {
      skipped.push({ what: placeText(event.place), why })
      continue
    }
    stored += count
    if (count > 0) dates.set(event, count)
    events.push(event)
  }
  return { events, dates, skipped }
}

/** How many dates of an event are stored; 0 for a single one. */
async function datesOf({ series, columns }: PlannedEvent, holding: Holding): Promise<number> {
  if (series === undefined) return 0
  const held = await inSteps(checkingSteps(columns, series.lines, holding), () => setImmediate())
  // Lists of dates from another Kalends may be longer than those that are sent.
  return held.ok ? held.starts.length : series.lines.join().split(',').length
}

/** Items in portions for one transaction each, by the rows that they write. */
export function* portionsOf<Item extends object>(
  items: readonly Item[],
  dates: ReadonlyMap<object, number>,
): Generator<Item[], void, void> {
  let portion: Item[] = []
  let rows = 0
  for (const item of items) {
    const own = ROWS.item + rowsOfDates(item, dates.get(item) ?? 0)
    if (portion.length > 0 && rows + own > MOST_ROWS) {
      yield portion
      portion = []
      rows = 0
    }
    portion.push(item)
    rows += own
  }
  if (portion.length > 0) yield portion
}

function rowsOfDates(item: object, dates: number): number {
  if (!('series' in item)) return 0
  const { series, venue, organizer, category, tag } = item as PlannedEvent
  const links = [venue, organizer, category, tag].reduce((sum, { length }) => sum + length, 0)
  return dates * (ROWS.date + links) + (series?.dates.length ?? 0) * ROWS.item
}
