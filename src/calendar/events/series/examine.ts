import { datesOf, workSince } from '../../../base/time/recurrence/dates.ts'
import type { Reader, Transaction } from '../../../storage/engine.ts'
import type { EventTable } from '../../../storage/schema.ts'
import { firstDateOf, recurringOf, storedRecurrence } from '../../event-store/series/recurring.ts'
import { datesOfSeries } from '../../event-store/series/rows.ts'
import { seriesState } from '../../event-store/series/state.ts'
import { writeSeries } from '../../event-store/series/write.ts'
import { withDates } from './dates.ts'

/** The starts that the rule of a recurring event gives, as far as they are held; undefined for a rule that cannot be read. */
function ruledStarts(row: EventTable): readonly string[] | undefined {
  const { lines = [], until } = recurringOf(row) ?? {}
  if (lines.length === 0) return [row.start_local]
  const recurrence = storedRecurrence(row)
  if (recurrence === undefined) return undefined
  const found = datesOf(recurrence, firstDateOf(row), {
    // Over time, rules without end get more dates than anyone may write.
    most: Number.POSITIVE_INFINITY,
    ...(until !== undefined && { horizon: until, work: workSince(row.start_local, until) }),
  })
  if (found.ok) return found.dates.map(({ recurrenceId }) => recurrenceId)
  return found.problem.part === 'EXDATE' ? [] : undefined
}

/** Whether the stored dates of a recurring event are not those that its rule gives, or not in their order. */
export async function areDatesBroken(reader: Reader, row: EventTable): Promise<boolean> {
  const stored = (await datesOfSeries(reader, row.id)).filter(({ position }) => position > 0)
  const wanted = ruledStarts(row)
  if (wanted === undefined || wanted.length !== stored.length) return true
  return stored.some(({ recurrence_id, position }, index) => position !== index + 1 || recurrence_id !== wanted[index])
}

/** Gives a recurring event the dates of its rule; those that are right keep their IDs. A rule that cannot be read is left. */
export async function repairDates(tx: Transaction, row: EventTable): Promise<void> {
  const starts = ruledStarts(row)
  if (starts === undefined) return
  const before = await seriesState(tx, row)
  const after = await withDates(tx, before, { ok: true, starts, recurring: recurringOf(row) ?? { lines: [] } })
  const at = row.modified_at
  await writeSeries(tx, { before, after, cause: { actor: null, action: 'update', at, modified: at } })
}
