import type { Reader } from '../../../storage/engine.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import { countDates } from '../../event-store/series/rows.ts'
import type { ResolvedChange } from '../write/resolve.ts'

/** How many rows a write of an event changes: the dates that its series has, and those that its recurrence gives. */
export async function rowsOfWrite(
  reader: Reader,
  stored: EventRow | undefined,
  resolved: ResolvedChange | undefined,
): Promise<number> {
  const series = stored?.occasion?.series.id
  const before = series === undefined ? 0 : await countDates(reader, series)
  return Math.max(1, before + (resolved?.dates ?? 0))
}
