import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { deleteRemoved, keepRemoved, removedItem } from '../../storage/removed-items.ts'
import { insertRow, putRows } from '../../storage/row-writes.ts'
import type { WebhookDeliveryTable, WebhookTable } from '../../storage/schema.ts'
import { presentWebhook, requireRoom, webhookOrFail, webhookVersion } from './manage.ts'
import { deleteDeliveries, deleteWebhook, pendingDeliveries, webhookById } from './store.ts'
import type { Removing, Webhook, WebhookDeps } from './types.ts'

/** What removing webhooks needs. */
type RemovalDeps = Pick<WebhookDeps, 'storage' | 'now'>

/** A removed webhook with its secret, and the messages that waited. */
interface KeptWebhook {
  readonly row: WebhookTable
  readonly deliveries: readonly WebhookDeliveryTable[]
}

/** Rows of a log that one transaction removes. */
const TOGETHER = 500

/**
 * Moves a webhook to the trash, and deletes its sign in steps.
 * @throws webhook-not-found, and what `check` does
 */
export async function removeWebhook(
  { storage, now }: RemovalDeps,
  id: number,
  { actor = null, check }: Removing = {},
): Promise<Webhook> {
  const row = await storage.write(async (tx) => {
    const stored = await webhookOrFail(tx, id)
    check?.(webhookVersion(presentWebhook(stored)))
    const kept: KeptWebhook = { row: stored, deliveries: await pendingDeliveries(tx, id) }
    const title = stored.description || stored.url
    await keepRemoved(tx, { kind: 'webhook', item_id: id, title, actor, at: utcFromMillis(now()), kept })
    await deleteWebhook(tx, id)
    return stored
  })
  while ((await storage.write((tx) => deleteDeliveries(tx, id, TOGETHER))) === TOGETHER);
  return presentWebhook(row)
}

/**
 * Restores a webhook from the trash, by the number of its removal, with its secret and the messages that were waiting, but
 * without its log. It also receives what has happened since.
 * @throws precondition_failed where it is no longer in the trash, bad_webhook where there are as many as there may be
 */
export function restoreWebhook({ storage, now }: RemovalDeps, removal: number): Promise<Webhook> {
  return storage.write(async (tx) => {
    const kept = await removedItem<KeptWebhook>(tx, { id: removal, kind: 'webhook', now: now() })
    if (kept === undefined || (await webhookById(tx, kept.row.id)) !== undefined) throw fail('precondition_failed')
    await requireRoom(tx)
    await insertRow(tx, 'webhook', kept.row)
    await putRows(tx, 'webhook_delivery', kept.deliveries)
    await deleteRemoved(tx, removal)
    return presentWebhook(kept.row)
  })
}
