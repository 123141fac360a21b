import { fail } from '../../base/errors.ts'
import { BoundedKeys } from './bounded-keys.ts'
import type { Budget, Draw } from './budget.ts'
import { textKey } from './window.ts'

/** What limits to failed sign-ins work with. */
export interface LogInDeps {
  /** Failed sign-ins of each address. */
  readonly byAddress: Budget
  /** Failed sign-ins under each name, from wherever. */
  readonly byName: Budget
  /** Unix milliseconds. */
  readonly now: () => number
  /** Resolves after so many milliseconds, and keeps no process alive. */
  readonly sleep: (milliseconds: number) => Promise<unknown>
}

/** A sign-in attempt with credentials. */
export interface LogIn {
  /** Key of the client; undefined where the address says nothing about who it is. */
  readonly client: string | undefined
  /** The name as it was typed. */
  readonly login: string
  /** A digest that is equal for equal credentials only, and does not reveal them. */
  readonly proof: string
}

/** A sign-in that was started. */
export interface Attempt {
  /** Right credentials. */
  succeeded(): void
  /** It is unknown whether they are right. */
  gaveUp(): void
  /** Wrong ones: resolves when the answer may be sent. @throws rest_too_many_requests when too many wait already */
  failed(): Promise<void>
}

/** How long valid credentials are remembered, milliseconds. */
const KNOWN_FOR = 24 * 3_600_000

/** Share of the failed sign-ins that get their response without delay. */
const FREE_PART = 1 / 2

/** The first delay, doubled with each further failed sign-in, and the longest one; milliseconds. */
const DELAY = { first: 100, most: 2000 } as const

/** Most answers that are delayed at the same time. */
const MOST_DELAYED = 100

/**
 * Delays and then refuses attempts with credentials. An address with too many failed sign-ins is refused without a
 * check, but not credentials that were valid before, from wherever: nobody can lock someone else out. Failed sign-ins
 * under one name from many addresses are delayed the same way; valid ones never are.
 */
export class LogIns {
  readonly #deps: LogInDeps
  readonly #known: BoundedKeys
  #delayed = 0

  constructor(deps: LogInDeps) {
    this.#deps = deps
    this.#known = new BoundedKeys({ now: deps.now, keepFor: KNOWN_FOR })
  }

  /**
   * Called before credentials are checked: each attempt counts as failed until it has succeeded, even if many run at
   * once. `drawn` gets what was drawn for a failed one.
   * @throws rest_too_many_requests
   */
  begin({ client, login, proof }: LogIn, drawn: (draw: Draw) => void): Attempt {
    const { byAddress } = this.#deps
    const isKnown = this.#known.has(proof)
    const draw = isKnown || client === undefined ? undefined : byAddress.draw(client)
    if (draw?.isRefused === true) {
      drawn(draw)
      throw fail('rest_too_many_requests', { seconds: draw.seconds })
    }
    const gaveUp = (): void => {
      if (draw !== undefined && client !== undefined) byAddress.giveBack(client)
    }
    return {
      gaveUp,
      succeeded: () => {
        gaveUp()
        if (!isKnown) this.#known.add(proof)
      },
      failed: async () => {
        this.#known.delete(proof)
        const own = draw ?? (client === undefined ? undefined : byAddress.draw(client))
        if (own !== undefined) drawn(own)
        await this.#delay(own, this.#deps.byName.draw(textKey(login.toLowerCase())))
      },
    }
  }

  async #delay(...draws: readonly (Draw | undefined)[]): Promise<void> {
    const delay = Math.max(...draws.map((draw) => (draw === undefined ? 0 : delayOf(draw))))
    if (delay === 0) return
    if (this.#delayed >= MOST_DELAYED) throw fail('rest_too_many_requests', { seconds: Math.ceil(delay / 1000) })
    this.#delayed += 1
    try {
      await this.#deps.sleep(delay)
    } finally {
      this.#delayed -= 1
    }
  }
}

/** Milliseconds that a failed sign-in waits, by how many there were before; 0 for the first ones. */
function delayOf({ policy, left, isRefused }: Draw): number {
  if (isRefused) return DELAY.most
  const paid = policy.count - left - Math.max(1, Math.floor(policy.count * FREE_PART))
  return paid <= 0 ? 0 : Math.min(DELAY.first * 2 ** (paid - 1), DELAY.most)
}
