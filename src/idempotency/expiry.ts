import { type BackgroundWork, backgroundWork, rest } from '../background.ts'
import type { Report, Storage } from '../storage/engine.ts'
import { deleteOldKeys, expiredBefore } from '../storage/idempotency-keys.ts'

/** What the deletion of old keys is made of. */
export interface ExpiryParts {
  readonly storage: Storage
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
}

/** Between two rounds, and between two transactions of one, milliseconds. */
const REST = { round: 600_000, batch: 100 } as const

/** Deletes in the background the responses that are no longer kept by their Idempotency-Key, some in each transaction. */
export function openExpiry({ storage, report, now }: ExpiryParts): BackgroundWork {
  return backgroundWork({
    round: async (signal) => {
      const until = expiredBefore(now())
      while (!signal.aborted && (await storage.write((tx) => deleteOldKeys(tx, until)))) await rest(REST.batch, signal)
    },
    every: REST.round,
    failed: (error) => report(error, 'deleting old idempotency keys'),
  })
}
