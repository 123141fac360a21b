import { type BackgroundWork, backgroundWork, rest } from '../../base/background.ts'
import type { Report, Storage } from '../../storage/engine.ts'
import { deleteOldKeys, expiredBefore } from '../../storage/idempotency-keys.ts'
import { hasOldRemoved, pruneRemoved } from '../../storage/removed-items.ts'

/** Dependencies of the deletion of expired rows. */
export interface ExpiryDeps {
  readonly storage: Storage
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
}

/** Between two rounds, and between two transactions of one, milliseconds. */
const REST = { round: 600_000, batch: 100 } as const

/**
 * Deletes in the background the responses whose Idempotency-Key has expired, some in each transaction, and
 * what has expired in the trash.
 */
export function openExpiry({ storage, report, now }: ExpiryDeps): BackgroundWork {
  return backgroundWork({
    round: async (signal) => {
      const until = expiredBefore(now())
      if (await hasOldRemoved(storage, now())) await storage.write((tx) => pruneRemoved(tx, now()))
      while (!signal.aborted && (await storage.write((tx) => deleteOldKeys(tx, until)))) await rest(REST.batch, signal)
    },
    every: REST.round,
    failed: (error) => report(error, 'deleting expired responses'),
  })
}
