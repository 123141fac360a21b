import type { Rate } from '../../base/config/kinds.ts'
import { windowEnd } from './window.ts'

/** What is allowed: a number of points per number of seconds. */
export interface Policy extends Rate {
  /** As header fields name it: `reads`. */
  readonly name: string
}

/** What became of drawing from a budget. */
export interface Draw {
  readonly policy: Policy
  readonly isRefused: boolean
  readonly left: number
  /** Whole seconds until the budget is full again, at least 1. */
  readonly seconds: number
}

/** What a budget needs. */
export interface BudgetDeps {
  readonly policy: Policy
  /** Unix milliseconds. */
  readonly now: () => number
  /** Most clients that are counted at the same time; default 20,000. */
  readonly most?: number
}

/** What one client has in one window. */
interface Share {
  /** Unix milliseconds. */
  readonly endsAt: number
  left: number
}

/** Most clients of a budget: 20,000 take about 5 MB. */
const MOST_CLIENTS = 20_000

/** The part of all clients after which, and of which, old ones are forgotten. */
const SWEPT_PART = 1 / 8

/**
 * What each client may still do in its present window. Windows of one length follow each other and start at a different
 * moment for each client. When there are too many clients the oldest counts are dropped: a
 * client with that many addresses cannot be limited by them anyway, and no one else is refused because of it.
 */
export class Budget {
  readonly policy: Policy
  readonly #now: () => number
  readonly #most: number
  readonly #shares = new Map<string, Share>()
  /** New ones since the last sweep. */
  #entered = 0

  constructor({ policy, now, most = MOST_CLIENTS }: BudgetDeps) {
    this.policy = policy
    this.#now = now
    this.#most = most
  }

  /** Number of clients in the table. */
  get clients(): number {
    return this.#shares.size
  }

  /** Draws so many from the budget of a client; more than is left is refused, and takes all of that. */
  draw(client: string, count = 1): Draw {
    const now = this.#now()
    const share = this.#shareOf(client, now)
    const isRefused = share.left < count
    share.left = isRefused ? 0 : share.left - count
    return this.#drawn(share, { now, isRefused })
  }

  /** What a client has left, without drawing. */
  look(client: string): Draw {
    const now = this.#now()
    const share = this.#shareOf(client, now)
    return this.#drawn(share, { now, isRefused: share.left <= 0 })
  }

  /** Gives back one that was drawn in this window. */
  giveBack(client: string): void {
    const share = this.#shares.get(client)
    if (share !== undefined && share.endsAt > this.#now() && share.left < this.policy.count) share.left += 1
  }

  #drawn({ left, endsAt }: Share, { now, isRefused }: { now: number; isRefused: boolean }): Draw {
    const seconds = Math.max(1, Math.ceil((endsAt - now) / 1000))
    return { policy: this.policy, isRefused, left, seconds }
  }

  #shareOf(client: string, now: number): Share {
    const known = this.#shares.get(client)
    if (known !== undefined && known.endsAt > now) return known
    this.#shares.delete(client)
    const { count, seconds } = this.policy
    const endsAt = windowEnd(client, { now, length: seconds * 1000 })
    const share = { endsAt, left: count }
    this.#shares.set(client, share)
    this.#dropOld(now)
    return share
  }

  /** The first one was counted first. Many are dropped at once, because a Map scans the places of removed ones. */
  #dropOld(now: number): void {
    this.#entered += 1
    if (this.#entered <= this.#most * SWEPT_PART && this.#shares.size <= this.#most) return
    this.#entered = 0
    const kept = this.#shares.size > this.#most ? this.#most * (1 - SWEPT_PART) : this.#most
    for (const [client, share] of this.#shares) {
      if (share.endsAt <= now || this.#shares.size > kept) this.#shares.delete(client)
    }
  }
}
