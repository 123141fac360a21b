import { sql } from 'kysely'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { takeNumbers } from '../../storage/numbers.ts'
import { deleteRows, insertRow, putRows } from '../../storage/row-writes.ts'
import type { WebhookDeliveryTable, WebhookTable } from '../../storage/schema.ts'
import { statementTemplate } from '../../storage/statement-template.ts'
import type { DeliveryState, LogQuery } from './types.ts'

/** All webhooks, by ID. */
export function allWebhooks(reader: Reader): Promise<WebhookTable[]> {
  return reader.all(reader.db.selectFrom('webhook').selectAll().orderBy('id'))
}

/** The webhooks that are switched on, by ID. */
export function activeWebhooks(reader: Reader): Promise<WebhookTable[]> {
  return reader.all(activeWith(reader, { shape: null, values: {} }))
}

// Asked after every commit where there are webhooks.
const activeWith = statementTemplate((reader: Reader, _shape: null, _given: object) =>
  reader.db.selectFrom('webhook').selectAll().where('active', '=', sql.lit(1)).orderBy('id'),
)

/** A webhook; undefined if there is none with this ID. */
export function webhookById(reader: Reader, id: number): Promise<WebhookTable | undefined> {
  return reader.first(reader.db.selectFrom('webhook').selectAll().where('id', '=', id))
}

/** Adds a webhook; IDs are not used again. */
export async function insertWebhook(tx: Transaction, row: Omit<WebhookTable, 'id'>): Promise<WebhookTable> {
  const id = await takeNumbers(tx, 'webhook')
  await insertRow(tx, 'webhook', { id, ...row })
  return { id, ...row }
}

/** Removes a webhook and its pending deliveries; the rest of its log is left to `deleteDeliveries`. */
export async function deleteWebhook(tx: Transaction, id: number): Promise<void> {
  await tx.run(tx.db.deleteFrom('webhook_delivery').where('webhook_id', '=', id).where(isPending()))
  await deleteRows(tx, 'webhook', { column: 'id', value: id })
}

/** A literal, so that the index of pending deliveries applies. */
function isPending() {
  return sql<boolean>`state = 'pending'`
}

/** Adds deliveries in their order; IDs ascend. */
export async function insertDeliveries(
  tx: Transaction,
  rows: readonly Omit<WebhookDeliveryTable, 'id'>[],
): Promise<WebhookDeliveryTable[]> {
  if (rows.length === 0) return []
  const first = await takeNumbers(tx, 'webhook_delivery', rows.length)
  const numbered = rows.map((row, index) => ({ id: first + index, ...row }))
  await putRows(tx, 'webhook_delivery', numbered)
  return numbered
}

/** A delivery; undefined if there is none with this ID. */
export function deliveryById(reader: Reader, id: number): Promise<WebhookDeliveryTable | undefined> {
  return reader.first(reader.db.selectFrom('webhook_delivery').selectAll().where('id', '=', id))
}

/** Deliveries of a webhook, newest first. */
export function loggedDeliveries(
  reader: Reader,
  webhook: number,
  { state, before, limit }: LogQuery,
): Promise<WebhookDeliveryTable[]> {
  let query = reader.db.selectFrom('webhook_delivery').selectAll().where('webhook_id', '=', webhook)
  if (state !== undefined) query = query.where('state', '=', state)
  if (before !== undefined) query = query.where('id', '<', before)
  return reader.all(query.orderBy('id', 'desc').limit(limit))
}

/** Deliveries of a webhook that are due at a moment (UTC text), those that wait longest first. */
export function dueDeliveries(
  reader: Reader,
  webhook: number,
  { at, limit }: { readonly at: string; readonly limit: number },
): Promise<WebhookDeliveryTable[]> {
  const query = reader.db.selectFrom('webhook_delivery').selectAll().where('webhook_id', '=', webhook)
  return reader.all(query.where('next_at', '<=', at).orderBy('next_at').orderBy('id').limit(limit))
}

/** Which item a delivery is about. */
export type DeliveryItem = Pick<WebhookDeliveryTable, 'resource' | 'item_id'>

