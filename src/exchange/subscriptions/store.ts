import { utcFromMillis } from '../../base/time/zones.ts'
import type { Reader, Storage, Transaction } from '../../storage/engine.ts'
import { takeNumbers } from '../../storage/numbers.ts'
import { changeRow, deleteRows, insertRow } from '../../storage/row-writes.ts'
import type { SubscriptionTable } from '../../storage/schema.ts'
import { inList } from '../../storage/statement-template.ts'
import { releaseEvents } from '../imports/importer/store-events.ts'
import type { DueHost } from './schedule.ts'
import { deleteSyncLog } from './sync-log.ts'

/** All subscriptions, by ID. */
export function allSubscriptions(reader: Reader): Promise<SubscriptionTable[]> {
  return reader.all(reader.db.selectFrom('source').selectAll().orderBy('id'))
}

/** The subscriptions that have failed since before a moment (UTC text) and are not paused, the one that failed last at the end. */
export function failingSubscriptions(reader: Reader, before: string): Promise<SubscriptionTable[]> {
  const query = reader.db.selectFrom('source').selectAll().where('failing_since', '<=', before)
  return reader.all(query.where('paused', '=', 0).orderBy('failing_since').orderBy('id'))
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

/** Removes a subscription; its events stay and belong to none. */
export async function deleteSubscription(tx: Transaction, id: number): Promise<void> {
  await releaseEvents(tx, id)
  await deleteSyncLog(tx, id)
  await deleteRows(tx, 'source', { column: 'id', value: id })
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
