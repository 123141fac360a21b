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
  /** What is left; between workers a little more may be. */
  readonly left: number
  /** Whole seconds until the budget is full again, at least 1. */
  readonly seconds: number
}

/** Counts that several processes share. */
export interface SharedCounts {
  /** Adds points to those of a key and resolves with the sum; rejects when there is no reply in time. */
  add(key: string, points: number): Promise<number>
  /** Forgets a key. */
  forget(key: string): void
}

/** What a budget needs. */
export interface BudgetParts {
  readonly policy: Policy
  /** Unix milliseconds. */
  readonly now: () => number
  /** Absent where this process alone counts. */
  readonly counts?: SharedCounts | undefined
  /** Most clients that are counted at the same time; default 20,000. */
  readonly most?: number
}

/** What one client has in one window. */
interface Share {
  /** Unix milliseconds. */
  readonly endsAt: number
  /** What may be drawn locally. */
  left: number
  /** What was left for all processes at the last reply. */
  rest: number
  /** Those who wait for more. */
  waiting: number
  filling: Promise<void> | undefined
}

/** Most clients of a budget: 20,000 take about 5 MB. */
const MOST_CLIENTS = 20_000

/** The part of all clients after which, and of which, old ones are forgotten. */
const SWEPT_PART = 1 / 8

/**
 * Share of a budget that a process takes at once from the common counts, so that few requests have to wait for a reply.
 */
const PORTION = 1 / 200

/**
 * What each client may still do in its present window. Windows of one length follow each other and start at a different
 * moment for each client, the same in all processes. When there are too many clients the oldest counts are dropped: a
 * client with that many addresses cannot be limited by them anyway, and nobody else is refused because of it.
 */
export class Budget {
  readonly policy: Policy
  readonly #now: () => number
  readonly #counts: SharedCounts | undefined
  readonly #most: number
  readonly #portion: number
  readonly #shares = new Map<string, Share>()
  /** New ones since the last sweep. */
  #entered = 0

  constructor({ policy, now, counts, most = MOST_CLIENTS }: BudgetParts) {
    this.policy = policy
    this.#now = now
    this.#counts = counts
    this.#most = most
    this.#portion = Math.max(1, Math.floor(policy.count * PORTION))
  }

  /** Number of clients in the table. */
  get clients(): number {
    return this.#shares.size
  }

  /** Draws one from the budget of a client; a promise only where other processes are involved. */
  draw(client: string): Draw | Promise<Draw> {
    const now = this.#now()
    const share = this.#shareOf(client, now)
    if (share.left > 0) return this.#take(share, now)
    if (share.rest <= 0) return this.#drawn(share, { now, isRefused: true })
    return this.#drawShared(client, share)
  }

  /** What a client has left, without drawing. */
  look(client: string): Draw {
    const now = this.#now()
    const share = this.#shareOf(client, now)
    return this.#drawn(share, { now, isRefused: share.left + share.rest <= 0 })
  }

  /** Gives back one that was drawn in this window. */
  giveBack(client: string): void {
    const share = this.#shares.get(client)
    if (share !== undefined && share.endsAt > this.#now() && share.left + share.rest < this.policy.count)
      share.left += 1
  }

  #take(share: Share, now: number): Draw {
    share.left -= 1
    return this.#drawn(share, { now, isRefused: false })
  }

  #drawn({ left, rest, endsAt }: Share, { now, isRefused }: { now: number; isRefused: boolean }): Draw {
    const seconds = Math.max(1, Math.ceil((endsAt - now) / 1000))
    return { policy: this.policy, isRefused, left: isRefused ? 0 : left + rest, seconds }
  }

  #shareOf(client: string, now: number): Share {
    const known = this.#shares.get(client)
    if (known !== undefined && known.endsAt > now) return known
    this.#shares.delete(client)
    const isAlone = this.#counts === undefined
    const { count, seconds } = this.policy
    const endsAt = windowEnd(client, { now, length: seconds * 1000 })
    const share = { endsAt, left: isAlone ? count : 0, rest: isAlone ? 0 : count, waiting: 0, filling: undefined }
    this.#shares.set(client, share)
    this.#forgetOld(now)
    return share
  }

  /** The first one was counted first. Many are dropped at once, because a Map scans the places of removed ones. */
  #forgetOld(now: number): void {
    this.#entered += 1
    if (this.#entered <= this.#most * SWEPT_PART && this.#shares.size <= this.#most) return
    this.#entered = 0
    const kept = this.#shares.size > this.#most ? this.#most * (1 - SWEPT_PART) : this.#most
    for (const [client, share] of this.#shares) {
      const hasEnded = share.endsAt <= now
      if (!hasEnded && this.#shares.size <= kept) continue
      this.#shares.delete(client)
      if (!hasEnded) this.#counts?.forget(keyOf(client, share))
    }
  }

  async #drawShared(client: string, share: Share): Promise<Draw> {
    while (share.left <= 0 && share.rest > 0) {
      share.waiting += 1
      share.filling ??= this.#fill(client, share)
      await share.filling
    }
    const now = this.#now()
    return share.left > 0 ? this.#take(share, now) : this.#drawn(share, { now, isRefused: true })
  }

  /** Takes a portion out of what all processes share. */
  async #fill(client: string, share: Share): Promise<void> {
    // Requests of the same turn of the event loop wait for the same portion.
    await Promise.resolve()
    const wanted = Math.max(this.#portion, share.waiting)
    try {
      const drawn = (await this.#counts?.add(keyOf(client, share), wanted)) ?? 0
      share.rest = Math.max(0, this.policy.count - drawn)
      share.left += Math.min(wanted, Math.max(0, this.policy.count - drawn + wanted))
    } catch {
      // The process with the counts is being replaced: rather too much than nothing.
      share.left += wanted
    } finally {
      share.filling = undefined
      share.waiting = 0
    }
  }
}

/** Of a window: whoever counts need not know when it ends. */
function keyOf(client: string, { endsAt }: Share): string {
  return `${client}@${endsAt}`
}
