import { Failure, fail } from '../base/errors.ts'
import { type Requester, requester } from '../base/requester.ts'

/** The bounds of a queue of reads. */
export interface ReadQueueLimits {
  /** Reads that run at the same time. */
  readonly slots: number
  /** How many of these one client never takes. */
  readonly spared: number
  /** Milliseconds that a read waits for its turn. */
  readonly timeout: number
  /** Reads that wait, of all clients. */
  readonly waiting: number
}

/** Counters of reads that got no result, since the beginning, and what waits now. */
export interface ReadQueueStats {
  /** Reads that wait now. */
  readonly readsWaiting: number
  /** Refused because the queue was full, or the client's share of it, or because they waited too long. */
  readonly readsRefused: number
  /** Stopped at their deadline. */
  readonly readsTimedOut: number
  /** Dropped because nothing waited for the result any more. */
  readonly readsDropped: number
}

/** Most waiting reads: long ones, and short ones, which wait only with a database server. */
export const MOST_WAITING = { long: 256, short: 4096 } as const

/** One client may have one in this many places of a queue. */
const SHARES = 4

/** A read that was not started, or not finished, because its requester disconnected. Other requests for the same retry. */
export class ReadDropped extends Failure {
  constructor() {
    super('rest_too_busy', {}, {})
  }
}

/** Whether another request's read was dropped for a reason that does not concern the read itself. */
export function wasPassedOver(error: unknown): boolean {
  return error instanceof Failure && error.code === 'rest_too_busy'
}

interface Waiting {
  readonly key: string
  /** Ends waiting, with an error if it failed. */
  readonly leave: (error?: Error) => void
}

/** What a running read may depend on. */
export interface ReadTurn {
  /** Undefined where nobody can disconnect, or it does not matter. */
  readonly requester: Requester | undefined
  /** Whether the read has no time limit. */
  readonly isUnlimited: boolean
}

/** The options of a queued read. */
export interface QueuedRead {
  /** Whether it leaves when its requester does: not where others may share it without knowing. */
  readonly isDropped: boolean
}

/**
 * Reads that wait for their turn: clients take turns, each with its reads in order, so that nobody waits for everything
 * that another client wants. In a full queue the client with most places gives up its last one.
 */
export class ReadQueue {
  readonly #limits: ReadQueueLimits
  /** By client; the next one first. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #running = new Map<string, number>()
  #idle: (() => void)[] = []
  #waitingCount = 0
  #runningCount = 0
  #refused = 0
  #timedOut = 0
  #dropped = 0

  constructor(limits: ReadQueueLimits) {
    this.#limits = limits
  }

  /** Counters since the beginning. */
  get stats(): ReadQueueStats {
    return {
      readsWaiting: this.#waitingCount,
      readsRefused: this.#refused,
      readsTimedOut: this.#timedOut,
      readsDropped: this.#dropped,
    }
  }

  /**
   * Runs some work when its turn has come.
   * @throws rest_too_busy when the queue is full, or it waited too long; ReadDropped
   */
  async run<T>(work: (turn: ReadTurn) => Promise<T>, { isDropped }: QueuedRead): Promise<T> {
    const who = requester()
    const isUnlimited = who === 'calendar'
    const key = isUnlimited ? CALENDAR : (who?.client ?? '')
    const turn = { requester: isDropped && !isUnlimited ? who : undefined, isUnlimited }
    if (turn.requester?.isGone) throw this.dropped()
    if (this.#mayRun(key)) this.#count(key, 1)
    else await this.#wait(key, turn)
    try {
      return await work(turn)
    } finally {
      this.#count(key, -1)
      this.#proceed()
    }
  }

  /** Counts a read that was ended at its deadline; returns its error. */
  tooCostly(): Failure {
    this.#timedOut += 1
    return fail('rest_query_too_costly')
  }

  /** Counts a read that nothing waits for; returns its error. */
  dropped(): ReadDropped {
    this.#dropped += 1
    return new ReadDropped()
  }

  /** Resolves when nothing runs and nothing waits. */
  async idle(): Promise<void> {
    if (this.#runningCount + this.#waitingCount > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #mayRun(key: string): boolean {
    const { slots, spared } = this.#limits
    return this.#runningCount < slots && (this.#running.get(key) ?? 0) < Math.max(1, slots - spared)
  }

  #count(key: string, by: 1 | -1): void {
    this.#runningCount += by
    const count = (this.#running.get(key) ?? 0) + by
    if (count === 0) this.#running.delete(key)
    else this.#running.set(key, count)
  }

  #wait(key: string, { requester: who, isUnlimited }: ReadTurn): Promise<void> {
    const own = this.#waiting.get(key) ?? []
    const { waiting, timeout } = this.#limits
    if (!isUnlimited && own.length >= waiting / SHARES) return Promise.reject(this.#refusal())
    if (!isUnlimited && this.#waitingCount >= waiting && !this.#makeRoom(own.length))
      return Promise.reject(this.#refusal())
    return new Promise((resolve, reject) => {
      const timer = isUnlimited ? undefined : setTimeout(() => this.#giveUp(one, this.#refusal()), timeout)
      const stay = who?.onGone(() => this.#giveUp(one, this.dropped()))
      const one: Waiting = {
        key,
        leave: (error) => {
          clearTimeout(timer)
          stay?.()
          if (error === undefined) resolve()
          else reject(error)
        },
      }
      own.push(one)
      this.#waitingCount += 1
      if (own.length === 1) this.#waiting.set(key, own)
    })
  }

  /** Takes a place from the client that holds most, if it is left with as many as the one that it is for. */
  #makeRoom(places: number): boolean {
    let last: Waiting | undefined
    let most = places + 1
    for (const [key, own] of this.#waiting) {
      if (key === CALENDAR || own.length <= most) continue
      most = own.length
      last = own.at(-1)
    }
    if (last !== undefined) this.#giveUp(last, this.#refusal())
    return last !== undefined
  }

  #refusal(): Failure {
    this.#refused += 1
    return fail('rest_too_busy')
  }

  #giveUp(one: Waiting, error: Error): void {
    const own = this.#waiting.get(one.key) ?? []
    own.splice(own.indexOf(one), 1)
    if (own.length === 0) this.#waiting.delete(one.key)
    this.#waitingCount -= 1
    one.leave(error)
    this.#settle()
  }

  /** Lets the next one run. */
  #proceed(): void {
    for (const [key, own] of this.#waiting) {
      if (!this.#mayRun(key)) continue
      const next = own.shift()
      this.#waiting.delete(key)
      if (own.length > 0) this.#waiting.set(key, own)
      this.#waitingCount -= 1
      this.#count(key, 1)
      next?.leave()
      return
    }
    this.#settle()
  }

  #settle(): void {
    if (this.#runningCount + this.#waitingCount > 0) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}

const CALENDAR = 'the calendar itself'
