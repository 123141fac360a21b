import { millisFromUtc, utcFromMillis } from '../../base/time/zones.ts'
import type { Transaction } from '../../storage/engine.ts'
import { changeRow } from '../../storage/row-writes.ts'
import type { WebhookDeliveryTable, WebhookTable } from '../../storage/schema.ts'
import { PATIENCE, pauseAfter } from './retries.ts'
import type { AttemptOutcome } from './send.ts'
import { cancelDeliveries, deliveryById, firstPending, hastenDeliveries, webhookById } from './store.ts'
import type { DeliveryState } from './types.ts'

/** Attempts in a row after which a receiver counts as away. */
export const AWAY = 5

/** Attempts after which a delivery that cannot be created because of an error here is given up, about two hours after the first. */
const MOST_UNMADE = 8

/** Notes what became of an attempt; nothing is noted when its delivery was settled or taken back meanwhile. */
export async function recordAttempt(
  tx: Transaction,
  sent: WebhookDeliveryTable,
  { outcome, now }: { readonly outcome: AttemptOutcome; readonly now: number },
): Promise<void> {
  const delivery = await deliveryById(tx, sent.id)
  const hook = await webhookById(tx, sent.webhook_id)
  if (delivery === undefined || hook === undefined) return
  const { state, attempts, queued_at } = delivery
  if (state !== 'pending' || attempts !== sent.attempts || queued_at !== sent.queued_at) return
  const at = utcFromMillis(now)
  const { status, problem } = outcome
  const unmade = delivery.unmade + Number(outcome.unmade === 'error')
  const tried = { id: delivery.id, attempts: attempts + 1, unmade, attempted_at: at, status, problem }
  const next =
    outcome.isDelivered || outcome.isGone ? undefined : nextAttempt({ ...delivery, unmade }, { outcome, now })
  const ended: DeliveryState = outcome.isDelivered ? 'delivered' : 'failed'
  if (next === undefined) {
    await changeRow(tx, 'webhook_delivery', { ...tried, state: ended, finished_at: at, next_at: null })
    await releaseNext(tx, delivery, at)
  } else await changeRow(tx, 'webhook_delivery', { ...tried, next_at: utcFromMillis(next) })
  await recordOnWebhook(tx, hook, { outcome, at })
}

/** When to try again, Unix milliseconds; undefined where the message is given up. */
function nextAttempt(
  { queued_at, attempts, unmade, message }: WebhookDeliveryTable,
  { outcome, now }: { readonly outcome: AttemptOutcome; readonly now: number },
): number | undefined {
  const last = millisFromUtc(queued_at) + PATIENCE
  if (now >= last || unmade >= MOST_UNMADE) return undefined
  // The last attempt is made when the time is over.
  return Math.min(now + Math.max(pauseAfter(attempts + 1, message), outcome.wait), last)
}

/** The next message about the same item has its turn. */
async function releaseNext(
  tx: Transaction,
  { webhook_id, resource, item_id }: Pick<WebhookDeliveryTable, 'webhook_id' | 'resource' | 'item_id'>,
  at: string,
): Promise<void> {
  const next = await firstPending(tx, webhook_id, { resource, item_id })
  if (next !== undefined && next.next_at === null) await changeRow(tx, 'webhook_delivery', { id: next.id, next_at: at })
}

async function recordOnWebhook(
  tx: Transaction,
  { id, failures, active }: WebhookTable,
  { outcome, at }: { readonly outcome: AttemptOutcome; readonly at: string },
): Promise<void> {
  const { problem, isDelivered, isGone, unmade } = outcome
  // The receiver was not asked: it is not to blame, and its other deliveries continue.
  if (unmade !== undefined) return void (await changeRow(tx, 'webhook', { id, problem }))
  if (isDelivered) {
    await changeRow(tx, 'webhook', { id, failures: 0, problem: '', succeeded_at: at })
    // A receiver that is back need not wait for what it has missed.
    if (failures >= AWAY) await hastenDeliveries(tx, id, at)
    return
  }
  const isOff = isGone && active === 1
  await changeRow(tx, 'webhook', { id, failures: failures + 1, problem, ...(isOff && { active: 0, modified_at: at }) })
  if (isOff) await cancelDeliveries(tx, id, at)
}
