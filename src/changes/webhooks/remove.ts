import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { VersionCheck } from '../../http/route/preconditions.ts'
import { forgetRemoved, keepRemoved, removedItem } from '../../storage/removed-items.ts'
import { insertRow, putRows } from '../../storage/row-writes.ts'
import type { WebhookDeliveryTable, WebhookTable } from '../../storage/schema.ts'
import { presentWebhook, requireRoom, webhookOrFail, webhookVersion } from './manage.ts'
import { deleteWebhook, forgetOf, pendingDeliveries, webhookById } from './store.ts'
import type { Webhook, WebhookParts } from './types.ts'

/** What removing webhooks needs. */
type RemovalParts = Pick<WebhookParts, 'storage' | 'now'>

/** A removed webhook with its secret, and the messages that waited. */
interface KeptWebhook {
  readonly row: WebhookTable
  readonly deliveries: readonly WebhookDeliveryTable[]
}

/** Rows of a log that one transaction removes. */
const TOGETHER = 500

/**
 * Removes a webhook, and its log in steps; for an hour `restoreWebhook` brings it back.
 * @throws webhook-not-found, and what `check` does
 */
export async function removeWebhook(
  { storage, now }: RemovalParts,
  id: number,
  check?: VersionCheck,
): Promise<Webhook> {
  const row = await storage.write(async (tx) => {
    const stored = await webhookOrFail(tx, id)
    check?.(webhookVersion(presentWebhook(stored)))
    const kept: KeptWebhook = { row: stored, deliveries: await pendingDeliveries(tx, id) }
    await keepRemoved(tx, { kind: 'webhook', itemId: id, at: utcFromMillis(now()), kept })
    await deleteWebhook(tx, id)
    return stored
  })
  while ((await storage.write((tx) => forgetOf(tx, id, TOGETHER))) === TOGETHER);
  return presentWebhook(row)
}

/**
 * Brings back what a removal took away, by the number of the removal, except the log: the webhook with its secret and the
 * messages that waited. It is told what has happened since, too.
 * @throws precondition_failed where that is kept no longer, bad_webhook where there are as many as there may be
 */
export function restoreWebhook({ storage, now }: RemovalParts, removal: number): Promise<Webhook> {
  return storage.write(async (tx) => {
    const kept = await removedItem<KeptWebhook>(tx, { id: removal, kind: 'webhook', now: now() })
    if (kept === undefined || (await webhookById(tx, kept.row.id)) !== undefined) throw fail('precondition_failed')
    await requireRoom(tx)
    await insertRow(tx, 'webhook', kept.row)
    await putRows(tx, 'webhook_delivery', kept.deliveries)
    await forgetRemoved(tx, removal)
    return presentWebhook(kept.row)
  })
}
