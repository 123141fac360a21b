import { fail } from '../../base/errors.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { type ItemVersion, itemVersion, type VersionCheck } from '../../http/route/preconditions.ts'
import { HIGHEST_ID } from '../../model/id.ts'
import type { Reader } from '../../storage/engine.ts'
import { changeRow } from '../../storage/row-writes.ts'
import type { WebhookDeliveryTable, WebhookTable } from '../../storage/schema.ts'
import { TEST_EVENT } from './events.ts'
import { bodyOf } from './message.ts'
import { newDelivery } from './queue.ts'
import { attempt } from './send.ts'
import { deliveryById, firstPending, insertDeliveries, loggedDeliveries, webhookById } from './store.ts'
import type { Delivery, DeliveryState, LogQuery, WebhookDeps } from './types.ts'

/** A delivery as it is shown. */
export function presentDelivery(row: WebhookDeliveryTable): Delivery {
  const {
    id,
    webhook_id,
    message,
    event,
    seq,
    item_id,
    state,
    attempts,
    queued_at,
    next_at,
    attempted_at,
    status,
    problem,
  } = row
  return {
    id,
    webhook: webhook_id,
    message,
    event,
    seq,
    item_id,
    state: state as DeliveryState,
    attempts,
    queued_at,
    next_attempt: next_at,
    last_attempt: attempted_at,
    status: status === 0 ? null : status,
    problem,
  }
}

/** The version of a delivery: each attempt makes another. */
export function deliveryVersion(row: WebhookDeliveryTable): ItemVersion {
  const { id, state, attempts, queued_at, attempted_at, finished_at } = row
  const moments = [queued_at, attempted_at, finished_at].filter((at) => at !== null).sort()
  return itemVersion(`delivery ${[id, state, attempts, queued_at].join()}`, moments.at(-1))
}

/** Part of the log of a webhook, newest first. */
export async function readLog(reader: Reader, webhook: number, query: LogQuery): Promise<Delivery[]> {
  return (await loggedDeliveries(reader, webhook, query)).map(presentDelivery)
}

/** A delivery whose webhook is still there. @throws webhook-delivery-not-found */
export async function deliveryOrFail(reader: Reader, id: number): Promise<WebhookDeliveryTable> {
  const row = Number.isSafeInteger(id) && id <= HIGHEST_ID ? await deliveryById(reader, id) : undefined
  if (row === undefined || (await webhookById(reader, row.webhook_id)) === undefined)
    throw fail('webhook-delivery-not-found')
  return row
}

/**
 * Sends a message again, with its identifier and with the item as it is now, for as long as a new one; one that is pending
 * stays as it is. @throws webhook-delivery-not-found, bad_webhook when the webhook is switched off, and what `check` does
 */
export async function replay(
  { storage, now }: Pick<WebhookDeps, 'storage' | 'now'>,
  id: number,
  check?: VersionCheck,
): Promise<Delivery> {
  const at = utcFromMillis(now())
  const row = await storage.write(async (tx) => {
    const delivery = await deliveryOrFail(tx, id)
    const { webhook_id: webhook } = delivery
    if ((await webhookById(tx, webhook))?.active !== 1) throw fail('bad_webhook', { reason: 'webhooks.problem.off' })
    check?.(deliveryVersion(delivery))
    if (delivery.state === 'pending') return delivery
    const next_at = (await firstPending(tx, webhook, delivery)) === undefined ? at : null
    const ended = { finished_at: null, status: 0, problem: '' }
    const anew = { state: 'pending', attempts: 0, unmade: 0, queued_at: at, next_at, ...ended }
    await changeRow(tx, 'webhook_delivery', { id, ...anew })
    return { ...delivery, ...anew }
  })
  return presentDelivery(row)
}

/** Tests under way at a time. */
const MOST_TESTS = 4

/** Sends test messages while their callers wait, a few at a time. */
export class Tests {
  readonly #deps: WebhookDeps
  #underWay = 0

  constructor(deps: WebhookDeps) {
    this.#deps = deps
  }

  /** Sends a message that is about nothing, once, also where the webhook is switched off. @throws rest_too_busy */
  async send(hook: WebhookTable): Promise<Delivery> {
    if (this.#underWay >= MOST_TESTS) throw fail('rest_too_busy')
    this.#underWay += 1
    try {
      return await this.#send(hook)
    } finally {
      this.#underWay -= 1
    }
  }

  async #send(hook: WebhookTable): Promise<Delivery> {
    const { storage, gate, now } = this.#deps
    const at = utcFromMillis(now())
    const fresh = { ...newDelivery(hook.id, at), event: TEST_EVENT, next_at: null, attempts: 1, attempted_at: at }
    const body = await bodyOf(this.#deps, hook, { id: 0, ...fresh })
    const { isDelivered, status, problem } = await attempt({ gate, now: now() }, hook, { delivery: fresh, body })
    const state: DeliveryState = isDelivered ? 'delivered' : 'failed'
    const row = { ...fresh, state, status, problem, finished_at: utcFromMillis(now()) }
    const stored = await storage.write((tx) => insertDeliveries(tx, [row]))
    return presentDelivery(stored[0] ?? { id: 0, ...row })
  }
}
