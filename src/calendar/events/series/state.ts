import { workSince } from '../../../base/time/recurrence/dates.ts'
import { MOST_DATES, type Recurrence } from '../../../base/time/recurrence/lines.ts'
import { inSteps } from '../../../base/time/recurrence/steps.ts'
import { writeRecurrence } from '../../../base/time/recurrence/write.ts'
import { localFromMillis } from '../../../base/time/zones.ts'
import { refusedFailure } from '../../../http/params.ts'
import type { Reason } from '../../../model/kinds/kind.ts'
import type { SeriesScope } from '../../../model/scope.ts'
import type { Reader, Transaction } from '../../../storage/engine.ts'
import type { EventTable, SeriesDateTable } from '../../../storage/schema.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import { findStoredEvent } from '../../event-store/rows.ts'
import { firstDateOf, recurringOf, recursNoMore } from '../../event-store/series/recurring.ts'
import { isOut } from '../../event-store/series/shown.ts'
import { pauseIfLong } from '../../event-store/series/slices.ts'
import { type SeriesState, seriesState, stateOfDate } from '../../event-store/series/state.ts'
import type { EventChange, Writing } from '../write/writing.ts'
import { type DatesRoom, type HeldDates, type Holding, holdingSteps, withDates } from './dates.ts'

/** A change of a recurring event, or of some of its dates. */
export interface SeriesWrite {
  /** Undefined where the ID that was named says it, see `scopeOf`. */
  readonly scope?: SeriesScope | undefined
  readonly change: EventChange
  readonly writing: Writing
}

/** One date of what is stored of a series. */
export interface DateInSeries {
  readonly state: SeriesState
  readonly date: SeriesDateTable
}

/** Whether a shown event is the first date of its series, or plain: its ID is that of the event. */
function isFirst({ id, occasion }: EventRow): boolean {
  return occasion === undefined || id === occasion.series.id
}

/**
 * Which dates a write is about: all where the ID of the event is named, this where that of a further date is. An event that
 * recurs no more is written as a whole.
 */
export function scopeOf(scope: SeriesScope | undefined, shown: EventRow): SeriesScope {
  if (!isFirst(shown)) return scope ?? 'this'
  return scope === 'this' && !recursNoMore(shown) ? 'this' : 'all'
}

/** What is stored of the series that a shown event belongs to, and its date; a plain event is its only date. */
export async function openSeries(reader: Reader, shown: EventRow): Promise<DateInSeries> {
  const id = shown.occasion?.series.id ?? shown.id
  const row = await findStoredEvent(reader, { by: 'id', id })
  if (row === undefined) throw new Error(`event ${id} has gone within its own transaction`)
  const state = await seriesState(reader, row)
  return { state, date: state.dates.find((one) => one.id === shown.id) ?? onlyDate(row) }
}

function onlyDate({ id, start_local }: EventTable): SeriesDateTable {
  return { id, series_id: id, recurrence_id: start_local, position: 1, of_day: 1, exception_id: null, address: null }
}

/** A date of a series as it is shown. */
export function shownIn(state: SeriesState, id: number): EventRow {
  const date = state.dates.find((one) => one.id === id)
  return date === undefined ? state.base.row : stateOfDate(state, date).row
}

/** What a series is to recur by. */
export interface NewRecurrence {
  /** Undefined for none. */
  readonly recurrence: Recurrence | undefined
  readonly holding: Holding
  /** Whether EXDATE may take all dates out. */
  readonly mayBeEmpty?: boolean
  /** Whether an import has counted its dates: a rule without end may have got another one since then. */
  readonly isCounted?: boolean
}

/** A series with another recurrence. @throws rest_invalid_param when it gives no date, or too many */
export async function recurringBy(tx: Transaction, state: SeriesState, wanted: NewRecurrence): Promise<SeriesState> {
  return withDates(tx, state, await heldBy(tx, state, wanted))
}

/** The dates that another recurrence gives a series. @throws rest_invalid_param when it gives no date, or too many */
export async function heldBy(
  tx: Transaction,
  state: SeriesState,
  { recurrence, holding, mayBeEmpty = false, isCounted = false }: NewRecurrence,
): Promise<Extract<HeldDates, { ok: true }>> {
  const { row } = state.base
  const room = roomIn(state, holding, { isRuleKept: mayBeEmpty, isCounted })
  const held = await inSteps(holdingSteps(row, recurrence, { ...holding, room }), () => tx.pause())
  if (!held.ok && mayBeEmpty && recurrence !== undefined && held.problem.part === 'EXDATE') {
    const lines = writeRecurrence(recurrence, firstDateOf(row))
    return { ok: true, starts: [], recurring: { ...recurringOf(row), lines } }
  }
  if (!held.ok) throw refusedField('recurrence', 'bad_recurrence', `${held.problem.part} ${held.problem.reason}`)
  await pauseIfLong(tx, { dates: held.starts })
  return held
}

/**
 * How many dates a series may have after a change: 5,000, or as many as it has if time has added more than that. What
 * time adds refuses no change: further dates of a rule without end, unless the rule itself was sent, come later.
 */
export function roomIn(
  { base, dates }: SeriesState,
  { now }: Holding,
  { isRuleKept, isCounted = false }: { readonly isRuleKept: boolean; readonly isCounted?: boolean },
): DatesRoom {
  const held = dates.filter((date) => !isOut(date))
  const most = Math.max(MOST_DATES, held.length)
  const isNew = held.length === 0 && !isCounted
  if (held.length <= MOST_DATES && (isNew || !isRuleKept)) return { most }
  const local = localFromMillis(now, base.row.timezone)
  const begun = held.filter(({ recurrence_id }) => recurrence_id <= local).length
  return { most, cutAt: Math.max(held.length, MOST_DATES + begun), work: workSince(base.row.start_local, local) }
}

/** The 400 of a field that does not fit what is stored. */
export function refusedField(name: string, reason: Reason, detail?: string): Error {
  const refusal = { name, code: 'rest_invalid_param', reason, ...(detail !== undefined && { detail }) } as const
  return refusedFailure([refusal], [name], 'en')
}
