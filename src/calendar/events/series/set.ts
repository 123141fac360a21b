import { readClock } from '../../../base/time/clock.ts'
import { startOfDay } from '../../../base/time/ranges.ts'
import { divideRecurrence, excludeDate, includeDate } from '../../../base/time/recurrence/change.ts'
import { isEndless } from '../../../base/time/recurrence/dates.ts'
import type { Recurrence } from '../../../base/time/recurrence/lines.ts'
import { inSteps } from '../../../base/time/recurrence/steps.ts'
import type { Transaction } from '../../../storage/engine.ts'
import { firstDateOf, momentsOfDate, storedRecurrence } from '../../event-store/series/recurring.ts'
import { isOut } from '../../event-store/series/shown.ts'
import type { SeriesState } from '../../event-store/series/state.ts'
import { type Holding, holdingSteps, withDates } from './dates.ts'
import { withDateAt } from './shift.ts'
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
  { state: stored, date: { id, recurrence_id } }: DateInSeries,
  holding: Holding,
): Promise<SeriesState> {
  // It may have gone before its event lasted whole days.
  const start = stored.base.row.all_day === 1 ? startOfDay(recurrence_id) : recurrence_id
  if (stored.dates.some((one) => one.position > 0 && one.recurrence_id === start))
    throw refusedField('status', 'date_is_there')
  const placed = withDateAt(stored, id, start)
  // Of several that are out and have this start, the last one comes back.
  const [others, named] = [placed.dates.filter((one) => one.id !== id), placed.dates.filter((one) => one.id === id)]
  const state = { ...placed, dates: [...others, ...named] }
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

/** What a series recurs by in two parts; undefined for a part that recurs no more. */
export interface DividedSeries {
  readonly before: Recurrence | undefined
  readonly after: Recurrence | undefined
  /** `recurrenceId` of the date that the second part starts with; an earlier one that it takes out, where its rule needs that. */
  readonly begin: string
}

/**
 * What a series recurs by before one of its further dates, and from that on. Dates after which no second rule gives the same
 * ones are listed, unless there is no end to them or other lines come in their place anyway (`isReplaced`).
 */
export function dividedAt({ state, date }: DateInSeries, isReplaced = false): DividedSeries {
  const { row } = state.base
  const recurrence = storedRecurrence(row)
  if (recurrence === undefined) throw refusedField('scope', 'bad_division')
  const at = date.recurrence_id
  const { before, after, begin } = divideRecurrence(recurrence, firstDateOf(row), at)
  const divided = { before: orNone(before), after: orNone(after), begin }
  if (begin === at) return divided
  const later = state.dates.filter((one) => !isOut(one) && one.recurrence_id > at)
  const isFree = later.every((one) => one.recurrence_id > momentsOfDate(row, at).start_local)
  if (!isReplaced && (isEndless(recurrence) || !isFree)) return divided
  const added = later.map((one) => ({ seconds: readClock(one.recurrence_id), zone: undefined }))
  return { ...divided, after: orNone({ ...NOTHING, added }), begin: at }
}

function orNone(recurrence: Recurrence): Recurrence | undefined {
  const { rule, added, excluded } = recurrence
  return rule === undefined && added.length + excluded.length === 0 ? undefined : recurrence
}
