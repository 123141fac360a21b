import { utcFromMillis } from '../../base/time/zones.ts'
import type { Storage } from '../../storage/engine.ts'
import { allWebhooks, oldestToKeep, pruneDeliveries, pruneSurplus } from './store.ts'

/** The log: milliseconds that it goes back, messages of a webhook that it has at most, and rows of a transaction. */
export const LOG = { kept: 30 * 86_400_000, most: 10_000, together: 500 } as const

/** Transactions of one go: more waits for the next one. */
const MOST_STEPS = 40

/**
 * Deletes what is older than 30 days, and what a webhook has beyond its newest 10,000 messages; those that wait count for
 * nothing. Whether there is more to delete.
 */
export async function pruneLog(storage: Storage, now: number, signal: AbortSignal): Promise<boolean> {
  const before = utcFromMillis(now - LOG.kept)
  let steps = MOST_STEPS
  const repeat = async (step: () => Promise<number>): Promise<void> => {
    let gone: number = LOG.together
    for (; gone === LOG.together && steps > 0 && !signal.aborted; steps -= 1) gone = await step()
  }
  await repeat(() => storage.write((tx) => pruneDeliveries(tx, before, LOG.together)))
  for (const { id } of await allWebhooks(storage)) {
    const last = await oldestToKeep(storage, id, LOG.most)
    if (last !== undefined)
      await repeat(() => storage.write((tx) => pruneSurplus(tx, { webhook: id, below: last, limit: LOG.together })))
  }
  return steps <= 0
}
