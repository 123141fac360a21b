import type { Transaction } from '../../../storage/engine.ts'
import type { EventState } from '../../event-store/copies.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import { formerSlugsOf, keepFormerSlugs } from '../../event-store/former-slugs.ts'
import { withoutAddresses } from '../../event-store/series/free-slugs.ts'
import { momentsOfDate, previousStartOfDate } from '../../event-store/series/recurring.ts'
import { isOut, withAddress } from '../../event-store/series/shown.ts'
import { pauseIfLong } from '../../event-store/series/slices.ts'
import { NO_DATES, writeSeries } from '../../event-store/series/write.ts'
import { takeEventId } from '../../event-store/write.ts'
import { freeSlug } from '../../shared/slugs.ts'
import { changeAction } from '../../shared/trash.ts'
import { changedAll, readLines } from './change-all.ts'
import { changedDate } from './change-date.ts'
import { dividedAt } from './set.ts'
import { settled } from './single.ts'
import {
  type DateInSeries,
  openSeries,
  recurringBy,
  refusedField,
  type SeriesWrite,
  scopeOf,
  shownIn,
} from './state.ts'

/** Stores a new event with all its dates. */
export async function createSeries(
  tx: Transaction,
  base: EventState,
  { change, writing }: SeriesWrite,
): Promise<EventRow> {
  const recurrence = await readLines(tx, base.row, { lines: change.values.recurrence ?? [], source: 'sent' })
  const after = await recurringBy(tx, { base, ...NO_DATES }, { recurrence, holding: writing })
  const cause = { actor: writing.caller.id, action: 'create', at: base.row.modified_at } as const
  return shownIn(await writeSeries(tx, { before: NO_DATES, after, cause }), base.row.id)
}

/** Changes a recurring event, or makes one of a plain event; the date that was named, as it is then. */
export async function changeSeries(tx: Transaction, shown: EventRow, write: SeriesWrite): Promise<EventRow> {
  const scope = scopeOf(write.scope, shown)
  const { state, date } = await openSeries(tx, shown)
  await pauseIfLong(tx, state)
  const { caller, at } = write.writing
  const cause = { actor: caller.id, action: 'update', at } as const
  if (scope !== 'following') {
    const change = scope === 'this' ? changedDate : changedAll
    const after = await settled(tx, await change(tx, { state, date }, write), write.writing)
    const action = changeAction(state.base.row.status, after.base.row.status)
    return shownIn(await writeSeries(tx, { before: state, after, cause: { ...cause, action } }), date.id)
  }
  // No series can start with a date that does not take place.
  if (isOut(date)) throw refusedField('scope', 'date_in_trash')
  const { ending, beginning } = await inTwo(tx, { state, date }, write)
  const begun = beginning.after.dates.find(({ id }) => id === date.id) ?? date
  const begunId = beginning.after.base.row.id
  const begunBy = { ...write, begins: begunId !== date.id }
  const changed = await changedAll(tx, { state: beginning.after, date: begun }, begunBy)
  const after = withoutAddresses(changed, beginning.after.base.row.slug)
  await tx.run(tx.db.updateTable('entry').set({ kind: 'event' }).where('id', '=', begunId))
  const begins = { before: beginning.before, after, countedBefore: NO_DATES }
  const stored = await writeSeries(tx, { ...begins, cause: { ...cause, action: 'create' } })
  await writeSeries(tx, { ...ending, countedBefore: state, cause })
  // Its dates had their addresses below those of the series that they belonged to.
  const { id, slug } = state.base.row
  await keepFormerSlugs(tx, begunId, [...(await formerSlugsOf(tx, id)), { slug, at: cause.at }])
  return shownIn(stored, date.id)
}

/**
 * A series that ends before one of its further dates, and a new one that starts with it: its dates keep their IDs and
 * addresses, and COUNT is divided. Where its rule needs an earlier date to continue from, that is the one of the new event,
 * taken out.
 */
async function inTwo(tx: Transaction, { state, date }: DateInSeries, { change, writing: holding }: SeriesWrite) {
  const { row } = state.base
  const divided = dividedAt({ state, date }, change.values.recurrence !== undefined)
  const id = divided.begin === date.recurrence_id ? date.id : await takeEventId(tx)
  const isBefore = (one: DateInSeries['date']): boolean => one.id === row.id || one.recurrence_id < date.recurrence_id
  const before = new Set(state.dates.filter(isBefore).map(({ id }) => id))
  const keepAddress = (one: DateInSeries['date']): DateInSeries['date'] => withAddress(row, one)
  const part = (isWanted: boolean) => ({
    dates: state.dates.filter(({ id }) => before.has(id) === isWanted).map(isWanted ? (one) => one : keepAddress),
    exceptions: new Map([...state.exceptions].filter(([id]) => before.has(id) === isWanted)),
  })
  const ended = { base: state.base, ...part(true) }
  const slug = await freeSlug(tx, { table: 'event', slug: row.slug, id })
  const moments = { ...momentsOfDate(row, divided.begin), previous_start: previousStartOfDate(row, divided.begin) }
  const begun = { ...row, ...moments, id, slug, recurrence: null }
  const moving = part(false)
  const moved = { ...moving, base: { row: begun, links: state.base.links } }
  const left = await recurringBy(tx, ended, { recurrence: divided.before, holding, mayBeEmpty: true })
  return {
    ending: { before: ended, after: await settled(tx, left, holding) },
    beginning: {
      before: moving,
      after: await recurringBy(tx, moved, { recurrence: divided.after, holding, mayBeEmpty: true }),
    },
  }
}
