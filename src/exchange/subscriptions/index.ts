/** Calendars elsewhere that are followed: what they say becomes events here, and stays current. */

import type { BackgroundWork } from '../../base/background.ts'
import type { VersionCheck } from '../../http/route/preconditions.ts'
import type { AnyRoute } from '../../http/route.ts'
import type { Report } from '../../storage/engine.ts'
import type { CalendarDeps } from '../index.ts'
import { subscriptionsInBackground } from './in-background.ts'
import { addSubscription, changeSubscription, listSubscriptions, requireById } from './manage.ts'
import { removeSubscription } from './remove.ts'
import { subscriptionRoutes } from './routes.ts'
import { type SyncRequest, syncSubscription } from './sync.ts'
import { syncsOf } from './sync-log.ts'
import type { ManagedSubscriptions, Subscription, SubscriptionInput, SubscriptionRemoval } from './types.ts'

export { restoreSubscription } from './restore.ts'
export { failingSubscriptions } from './store.ts'
export { latestSyncs } from './sync-log.ts'
export type { EventsLeft, ManagedSubscriptions, Subscription, SubscriptionInput } from './types.ts'

/** The subscriptions of a calendar. */
export interface Subscriptions extends ManagedSubscriptions {
  readonly routes: readonly AnyRoute[]
  /** Syncs due work; one process does it at a time. */
  readonly work: BackgroundWork
}

/** Opens the subscriptions. */
export function openSubscriptions(deps: CalendarDeps & { readonly report: Report }): Subscriptions {
  const { storage } = deps
  const under = new Map<number, Promise<Subscription>>()
  // One sync of a subscription at a time.
  const sync = (id: number, asked: SyncRequest): Promise<Subscription> => {
    const known = under.get(id)
    if (known !== undefined) return known
    const visit = syncSubscription(deps, id, asked).finally(() => under.delete(id))
    under.set(id, visit)
    return visit
  }
  const { work, syncDue } = subscriptionsInBackground(deps, sync)
  const managed: ManagedSubscriptions = {
    list: () => listSubscriptions(deps),
    add: (input: SubscriptionInput) => addSubscription(deps, input),
    change: (id: number, input: SubscriptionInput, check?: VersionCheck) =>
      changeSubscription(deps, id, { input, check }),
    remove: async (id: number, removal: SubscriptionRemoval = {}) => {
      const { subscription, isDone } = await removeSubscription(deps, id, removal)
      if (!isDone) work.wake()
      return subscription
    },
    syncs: async (id: number) => syncsOf(storage, (await requireById(storage, id)).id),
    syncDue,
    sync: (id: number) => sync(id, {}),
  }
  return { ...managed, work, routes: subscriptionRoutes(deps, managed) }
}
