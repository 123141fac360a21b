import type { Mailer } from '../../accounts/mail/index.ts'
import { type BackgroundWork, backgroundWork } from '../../base/background.ts'
import type { Config } from '../../base/config.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { linksOf } from '../../calendar/event-store/event-row.ts'
import type { Report, Storage, Transaction } from '../../storage/engine.ts'
import { decide } from './decide.ts'
import {
  deleteDecidedBefore,
  deleteSubmission,
  type EndedSubmission,
  endedSubmissions,
  hasDecidedBefore,
} from './store.ts'

/** Days after which is forgotten who sent an event, whatever has become of it. */
export const SUBMITTER_DAYS = 60

/** Days after a decision for which the rest of a submission is stored, and after publication at most who is still to be told. */
const DECIDED_DAYS = 30

const DAY = 86_400_000

/** Milliseconds between two rounds. */
const ROUND = 60_000

/** Dependencies of the end of submissions. */
export interface SubmissionExpiryDeps {
  readonly storage: Storage
  readonly config: Pick<Config, 'submissions'>
  /** The modules for what visitors may send with an event. */
  readonly venues: Publisher
  readonly organizers: Publisher
  readonly mailer: Mailer
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
}

/** Publishes those of some items that wait for review, at a moment or from a later one on; both are UTC text. */
interface Publisher {
  publishPending(
    tx: Transaction,
    ids: readonly number[],
    when: { readonly at: string; readonly from?: string },
  ): Promise<void>
}

/**
 * Follows in the background what becomes of submitted events: when they are published, their new venue and organizers are
 * published; and who sent events that are published, gone or old is forgotten.
 */
export function openSubmissionExpiry(deps: SubmissionExpiryDeps): BackgroundWork {
  const work = backgroundWork({
    round: () => endSubmissions(deps, deps.now()),
    every: ROUND,
    failed: (error) => deps.report(error, 'deleting expired data of submissions'),
  })
  // Where there is no form, its remaining events can wait.
  const wake = (): void => (deps.config.submissions ? work.wake() : undefined)
  return { ...work, wake }
}

/** Does so once; `now` is in Unix milliseconds. */
async function endSubmissions(
  { storage, venues, organizers, mailer }: Omit<SubmissionExpiryDeps, 'config' | 'report' | 'now'>,
  now: number,
): Promise<void> {
  const before = utcFromMillis(now - SUBMITTER_DAYS * DAY)
  const decidedBefore = utcFromMillis(now - DECIDED_DAYS * DAY)
  if (await hasDecidedBefore(storage, decidedBefore))
    await storage.write((tx) => deleteDecidedBefore(tx, decidedBefore))
  if ((await endedSubmissions(storage, before)).length === 0) return
  await storage.write(async (tx) => {
    // Another process may have been faster.
    const ended = await endedSubmissions(tx, before)
    const at = utcFromMillis(now)
    // Public ones come first: several events may name the same venue.
    for (const { event_id: eventId, status, published_at: from } of ended.toSorted(byPublication)) {
      if (status !== 'publish' || from === null) {
        await deleteSubmission(tx, eventId)
        continue
      }
      const links = (await linksOf(tx, [eventId])).get(eventId)
      await venues.publishPending(tx, links?.venue ?? [], { at, from })
      await organizers.publishPending(tx, links?.organizer ?? [], { at, from })
      // Until then reviewers see whom to tell where no mail can.
      const needsMail = from >= decidedBefore
      await decide(tx, mailer, { eventId, at, state: 'published', needsMail })
    }
  })
}

/** The earliest first. */
function byPublication(one: EndedSubmission, other: EndedSubmission): number {
  return (one.published_at ?? '').localeCompare(other.published_at ?? '')
}
