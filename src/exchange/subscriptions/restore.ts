import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { changeRemoved, deleteRemoved, keepRemoved, lastRemoval, removedItem } from '../../storage/removed-items.ts'
import { insertRow } from '../../storage/row-writes.ts'
import type { SubscriptionTable, SyncLogTable } from '../../storage/schema.ts'
import { eventsFrom, giveEvents } from '../imports/importer/store-events.ts'
import { BEING_REMOVED, type ManageDeps, requireRoom, UNREAD } from './manage.ts'
import { findById } from './store.ts'
import { allSyncs } from './sync-log.ts'

/** A removed subscription, its syncs, and the events imported from it. */
interface KeptSubscription {
  readonly row: SubscriptionTable
  readonly visits: readonly SyncLogTable[]
  readonly events: readonly number[]
  /** Whether its events went to the trash: the next sync reads the file again and restores them. */
  readonly isTrashed: boolean
}

/** What goes with a subscription when its row goes. */
async function goingWith(reader: Reader, id: number): Promise<Pick<KeptSubscription, 'visits' | 'events'>> {
  const events = await eventsFrom(reader, id, { gone: true })
  return { visits: await allSyncs(reader, id), events: events.map((event) => event.id) }
}

/** Who removes a subscription, null for the program itself, and when (UTC text). */
export interface Remover {
  readonly actor: number | null
  readonly at: string
}

/** Moves a subscription to the trash while its events stay. */
export async function keepSubscription(tx: Transaction, row: SubscriptionTable, by: Remover): Promise<void> {
  await keep(tx, { row, ...(await goingWith(tx, row.id)), isTrashed: false }, by)
}

/** Moves a subscription, as it is, to the trash that is removed once its events are there; `keepTrashed` follows then. */
export function keepTrashing(tx: Transaction, row: SubscriptionTable, by: Remover): Promise<void> {
  return keep(tx, { row, visits: [], events: [], isTrashed: true }, by)
}

function keep(tx: Transaction, kept: KeptSubscription, by: Remover): Promise<void> {
  const { id: item_id, name: title } = kept.row
  return keepRemoved(tx, { kind: 'subscription', item_id, title, ...by, kept })
}

/** Keeps what goes with a subscription whose events are in the trash, right before it goes; `now` is in Unix milliseconds. */
export async function keepTrashed(tx: Transaction, itemId: number, now: number): Promise<void> {
  const id = await lastRemoval(tx, { kind: 'subscription', itemId })
  const kept = id === undefined ? undefined : await removedItem<KeptSubscription>(tx, { id, kind: 'subscription', now })
  if (id === undefined || kept === undefined) return
  await changeRemoved(tx, { id, at: utcFromMillis(now), kept: { ...kept, ...(await goingWith(tx, itemId)) } })
}

/**
 * Restores a subscription from the trash, by the number of its removal, with its syncs and its events, unless another subscription
 * has these by now. Its ID. Events in the trash come back with the next sync.
 * @throws precondition_failed where it is no longer in the trash, bad_subscription where the calendar is followed already, as many
 * are as there may be, or it is still being removed
 */
export function restoreSubscription({ storage, now }: ManageDeps, removal: number): Promise<number> {
  return storage.write(async (tx) => {
    const kept = await removedItem<KeptSubscription>(tx, { id: removal, kind: 'subscription', now: now() })
    if (kept === undefined) throw fail('precondition_failed')
    const { row, visits, events, isTrashed } = kept
    const present = await findById(tx, row.id)
    if (present?.problem === BEING_REMOVED) throw fail('bad_subscription', { reason: BEING_REMOVED })
    if (present !== undefined) throw fail('precondition_failed')
    await requireRoom(tx, row.url)
    const anew = isTrashed ? { ...UNREAD, next_at: utcFromMillis(now()) } : {}
    await insertRow(tx, 'source', { ...row, ...anew, visiting_since: null })
    for (const visit of visits) await insertRow(tx, 'source_visit', visit)
    await giveEvents(tx, row.id, events)
    await deleteRemoved(tx, removal)
    return row.id
  })
}
