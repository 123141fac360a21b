import type { Logger } from '../log.ts'
import { millisFromUtc, utcFromMillis } from '../time/zones.ts'

/** A room whose entries may wait for their publication date. */
export interface Scheduled {
  /** Smallest publication date of status `future`, UTC text; undefined when nothing waits. */
  next(): Promise<string | undefined>
  /** Publishes some of what is due at a moment (UTC text) through the ordinary write path; how many. */
  publishDue(at: string): Promise<number>
}

/** A running scheduler. */
export interface Schedule {
  /** Publishes everything that is due now: called before the server listens, to catch up. */
  catchUp(): Promise<void>
  /** Looks again for the smallest date: called after every write. */
  reconsider(): void
  /** Ends it; resolves when nothing is being published any more. */
  stop(): Promise<void>
}

/** Longest sleep, so that a stepped clock is noticed. */
const LONGEST_SLEEP = 30_000

/** Sleep after a failure, before the next attempt. */
const RETRY_AFTER = 5_000

/** Starts to publish what waits: it sleeps until the smallest date, or until a write names an earlier one. */
export function startSchedule(rooms: readonly Scheduled[], parts: { now: () => number; log: Logger }): Schedule {
  const { now, log } = parts
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let stopped = false
  const catchUp = async (): Promise<void> => {
    for (const room of rooms) {
      let published = 1
      while (!stopped && published > 0) published = await room.publishDue(utcFromMillis(now()))
    }
  }
  const wakeAfter = (milliseconds: number): void => {
    if (stopped) return
    clearTimeout(timer)
    timer = setTimeout(wake, milliseconds)
    timer.unref()
  }
  const sleep = async (): Promise<void> => {
    const dates = (await Promise.all(rooms.map((room) => room.next()))).filter((date) => date !== undefined)
    if (dates.length === 0) return
    const first = Math.min(...dates.map((one) => millisFromUtc(one)))
    wakeAfter(Math.min(Math.max(first - now(), 0), LONGEST_SLEEP))
  }
  const failed = (error: unknown): void => {
    log.error({ err: error }, 'scheduled publication failed')
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
  return {
    catchUp,
    reconsider: () => void (stopped || sleep().catch(failed)),
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
