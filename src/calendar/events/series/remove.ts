import { fail } from '../../../base/errors.ts'
import type { SeriesScope } from '../../../model/scope.ts'
import type { Transaction } from '../../../storage/engine.ts'
import type { EventRow } from '../../event-store/event-row.ts'
import { isOut } from '../../event-store/series/shown.ts'
import { pauseIfLong } from '../../event-store/series/slices.ts'
import type { SeriesState } from '../../event-store/series/state.ts'
import { deleteSeries, writeSeries } from '../../event-store/series/write.ts'
import { freeSlug } from '../../shared/slugs.ts'
import { trashedSlug } from '../../shared/trash.ts'
import { following, type Holding } from './dates.ts'
import { dateTakenOut, dividedAt } from './set.ts'
import { settled } from './single.ts'
import { type DateInSeries, openSeries, recurringBy, scopeOf, shownIn } from './state.ts'

/** A removal of a recurring event, or of some of its dates. */
export interface SeriesRemoval {
  readonly scope: SeriesScope | undefined
  /** For good instead of to the trash. */
  readonly force: boolean
  readonly cause: { readonly actor: number | null; readonly at: string }
  readonly holding: Holding
}

/** Removes a recurring event or dates of it; the named one as it is then, undefined where it is gone permanently. */
export async function removeFromSeries(
  tx: Transaction,
  shown: EventRow,
  { scope: sent, force, cause, holding }: SeriesRemoval,
): Promise<EventRow | undefined> {
  const { state, date } = await openSeries(tx, shown)
  await pauseIfLong(tx, state)
  const scope = scopeOf(sent, shown)
  if (scope === 'all' && force) {
    await deleteSeries(tx, state, cause)
    return undefined
  }
  if (scope === 'all') {
    if (state.base.row.status === 'trash') throw fail('event-is-in-trash')
    const after = following({ ...state, base: { ...state.base, row: await trashedRow(tx, state) } })
    return shownIn(await writeSeries(tx, { before: state, after, cause: { ...cause, action: 'trash' } }), date.id)
  }
  if (!force && isOut(date)) throw fail('event-is-in-trash')
  const ended = await (scope === 'this' ? withoutDate : endedBefore)(tx, { state, date }, holding)
  const left = await settled(tx, ended, holding)
  const gone = force
    ? new Set(state.dates.filter((one) => isGone(one, { state, date, scope })).map(({ id }) => id))
    : new Set()
  const after = {
    ...left,
    dates: left.dates.filter(({ id }) => !gone.has(id)),
    exceptions: new Map([...left.exceptions].filter(([id]) => !gone.has(id))),
  }
  const stored = await writeSeries(tx, { before: state, after, cause: { ...cause, action: 'update' } })
  return gone.has(date.id) ? undefined : shownIn(stored, date.id)
}

function isGone(
  one: DateInSeries['date'],
  { state, date, scope }: DateInSeries & { readonly scope: SeriesScope },
): boolean {
  if (one.id === state.base.row.id) return false
  return scope === 'this' ? one.id === date.id : one.recurrence_id >= date.recurrence_id
}

async function withoutDate(tx: Transaction, named: DateInSeries, holding: Holding): Promise<SeriesState> {
  return isOut(named.date) ? named.state : dateTakenOut(tx, named, holding)
}

async function endedBefore(tx: Transaction, { state, date }: DateInSeries, holding: Holding): Promise<SeriesState> {
  const recurrence = dividedAt({ state, date }).before
  return recurringBy(tx, state, { recurrence, holding, mayBeEmpty: true })
}

async function trashedRow(tx: Transaction, { base: { row } }: SeriesState): Promise<SeriesState['base']['row']> {
  const slug = await freeSlug(tx, { table: 'event', slug: trashedSlug(row.slug), id: row.id })
  return { ...row, status: 'trash', trashed_from: row.status, slug }
}
