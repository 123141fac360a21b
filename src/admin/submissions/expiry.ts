import { type BackgroundWork, backgroundWork } from '../../background.ts'
import type { Report, Storage } from '../../storage/engine.ts'
import { utcFromMillis } from '../../time/zones.ts'
import { deleteSubmission, endedSubmissions } from './store.ts'

/** Days after which is forgotten who sent an event, whatever has become of it. */
export const SUBMITTER_DAYS = 60

/** Milliseconds between two rounds. */
const ROUND = 60_000

/** What forgetting is made of. */
export interface SubmissionExpiryParts {
  readonly storage: Storage
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
}

/** Forgets in the background who sent events that are published, gone or old. */
export function openSubmissionExpiry({ storage, report, now }: SubmissionExpiryParts): BackgroundWork {
  return backgroundWork({
    round: () => forgetSubmitters(storage, now()),
    every: ROUND,
    failed: (error) => report(error, 'forgetting who submitted events'),
  })
}

/** Forgets once; `now` is in Unix milliseconds. */
export async function forgetSubmitters(storage: Storage, now: number): Promise<void> {
  const ended = await endedSubmissions(storage, utcFromMillis(now - SUBMITTER_DAYS * 86_400_000))
  if (ended.length === 0) return
  await storage.write(async (tx) => {
    for (const id of ended) await deleteSubmission(tx, id)
  })
}
