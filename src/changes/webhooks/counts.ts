import { millisFromUtc } from '../../base/time/zones.ts'
import type { Reader } from '../../storage/engine.ts'
import { waitingDeliveries } from './store.ts'

/** What a process has done for webhooks since its start, and what waits. */
export interface SenderNumbers {
  /** Attempts that arrived, and those that failed. */
  readonly delivered: number
  readonly failed: number
  /** Messages that are not tried any more. */
  readonly givenUp: number
  /** Messages that wait for their first or next attempt; 0 in a process that does not send. */
  readonly waiting: number
  /** Seconds that the oldest of them waits; 0 where none does. */
  readonly oldest: number
}

/** Milliseconds between two counts of what waits. */
const EVERY = 5_000

/** Counts what a sender does. */
export class SenderCounts {
  delivered = 0
  failed = 0
  givenUp = 0
  #waiting = 0
  /** Unix milliseconds; undefined where nothing waits. */
  #oldest: number | undefined
  #countedAt = Number.NEGATIVE_INFINITY

  /** Counts what waits, unless that was done just before. */
  async countWaiting(reader: Reader, now: number): Promise<void> {
    if (Math.abs(now - this.#countedAt) < EVERY) return
    this.#countedAt = now
    const { count, oldest } = await waitingDeliveries(reader)
    this.#waiting = count
    this.#oldest = oldest === undefined ? undefined : millisFromUtc(oldest)
  }

  /** Nothing waits where there are no webhooks. */
  noneWaiting(): void {
    this.#waiting = 0
    this.#oldest = undefined
  }

  /** The numbers at a moment, Unix milliseconds. */
  at(now: number): SenderNumbers {
    const { delivered, failed, givenUp } = this
    const oldest = this.#oldest === undefined ? 0 : Math.max(0, (now - this.#oldest) / 1000)
    return { delivered, failed, givenUp, waiting: this.#waiting, oldest }
  }
}
