import type { EventValues } from '../../../model/event.ts'
import { COMMON_FIELDS } from '../../../model/event-parts.ts'
import type { Transaction } from '../../../storage/engine.ts'
import type { EventState } from '../../event-store/copies.ts'
import type { EventRow, Occasion } from '../../event-store/event-row.ts'
import { exceptionOf } from '../../event-store/series/recurring.ts'
import { isOut, shownDate } from '../../event-store/series/shown.ts'
import { type SeriesState, stateOfDate } from '../../event-store/series/state.ts'
import { takeEventId } from '../../event-store/write.ts'
import { resolveLinks, resolveRow } from '../write/resolve-state.ts'
import { exceptionState } from './dates.ts'
import { ownFields } from './fields.ts'
import { dateBroughtBack, dateTakenOut } from './set.ts'
import { type DateInSeries, refusedField, type SeriesWrite } from './state.ts'

/** A series of which one date is changed: it becomes an exception, or none any more where it is like the others again. */
export async function changedDate(
  tx: Transaction,
  { state: before, date: named }: DateInSeries,
  { change, writing }: SeriesWrite,
): Promise<SeriesState> {
  const state = await moved(tx, { state: before, date: named }, { change, writing })
  const date = state.dates.find(({ id }) => id === named.id) ?? named
  const { status: _, ...values } = change.values
  const shown = stateOfDate(state, date)
  const own = await ownState(tx, shown, { change: { ...change, values }, writing })
  const { occasion: _usual, ...usual } = shownDate({ series: state.base.row, date })
  const exception = state.exceptions.get(date.id)
  const had = (exception && exceptionOf(exception.row)?.fields) ?? []
  const names = ownFields(values, { had, own, usual: { row: usual, links: state.base.links } })
  const exceptions = new Map(state.exceptions)
  exceptions.delete(date.id)
  const id = names.length === 0 ? null : (date.exception_id ?? (await takeEventId(tx)))
  if (id !== null) {
    const { revision = 1, modified_at = own.row.modified_at } = exception?.row ?? {}
    const row = { ...own.row, id, revision, modified_at }
    exceptions.set(date.id, exceptionState(state.base, { date, own: { row, links: own.links }, names }))
  }
  const dates = state.dates.map((one) => (one.id === date.id ? { ...one, exception_id: id } : one))
  return { ...state, dates, exceptions }
}

/** The series after what the status says: `trash` takes the date out, that of the series restores it. */
async function moved(
  tx: Transaction,
  { state, date }: DateInSeries,
  { change: { values }, writing }: SeriesWrite,
): Promise<SeriesState> {
  refuseCommon(values, stateOfDate(state, date).row)
  const { status } = values
  if (status === undefined) return state
  if (status === 'trash') return isOut(date) ? state : dateTakenOut(tx, { state, date }, writing)
  if (isOut(date)) return dateBroughtBack(tx, { state, date }, writing)
  if (status === state.base.row.status) return state
  throw refusedField('status', 'common_to_series')
}

/** What all dates have in common cannot be changed for one of them. @throws rest_invalid_param */
function refuseCommon(values: EventValues, row: EventRow): void {
  const same: Readonly<Record<string, boolean>> = {
    status: true,
    author: values.author === row.author_id,
    password: values.password === '' && row.password_hash === null,
    post_parent: values.post_parent === row.post_parent,
  }
  const name = COMMON_FIELDS.find((one) => values[one] !== undefined && same[one] !== true)
  if (name !== undefined) throw refusedField(name, 'common_to_series')
}

async function ownState(
  tx: Transaction,
  shown: EventState & { readonly row: EventRow },
  { change, writing }: SeriesWrite,
): Promise<EventState> {
  const { occasion, ...row } = shown.row
  // The trash leaves the slugs of single dates as they are; their status is that of the series.
  const status = row.status === 'trash' ? 'draft' : row.status
  const stored = { ...row, status, previous_start: row.previous_start ?? ruledStart(row, occasion) }
  const { author: _author, password: _password, post_parent: _parent, ...values } = change.values
  const own = { ...writing, password: undefined }
  const { links } = await resolveLinks(tx, { change, stored: shown.links, writing })
  const resolved = await resolveRow(tx, { id: stored.id, stored, change: { ...change, values }, writing: own })
  return { row: resolved, links }
}

/** When a date that has been moved was to start: its rule knows, even if its fate is only decided later. */
function ruledStart({ start_local, timezone }: EventRow, occasion: Occasion | undefined): string | null {
  if (occasion === undefined || occasion.series.timezone !== timezone) return null
  const { recurrence_id } = occasion.date
  return recurrence_id === start_local ? null : recurrence_id
}
