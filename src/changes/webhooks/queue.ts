import { Failure } from '../../base/errors.ts'
import { storedJson } from '../../base/text/stored-json.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { Transaction } from '../../storage/engine.ts'
import { headSeq } from '../../storage/journal/read.ts'
import { changeRow } from '../../storage/row-writes.ts'
import type { WebhookTable } from '../../storage/schema.ts'
import { type ChangePage, changesSeenBy, FOLLOWED, readChanges } from '../feed/index.ts'
import { callerFor } from './events.ts'
import { makeMessageId } from './secrets.ts'
import { countPending, insertDeliveries, pendingItems, webhookById } from './store.ts'
import type { Audience, WebhookDeps } from './types.ts'

/**
 * Most pending deliveries of a webhook: what comes after them stays in the journal until there is room, so that a
 * receiver which is away holds up nothing and loses nothing.
 */
const MOST_PENDING = 1000

/** Changes that are queued together. */
const PAGE = 100

/** What queueing needs. */
type QueueDeps = Pick<WebhookDeps, 'storage' | 'now' | 'report'>

/** Webhooks with the same events and audience that have got equally far. */
interface Cohort {
  readonly audience: Audience
  readonly seq: number
  readonly ids: readonly number[]
}

/**
 * Queues what the journal has for webhooks, a page for each; whether there is more. Each page and the number up to which
 * it goes are stored together, so that every change is queued once, whatever happens in between.
 */
export async function queueChanges(deps: QueueDeps, hooks: readonly WebhookTable[]): Promise<boolean> {
  const head = await headSeq(deps.storage)
  const behind = hooks.filter(({ seq }) => seq !== head)
  const groups = Map.groupBy(behind, ({ seq, audience }) => `${seq} ${audience}`)
  let isMore = false
  for (const group of groups.values()) {
    const [{ seq, audience }] = group as [WebhookTable]
    const cohort = { seq, audience: audience as Audience, ids: group.map(({ id }) => id) }
    isMore = (await queueFor(deps, cohort)) || isMore
  }
  return isMore
}

async function queueFor(deps: QueueDeps, { audience, seq, ids }: Cohort): Promise<boolean> {
  const { storage, now } = deps
  const view = changesSeenBy(callerFor(audience))
  const asked = { since: seq, resources: FOLLOWED, limit: PAGE, view }
  const open = await storage.write((tx) => withRoom(tx, ids))
  if (open.length === 0) return false
  const page = await readChanges(storage, asked).catch((error: unknown) => startAnew(deps, error))
  let isMore = false
  for (const id of open) {
    const isQueued = await storage.write((tx) => queuePage(tx, { id, since: seq, page, at: utcFromMillis(now()) }))
    isMore = (isQueued && page.more) || isMore
  }
  return isMore
}

/** The webhooks that have room for a page. */
async function withRoom(tx: Transaction, ids: readonly number[]): Promise<number[]> {
  const found: number[] = []
  for (const id of ids) if ((await countPending(tx, id)) <= MOST_PENDING - PAGE) found.push(id)
  return found
}

/** After a backup was restored the journal may end before the last delivery of a webhook. */
async function startAnew({ storage, report }: QueueDeps, error: unknown): Promise<ChangePage> {
  if (!(error instanceof Failure) || error.code !== 'cursor_expired') throw error
  report(error, 'a webhook gets changes from now on: the journal does not have those after its last one')
  return { changes: [], seq: await headSeq(storage), more: false }
}

/** Whether the page was queued: another process may have done it, or the webhook be gone. */
async function queuePage(
  tx: Transaction,
  {
    id,
    since,
    page,
    at,
  }: { readonly id: number; readonly since: number; readonly page: ChangePage; readonly at: string },
): Promise<boolean> {
  const hook = await webhookById(tx, id)
  if (hook === undefined || hook.active === 0 || hook.seq !== since) return false
  const pending = await pendingItems(tx, id)
  const wanted = new Set(storedJson<readonly string[]>(hook.events))
  const busy = new Set(pending.map(({ resource, item_id }) => `${resource} ${item_id}`))
  const named = page.changes.map((change) => ({ ...change, event: `${change.resource}.${change.action}` }))
  const rows = named.flatMap(({ event, seq, at: changedAt, resource, id: item_id, revision }) => {
    if (!wanted.has(event)) return []
    const item = `${resource} ${item_id}`
    // Behind an earlier one about the same item.
    const next_at = busy.has(item) ? null : at
    busy.add(item)
    const change = { event, seq, at: changedAt, resource, item_id, revision }
    return { ...newDelivery(id, at), ...change, next_at }
  })
  await insertDeliveries(tx, rows)
  await changeRow(tx, 'webhook', { id, seq: page.seq })
  return true
}

/** A delivery about nothing yet that starts to wait at a moment, UTC text. */
export function newDelivery(webhook: number, at: string) {
  return {
    ...{ webhook_id: webhook, message: makeMessageId(), event: '', seq: 0, at, resource: '', item_id: 0, revision: 0 },
    ...{ state: 'pending', attempts: 0, unmade: 0, queued_at: at, next_at: at as string | null },
    ...{ attempted_at: null as string | null, finished_at: null as string | null, status: 0, problem: '' },
  }
}
