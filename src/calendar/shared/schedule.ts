import { isUnavailable } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { millisFromUtc, utcFromMillis } from '../../base/time/zones.ts'
import type { JournalEntry } from '../../storage/journal/entry.ts'

/** A module whose entries may wait for their publication date. */
export interface Scheduled {
  /** Publishes a batch of due work at a moment (UTC text) through the ordinary write path; returns how many. */
  publishDue(at: string): Promise<number>
}

/** A scheduler, which does nothing until it is started. */
export interface Schedule {
  /**
   * Publishes everything that is due now, and later what becomes due.
   * @throws what publishing throws; then it pauses
   */
  begin(): Promise<void>
  /** Stops publishing until it is started again: another process does it. */
  pause(): void
  /** Whether it was started and not paused since. */
  isActive(): boolean
  /** Looks again for the smallest date: called after writes that may have set one. */
  reconsider(): void
  /** Ends it; resolves when nothing is being published any more. */
  stop(): Promise<void>
}

/** Longest sleep, so that a stepped clock is noticed. */
const LONGEST_SLEEP = 30_000

/** Sleep after a failure, before the next attempt. */
const RETRY_AFTER = 5_000

/** Whether a change may have left something that waits for its date. What others have changed is not known so well. */
export function mayHaveScheduled({ snapshot, elsewhere }: Pick<JournalEntry, 'snapshot' | 'elsewhere'>): boolean {
  if (elsewhere === true) return true
  return snapshot !== null && 'status' in snapshot && snapshot.status === 'future'
}

interface ScheduleDeps {
  /** Unix milliseconds. */
  readonly now: () => number
  readonly log: Logger
  /** Smallest publication date of status `future` in any module, UTC text; undefined when nothing waits. */
  readonly next: () => Promise<string | undefined>
}

/** Publishes what waits: it sleeps until the smallest date, or until a write names an earlier one. */
export function openSchedule(rooms: readonly Scheduled[], { now, log, next }: ScheduleDeps): Schedule {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isActive = false
  let isStopped = false
  const catchUp = (): Promise<void> => publishDue(rooms, () => (isActive ? utcFromMillis(now()) : undefined))
  const wakeAfter = (milliseconds: number): void => {
    if (!isActive) return
    clearTimeout(timer)
    timer = setTimeout(wake, milliseconds).unref()
  }
  const sleep = async (): Promise<void> => {
    const first = await next()
    if (first !== undefined) wakeAfter(Math.min(Math.max(millisFromUtc(first) - now(), 0), LONGEST_SLEEP))
  }
  const failed = (error: unknown): void => {
    // The storage logs once that the database is away.
    if (!isUnavailable(error)) log.error({ err: error }, 'scheduled publication failed')
    wakeAfter(RETRY_AFTER)
  }
  const wake = (): void => {
    running ??= catchUp()
      .then(sleep)
      .catch(failed)
      .finally(() => {
        running = undefined
      })
  }
  const pause = (): void => {
    isActive = false
    clearTimeout(timer)
  }
  return {
    begin: async () => {
      if (isStopped) return
      isActive = true
      await catchUp()
        .then(sleep)
        .catch((error: unknown) => {
          pause()
          throw error
        })
    },
    pause,
    isActive: () => isActive,
    reconsider: allAtOnce(() => void (isActive && sleep().catch(failed))),
    stop: async () => {
      isStopped = true
      pause()
      await running
    },
  }
}

/** Writes that share a commit notify one after the other: one pass is enough for all of them. */
function allAtOnce(step: () => void): () => void {
  let isAsked = false
  return () => {
    if (isAsked) return
    isAsked = true
    queueMicrotask(() => {
      isAsked = false
      step()
    })
  }
}

/** Publishes everything that is due; `moment` is undefined as soon as there is nothing left to do. */
async function publishDue(rooms: readonly Scheduled[], moment: () => string | undefined): Promise<void> {
  for (const room of rooms) {
    let published = 1
    for (let at = moment(); at !== undefined && published > 0; at = moment()) published = await room.publishDue(at)
  }
}
