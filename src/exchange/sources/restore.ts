import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { changeRemoved, forgetRemoved, keepRemoved, lastRemoval, removedItem } from '../../storage/removed-items.ts'
import { insertRow } from '../../storage/row-writes.ts'
import type { SourceTable, SourceVisitTable } from '../../storage/schema.ts'
import { BEING_REMOVED, type ManageParts, requireRoom, UNREAD } from './manage.ts'
import { eventIdsOf, giveEvents, sourceById } from './store.ts'
import { allVisits } from './visits.ts'

/** A removed source, its visits, and the events that it had brought. */
interface KeptSource {
  readonly row: SourceTable
  readonly visits: readonly SourceVisitTable[]
  readonly events: readonly number[]
  /** Whether its events went to the trash: the next visit reads the file anew and brings them back. */
  readonly isTrashed: boolean
}

/** What goes with a source when its row goes. */
async function goingWith(reader: Reader, id: number): Promise<Pick<KeptSource, 'visits' | 'events'>> {
  return { visits: await allVisits(reader, id), events: await eventIdsOf(reader, id) }
}

/** Keeps a source that is removed at a moment (UTC text) while its events stay. */
export async function keepSource(tx: Transaction, row: SourceTable, at: string): Promise<void> {
  const kept: KeptSource = { row, ...(await goingWith(tx, row.id)), isTrashed: false }
  await keepRemoved(tx, { kind: 'source', itemId: row.id, at, kept })
}

/** Keeps a source, as it is, that is removed once its events are in the trash; `keepTrashed` follows then. */
export async function keepTrashing(tx: Transaction, row: SourceTable, at: string): Promise<void> {
  const kept: KeptSource = { row, visits: [], events: [], isTrashed: true }
  await keepRemoved(tx, { kind: 'source', itemId: row.id, at, kept })
}

/** Keeps what goes with a source whose events are in the trash, right before it goes; `now` is in Unix milliseconds. */
export async function keepTrashed(tx: Transaction, itemId: number, now: number): Promise<void> {
  const id = await lastRemoval(tx, { kind: 'source', itemId })
  const kept = id === undefined ? undefined : await removedItem<KeptSource>(tx, { id, kind: 'source', now })
  if (id === undefined || kept === undefined) return
  await changeRemoved(tx, { id, at: utcFromMillis(now), kept: { ...kept, ...(await goingWith(tx, itemId)) } })
}

/**
 * Brings back what a removal took away, by the number of the removal: the source with its visits and its events, unless
 * something else brings these by now. Its id. What of them is in the trash comes back with the next visit.
 * @throws precondition_failed where that is kept no longer, bad_source where the calendar is followed already, as many are
 * as there may be, or it is still being removed
 */
export function restoreSource({ storage, now }: ManageParts, removal: number): Promise<number> {
  return storage.write(async (tx) => {
    const kept = await removedItem<KeptSource>(tx, { id: removal, kind: 'source', now: now() })
    if (kept === undefined) throw fail('precondition_failed')
    const { row, visits, events, isTrashed } = kept
    const present = await sourceById(tx, row.id)
    if (present?.problem === BEING_REMOVED) throw fail('bad_source', { reason: BEING_REMOVED })
    if (present !== undefined) throw fail('precondition_failed')
    await requireRoom(tx, row.url)
    const anew = isTrashed ? { ...UNREAD, next_at: utcFromMillis(now()) } : {}
    await insertRow(tx, 'source', { ...row, ...anew, visiting_since: null })
    for (const visit of visits) await insertRow(tx, 'source_visit', visit)
    await giveEvents(tx, row.id, events)
    await forgetRemoved(tx, removal)
    return row.id
  })
}
