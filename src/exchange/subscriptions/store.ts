import { utcFromMillis } from '../../base/time/zones.ts'
import type { Reader, Storage, Transaction } from '../../storage/engine.ts'
import { takeNumbers } from '../../storage/numbers.ts'
import { changeRow, deleteRows, insertRow } from '../../storage/row-writes.ts'
import type { SourceEventTable, SubscriptionTable } from '../../storage/schema.ts'
import { inList } from '../../storage/statement-template.ts'
import type { DueHost } from './schedule.ts'
import { deleteSyncLog } from './sync-log.ts'

/** All subscriptions, by ID. */
export function allSubscriptions(reader: Reader): Promise<SubscriptionTable[]> {
  return reader.all(reader.db.selectFrom('source').selectAll().orderBy('id'))
}

/** A subscription; undefined if there is none with this ID. */
export function findById(reader: Reader, id: number): Promise<SubscriptionTable | undefined> {
  return reader.first(reader.db.selectFrom('source').selectAll().where('id', '=', id))
}

/** A subscription by its address. */
export function findByUrl(reader: Reader, url: string): Promise<SubscriptionTable | undefined> {
  return reader.first(reader.db.selectFrom('source').selectAll().where('url', '=', url))
}

/** Milliseconds after which the process of a sync counts as dead. */
export const LONGEST_SYNC = 900_000

/** The subscriptions that are due at a moment (Unix milliseconds) and that nobody syncs, by the host that they are at. */
export async function dueSubscriptions(reader: Reader, now: number): Promise<readonly DueHost[]> {
  const visited = utcFromMillis(now - LONGEST_SYNC)
  const query = reader.db
    .selectFrom('source')
    .select(['id', 'url'])
    .where('paused', '=', 0)
    .where('next_at', '<=', utcFromMillis(now))
    .where((row) => row.or([row('visiting_since', 'is', null), row('visiting_since', '<=', visited)]))
  const due = await reader.all(query.orderBy('next_at').orderBy('id'))
  const byHost = Map.groupBy(due, ({ url }) => URL.parse(url)?.host ?? url)
  return [...byHost].map(([host, subscriptions]) => ({ host, ids: subscriptions.map(({ id }) => id) }))
}

/** Adds a subscription; IDs are not used again. */
export async function insertSubscription(
  tx: Transaction,
  row: Omit<SubscriptionTable, 'id'>,
): Promise<SubscriptionTable> {
  const id = await takeNumbers(tx, 'source')
  await insertRow(tx, 'source', { id, ...row })
  return { id, ...row }
}

/** Changes columns of a subscription. */
export async function update(
  storage: Storage,
  change: Partial<SubscriptionTable> & { readonly id: number },
): Promise<void> {
  await storage.write((tx) => changeRow(tx, 'source', change))
}

/** How many current events came from each subscription; subscriptions without any are left out. */
export async function eventCounts(reader: Reader): Promise<ReadonlyMap<number, number>> {
  const query = reader.db
    .selectFrom('source_event')
    .select(['source_id', (row) => row.fn.countAll().as('count')])
    .where('source_id', '>', 0)
    .where('is_gone', '=', 0)
  const rows = await reader.all(query.groupBy('source_id'))
  return new Map(rows.map(({ source_id, count }) => [source_id, Number(count)]))
}

/** How many current events came from a subscription. */
export async function eventCount(reader: Reader, id: number): Promise<number> {
  const query = reader.db.selectFrom('source_event').select((row) => row.fn.countAll().as('count'))
  return Number((await reader.first(query.where('source_id', '=', id).where('is_gone', '=', 0)))?.count ?? 0)
}

/** Removes a subscription; its events stay and belong to none. */
export async function deleteSubscription(tx: Transaction, id: number): Promise<void> {
  await tx.run(tx.db.updateTable('source_event').set({ source_id: 0 }).where('source_id', '=', id))
  await deleteSyncLog(tx, id)
  await deleteRows(tx, 'source', { column: 'id', value: id })
}

/** The events from a subscription that it had at its last sync, the lowest IDs first; all by default. */
export function eventsOf(reader: Reader, id: number, most?: number): Promise<SourceEventTable[]> {
  const query = reader.db.selectFrom('source_event').selectAll().where('source_id', '=', id).where('is_gone', '=', 0)
  const ordered = query.orderBy('id')
  return reader.all(most === undefined ? ordered : ordered.limit(most))
}

/** All events from a subscription, including those it no longer has. */
export async function eventIdsOf(reader: Reader, id: number): Promise<readonly number[]> {
  const query = reader.db.selectFrom('source_event').select('id').where('source_id', '=', id)
  return (await reader.all(query.orderBy('id'))).map((row) => row.id)
}

/** Gives a subscription those of some events that belong to none. */
export async function giveEvents(tx: Transaction, id: number, events: readonly number[]): Promise<void> {
  const change = tx.db.updateTable('source_event').set({ source_id: id }).where('source_id', '=', 0)
  await tx.run(change.where(inList(tx.engine, 'id', events)))
}

/** Notes that a subscription no longer has an event: `1` when it was trashed, `2` when it stays because it is over. */
export async function noteGone(tx: Transaction, id: number, is_gone: 1 | 2): Promise<void> {
  await changeRow(tx, 'source_event', { id, is_gone })
}

/** The end of the last date of an event that lists know, UTC text; undefined if there is none. */
export async function lastEnd(reader: Reader, id: number): Promise<string | undefined> {
  const dates = await reader.all(reader.db.selectFrom('series_date').select('id').where('series_id', '=', id))
  const ids = [id, ...dates.map((date) => date.id)]
  const query = reader.db
    .selectFrom('occurrence')
    .select('end_utc')
    .where(inList(reader.engine, 'occurrence.id', ids))
    .orderBy('end_utc', 'desc')
  return (await reader.first(query.limit(1)))?.end_utc
}
