import { utcFromMillis } from '../../base/time/zones.ts'
import { changeRow } from '../../storage/row-writes.ts'
import { eventsFrom } from '../imports/importer/store-events.ts'
import { BEING_REMOVED, checkVersion, present, requireById } from './manage.ts'
import { keepSubscription, keepTrashed, keepTrashing } from './restore.ts'
import { allSubscriptions, deleteSubscription, findById } from './store.ts'
import { type TrashDeps, trashComing } from './trash.ts'
import type { Subscription, SubscriptionRemoval } from './types.ts'

/** Events that are looked at together, and those that one request waits for: the rest follows in the background. */
const MOST = { together: 100, awaited: 300 } as const

/**
 * Moves a subscription to the trash. If its events go there as well and are many, it stays, paused, until the last one is there.
 * It is returned as it was before, with whether it is gone.
 * @throws subscription-not-found, and what `check` does
 */
export async function removeSubscription(
  deps: TrashDeps,
  id: number,
  { events = 'keep', actor = null, check }: SubscriptionRemoval,
): Promise<{ readonly subscription: Subscription; readonly isDone: boolean }> {
  const { storage, now } = deps
  const subscription = await present(deps, await requireById(storage, id))
  const by = { actor, at: utcFromMillis(now()) }
  if (events === 'keep') {
    await storage.write(async (tx) => {
      const row = await requireById(tx, id)
      checkVersion(row, check)
      // Someone else may have started to remove it with its events.
      await (row.problem === BEING_REMOVED ? keepTrashed(tx, id, now()) : keepSubscription(tx, row, by))
      await deleteSubscription(tx, id)
    })
    return { subscription, isDone: true }
  }
  await storage.write(async (tx) => {
    const row = await requireById(tx, id)
    checkVersion(row, check)
    if (row.problem !== BEING_REMOVED) await keepTrashing(tx, row, by)
    await changeRow(tx, 'source', { id, paused: 1, problem: BEING_REMOVED, modified_at: by.at })
  })
  return { subscription, isDone: await trashAndRemove(deps, id, { most: MOST.awaited }) }
}

/** Goes on with removing subscriptions, where a request or a process has left it. */
export async function finishRemovals(deps: TrashDeps, signal: AbortSignal | undefined): Promise<void> {
  const most = Number.POSITIVE_INFINITY
  for (const { id, problem } of await allSubscriptions(deps.storage))
    if (problem === BEING_REMOVED && signal?.aborted !== true) await trashAndRemove(deps, id, { most, signal })
}

/** Whether the subscription is gone: all its events have been looked at. */
async function trashAndRemove(
  deps: TrashDeps,
  id: number,
  { most, signal }: { readonly most: number; readonly signal?: AbortSignal | undefined },
): Promise<boolean> {
  for (let left = most; left > 0; left -= MOST.together) {
    if (signal?.aborted === true) return false
    const some = await eventsFrom(deps.storage, id, { most: MOST.together })
    await trashComing(deps, some)
    if (some.length === MOST.together) continue
    await remove(deps, id)
    return true
  }
  return false
}

/** Nothing where another process has removed it. */
async function remove({ storage, now }: TrashDeps, id: number): Promise<void> {
  await storage.write(async (tx) => {
    if ((await findById(tx, id))?.problem !== BEING_REMOVED) return
    await keepTrashed(tx, id, now())
    await deleteSubscription(tx, id)
  })
}
