import { type BackgroundWork, backgroundWork } from '../../base/background.ts'
import { Failure } from '../../base/errors.ts'
import type { Report } from '../../storage/engine.ts'
import type { CalendarDeps } from '../index.ts'
import { finishRemovals } from './remove.ts'
import { SyncSchedule } from './schedule.ts'
import { dueSubscriptions } from './store.ts'
import type { SyncRequest } from './sync.ts'

/** Milliseconds between two looks for due work. */
const LOOK = 60_000

/** Servers that are asked at the same time. */
const AT_ONCE = 3

/** What is done with subscriptions without being asked. */
export interface SubscriptionsWork {
  readonly work: BackgroundWork
  /** Syncs due work, each subscription once, and waits for that. */
  syncDue(signal?: AbortSignal): Promise<void>
}

/** Syncs due work and continues with removing; `sync` syncs a subscription, unless it is being synced. */
export function subscriptionsInBackground(
  deps: CalendarDeps & { readonly report: Report },
  sync: (id: number, asked: SyncRequest) => Promise<unknown>,
): SubscriptionsWork {
  const { storage, now } = deps
  const schedule = new SyncSchedule({
    due: () => dueSubscriptions(storage, now()),
    visit: (id, signal) => isWell(deps, sync(id, { signal, isDue: true }), signal),
    freed: () => round.wake(),
    places: AT_ONCE,
  })
  let removing: Promise<unknown> | undefined
  const goOnRemoving = (signal: AbortSignal | undefined): Promise<unknown> => {
    removing ??= isWell(deps, finishRemovals(deps, signal), signal).finally(() => {
      removing = undefined
    })
    return removing
  }
  const round = backgroundWork({
    // Waits for none of them: what becomes due meanwhile starts when a place is free.
    round: (signal) => {
      void goOnRemoving(signal)
      return schedule.begin(signal)
    },
    every: LOOK,
    failed: (error) => deps.report(error, 'syncing calendar subscriptions'),
  })
  const stop = async (): Promise<void> => {
    await round.stop()
    await Promise.all([schedule.ended(), removing])
  }
  const syncDue = async (signal?: AbortSignal): Promise<void> => {
    await removing
    await goOnRemoving(signal)
    await schedule.all(signal)
  }
  return { work: { ...round, stop }, syncDue }
}

/** Reports what goes wrong, except that a subscription was removed meanwhile, and what was ended; whether nothing did. */
async function isWell(
  { report }: { readonly report: Report },
  doing: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    await doing
    return true
  } catch (error) {
    if (error instanceof Failure && error.code === 'subscription-not-found') return true
    if (signal?.aborted !== true) report(error, 'working on a calendar subscription')
    return false
  }
}
