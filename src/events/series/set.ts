import { firstDateOf, storedRecurrence } from '../../event-store/series/recurring.ts'
import type { SeriesState } from '../../event-store/series/state.ts'
import type { Transaction } from '../../storage/engine.ts'
import { readClock } from '../../time/clock.ts'
import { divideRecurrence, excludeDate, includeDate } from '../../time/recurrence/change.ts'
import type { Recurrence } from '../../time/recurrence/lines.ts'
import { inSteps } from '../../time/recurrence/steps.ts'
import { type Holding, holdingSteps, withDates } from './dates.ts'
import { type DateInSeries, recurringBy, refusedField, roomIn } from './state.ts'

const NOTHING: Recurrence = { rule: undefined, added: [], excluded: [] }

/** A series without one of its dates: EXDATE names it. The last one may go, too. */
export async function dateTakenOut(
  tx: Transaction,
  { state, date }: DateInSeries,
  holding: Holding,
): Promise<SeriesState> {
  const recurrence = excludeDate(storedRecurrence(state.base.row) ?? NOTHING, date.recurrence_id)
  return recurringBy(tx, state, { recurrence, holding, mayBeEmpty: true })
}

/** A series with a date that is out: EXDATE names it no more, or RDATE does where the rule does not give it. */
export async function dateBroughtBack(
  tx: Transaction,
  { state: stored, date }: DateInSeries,
  holding: Holding,
): Promise<SeriesState> {
  const start = date.recurrence_id
  // Of several that are out and have this start, the last one comes back.
  const state = { ...stored, dates: [...stored.dates.filter(({ id }) => id !== date.id), date] }
  if (state.dates.some((one) => one.position > 0 && one.recurrence_id === start))
    throw refusedField('status', 'date_is_there')
  const recurrence = includeDate(storedRecurrence(state.base.row) ?? NOTHING, start)
  const room = roomIn(state, holding, { isRuleKept: true })
  const steps = holdingSteps(state.base.row, recurrence, { ...holding, room })
  const held = await inSteps(steps, () => tx.pause())
  if (held.ok && held.starts.includes(start)) return withDates(tx, state, held)
  if (start < state.base.row.start_local) throw refusedField('status', 'date_before_series')
  const added = [...recurrence.added, { seconds: readClock(start), zone: undefined }]
  const sorted = added.sort((one, other) => one.seconds - other.seconds)
  return recurringBy(tx, state, { recurrence: { ...recurrence, added: sorted }, holding })
}

/** What a series recurs by before one of its further dates, and from that on; undefined for a part that recurs no more. */
export function dividedAt({ state, date }: DateInSeries): Readonly<Record<'before' | 'after', Recurrence | undefined>> {
  const { row } = state.base
  const recurrence = storedRecurrence(row)
  const divided = recurrence && divideRecurrence(recurrence, firstDateOf(row), date.recurrence_id)
  if (divided === undefined) throw refusedField('scope', 'bad_division')
  return { before: orNone(divided.before), after: orNone(divided.after) }
}

function orNone(recurrence: Recurrence): Recurrence | undefined {
  const { rule, added, excluded } = recurrence
  return rule === undefined && added.length + excluded.length === 0 ? undefined : recurrence
}
