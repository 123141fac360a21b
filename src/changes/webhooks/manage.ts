import { isIP } from 'node:net'
import { fail } from '../../base/errors.ts'
import { plainAddress } from '../../base/outgoing/request.ts'
import { storedJson } from '../../base/text/stored-json.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { type ItemVersion, itemVersion, type VersionCheck } from '../../http/route/preconditions.ts'
import { HIGHEST_ID } from '../../model/id.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { headSeq } from '../../storage/journal/read.ts'
import { changeRow, differs } from '../../storage/row-writes.ts'
import type { WebhookTable } from '../../storage/schema.ts'
import { WEBHOOK_EVENTS } from './events.ts'
import { makeSecret, ROTATION } from './secrets.ts'
import { allWebhooks, cancelDeliveries, hastenDeliveries, insertWebhook, webhookById } from './store.ts'
import type { Audience, Webhook, WebhookDeps, WebhookInput } from './types.ts'

/** Fewer than messages may be under way: a receiver that is away has one, so none keeps another waiting. */
const MOST_WEBHOOKS = 50

/** What changing webhooks needs. */
type ManageDeps = Pick<WebhookDeps, 'storage' | 'gate' | 'now'>

/** A webhook as it is shown; its secret only if asked for. */
export function presentWebhook(row: WebhookTable): Webhook {
  const { id, url, description, events, audience, active, failures, problem, succeeded_at, created_at } = row
  return {
    id,
    url,
    description,
    events: storedJson<readonly string[]>(events),
    audience: audience as Audience,
    active: active === 1,
    failures,
    problem,
    last_success: succeeded_at,
    created_at,
    modified_at: row.modified_at ?? created_at,
  }
}

/** The version of what people decide about a webhook: messages leave it as it is, and so does a new secret. */
export function webhookVersion(webhook: Webhook): ItemVersion {
  const { id, url, description, events, audience, active, modified_at } = webhook
  return itemVersion(`webhook ${JSON.stringify([id, url, description, events, audience, active])}`, modified_at)
}

/** All webhooks. */
export async function listWebhooks(reader: Reader): Promise<Webhook[]> {
  return (await allWebhooks(reader)).map(presentWebhook)
}

/** A webhook. @throws webhook-not-found */
export async function webhookOrFail(reader: Reader, id: number): Promise<WebhookTable> {
  const row = Number.isSafeInteger(id) && id <= HIGHEST_ID ? await webhookById(reader, id) : undefined
  if (row === undefined) throw fail('webhook-not-found')
  return row
}

/** @throws bad_webhook where there are as many webhooks as there may be */
export async function requireRoom(reader: Reader): Promise<void> {
  if ((await allWebhooks(reader)).length >= MOST_WEBHOOKS)
    throw fail('bad_webhook', { reason: 'subscriptions.problem.tooMany' })
}

/** Adds a webhook, which is notified of changes from now on; with its secret. @throws bad_webhook */
export async function addWebhook({ storage, gate, now }: ManageDeps, input: WebhookInput): Promise<Webhook> {
  const columns = columnsOf(input, gate)
  const { url, events } = columns
  if (url === undefined || events === undefined) throw fail('bad_webhook', { reason: 'webhooks.problem.incomplete' })
  const at = utcFromMillis(now())
  const secret = makeSecret()
  const row = {
    ...{ description: '', audience: 'public', active: 1, former_secret: '', former_until: null, failures: 0 },
    ...{ problem: '', succeeded_at: null, created_at: at, modified_at: at, secret, ...columns, url, events },
  }
  const stored = await storage.write(async (tx) => {
    await requireRoom(tx)
    return insertWebhook(tx, { ...row, seq: await headSeq(tx) })
  })
  return { ...presentWebhook(stored), secret }
}

/** What is to change of a webhook, and what refuses that for the version that is stored. */
interface WebhookChange {
  readonly input: WebhookInput
  readonly check?: VersionCheck | undefined
}

/**
 * Changes a webhook. One that is switched off loses its pending deliveries, and one that is switched on is notified of
 * changes from then on. @throws webhook-not-found, bad_webhook, and what `check` does
 */
export async function changeWebhook(
  { storage, gate, now }: ManageDeps,
  id: number,
  { input, check }: WebhookChange,
): Promise<Webhook> {
  const columns = columnsOf(input, gate)
  const row = await storage.write(async (tx) => {
    const stored = await webhookOrFail(tx, id)
    check?.(webhookVersion(presentWebhook(stored)))
    const isSwitched = columns.active !== undefined && columns.active !== stored.active
    const at = utcFromMillis(now())
    if (isSwitched && columns.active === 0) await cancelDeliveries(tx, id, at)
    // Another receiver need not wait until the one before would have been tried again.
    else if (columns.url !== undefined && columns.url !== stored.url) await hastenDeliveries(tx, id, at)
    const isOn = isSwitched && columns.active === 1
    const restart = isOn && { seq: await headSeq(tx), failures: 0, problem: '' }
    const change = { ...columns, ...restart, ...(differs(columns, stored) && { modified_at: at }) }
    if (Object.keys(change).length > 0) await changeRow(tx, 'webhook', { id, ...change })
    return { ...stored, ...change }
  })
  return presentWebhook(row)
}

/**
 * Gives a webhook another secret; the one before continues signing beside it for a day.
 * @throws webhook-not-found, and what `check` does
 */
export async function rotateSecret({ storage, now }: ManageDeps, id: number, check?: VersionCheck): Promise<Webhook> {
  const secret = makeSecret()
  const former_until = utcFromMillis(now() + ROTATION)
  const replace = async (tx: Transaction): Promise<WebhookTable> => {
    const stored = await webhookOrFail(tx, id)
    check?.(webhookVersion(presentWebhook(stored)))
    await changeRow(tx, 'webhook', { id, secret, former_secret: stored.secret, former_until })
    return stored
  }
  return { ...presentWebhook(await storage.write(replace)), secret }
}

type Columns = Partial<Pick<WebhookTable, 'url' | 'description' | 'events' | 'audience' | 'active'>>

function columnsOf({ url, description, events, audience, active }: WebhookInput, gate: WebhookDeps['gate']): Columns {
  const address = url === undefined ? undefined : plainAddress(url.trim())
  const refuse = (reason: string): never => {
    throw fail('bad_webhook', { reason })
  }
  if (url !== undefined && address === undefined) refuse('webhooks.problem.notHttp')
  const host = address === undefined ? '' : new URL(address).hostname.replace(/^\[|\]$/g, '')
  // What a name leads to is looked at whenever something is sent.
  if (isIP(host) !== 0 && !gate(host)) refuse('webhooks.problem.notPublic')
  if (events?.some((one) => !WEBHOOK_EVENTS.includes(one)) === true || events?.length === 0)
    refuse('webhooks.problem.unknownEvent')
  return {
    ...(address !== undefined && { url: address }),
    ...(description !== undefined && { description: description.slice(0, 500) }),
    ...(events !== undefined && { events: JSON.stringify(events) }),
    ...(audience !== undefined && { audience }),
    ...(active !== undefined && { active: active ? 1 : 0 }),
  }
}