/** The items of all pending deliveries of a webhook, one entry for each delivery. */
export function pendingItems(reader: Reader, webhook: number): Promise<DeliveryItem[]> {
  const query = reader.db.selectFrom('webhook_delivery').select(['resource', 'item_id'])
  return reader.all(query.where('webhook_id', '=', webhook).where(isPending()))
}

/** All pending deliveries of a webhook, by ID. */
export function pendingDeliveries(reader: Reader, webhook: number): Promise<WebhookDeliveryTable[]> {
  const query = reader.db.selectFrom('webhook_delivery').selectAll().where('webhook_id', '=', webhook)
  return reader.all(query.where(isPending()).orderBy('id'))
}

/** How many pending deliveries a webhook has. */
export async function countPending(reader: Reader, webhook: number): Promise<number> {
  const query = reader.db.selectFrom('webhook_delivery').select(({ fn }) => fn.countAll<number>().as('count'))
  return Number((await reader.first(query.where('webhook_id', '=', webhook).where(isPending())))?.count ?? 0)
}

/** The oldest pending delivery of a webhook about an item; undefined if there is none. */
export function firstPending(
  reader: Reader,
  webhook: number,
  { resource, item_id }: DeliveryItem,
): Promise<{ id: number; next_at: string | null } | undefined> {
  const query = reader.db.selectFrom('webhook_delivery').select(['id', 'next_at']).where('webhook_id', '=', webhook)
  const ofItem = query.where('resource', '=', resource).where('item_id', '=', item_id).where(isPending())
  return reader.first(ofItem.orderBy('id').limit(1))
}

/** Makes all deliveries of a webhook that were tried before and wait for their next attempt due at a moment, UTC text. */
export async function hastenDeliveries(tx: Transaction, webhook: number, at: string): Promise<void> {
  const change = tx.db.updateTable('webhook_delivery').set({ next_at: at }).where('webhook_id', '=', webhook)
  await tx.run(change.where('next_at', '>', at))
}

/** Ends all pending deliveries of a webhook that is switched off. */
export async function cancelDeliveries(tx: Transaction, webhook: number, at: string): Promise<void> {
  const canceled: { state: DeliveryState; next_at: null; finished_at: string } = {
    state: 'canceled',
    next_at: null,
    finished_at: at,
  }
  const change = tx.db.updateTable('webhook_delivery').set(canceled).where('webhook_id', '=', webhook)
  await tx.run(change.where(isPending()))
}

/** Deletes at most `limit` deliveries that ended before a moment, UTC text; how many. */
export async function pruneDeliveries(tx: Transaction, before: string, limit: number): Promise<number> {
  const old = tx.db.selectFrom('webhook_delivery').select('id').where('finished_at', '<', before).limit(limit)
  return (await tx.run(tx.db.deleteFrom('webhook_delivery').where('id', 'in', old))).changes
}

/** The ID of the oldest message of a webhook that its log keeps, if it has as many; undefined while it has fewer. */
export async function oldestToKeep(reader: Reader, webhook: number, most: number): Promise<number | undefined> {
  const query = reader.db.selectFrom('webhook_delivery').select('id').where('webhook_id', '=', webhook)
  const ended = query.where('finished_at', 'is not', null).orderBy('id', 'desc')
  return (await reader.first(ended.offset(most - 1).limit(1), 'offloaded'))?.id
}

/** Deletes at most `limit` messages of a webhook that have ended and whose ID is lower; how many. */
export async function pruneSurplus(
  tx: Transaction,
  { webhook, below, limit }: { readonly webhook: number; readonly below: number; readonly limit: number },
): Promise<number> {
  const old = tx.db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('webhook_id', '=', webhook)
    .where('id', '<', below)
  const some = old.where('finished_at', 'is not', null).orderBy('id').limit(limit)
  return (await tx.run(tx.db.deleteFrom('webhook_delivery').where('id', 'in', some))).changes
}

/** Deletes at most `limit` messages of a webhook, whatever became of them; how many. */
export async function deleteDeliveries(tx: Transaction, webhook: number, limit: number): Promise<number> {
  const some = tx.db.selectFrom('webhook_delivery').select('id').where('webhook_id', '=', webhook).limit(limit)
  return (await tx.run(tx.db.deleteFrom('webhook_delivery').where('id', 'in', some))).changes
}
