import { Failure, fail } from '../errors.ts'
import { type Requester, requester } from '../requester.ts'

/** What a queue of reads is bounded by. */
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
  /** Refused because the queue was full, or the client's share of it, or because the turn did not come in time. */
  readonly readsRefused: number
  /** Stopped at their deadline. */
  readonly readsTimedOut: number
  /** Dropped because nobody waited for the result any more. */
  readonly readsDropped: number
}

/** Most reads that wait: long ones, and short ones, which a database server alone lets wait. */
export const MOST_WAITING = { long: 256, short: 4096 } as const

/** One client may hold one in so many places of a queue. */
const SHARES = 4

/** A read that was not made, or not finished, because its requester has gone. Others who wanted the same ask again. */
export class ReadDropped extends Failure {
  constructor() {
    super('rest_too_busy', {}, {})
  }
}

/** Whether somebody else's read was passed over for a reason that says nothing of the read itself. */
export function wasPassedOver(error: unknown): boolean {
  return error instanceof Failure && error.code === 'rest_too_busy'
}

interface Waiting {
  readonly key: string
  /** Ends waiting, with an error when it was in vain. */
  readonly leave: (error?: Error) => void
}

/** What a read may turn on while it runs. */
export interface ReadTurn {
  /** Undefined where nobody can go away, or going away does not matter. */
  readonly requester: Requester | undefined
  /** Whether the read may take as long as it takes. */
  readonly isUnlimited: boolean
}

/** How a read stands in the queue. */
export interface Standing {
  /** Whether it leaves when its requester does: not where others may share it without knowing. */
  readonly isDropped: boolean
}

/**
 * Reads that wait for their turn: taken from one client after the other, and from each in the order in which it asked, so
 * that nobody waits for all that another client wants. In a full queue whoever holds most places gives up the last of them.
 */
export class ReadQueue {
  readonly #limits: ReadQueueLimits
  /** By client; the one that comes next first. */
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
   * Does some work when it is the turn of whoever asks for it.
   * @throws rest_too_busy when there is no place to wait, or it was waited for too long; ReadDropped
   */
  async run<T>(work: (turn: ReadTurn) => Promise<T>, { isDropped }: Standing): Promise<T> {
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

  /** Counts a read that was given up at its deadline; what it fails with. */
  tooCostly(): Failure {
    this.#timedOut += 1
    return fail('rest_query_too_costly')
  }

  /** Counts a read that nobody waits for; what it fails with. */
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
