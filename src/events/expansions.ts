import type { Caller } from '../auth/caller.ts'
import { isInsideTransaction } from '../storage/ambient.ts'
import type { Reader } from '../storage/engine.ts'
import { ReadQueue } from '../storage/read-queue.ts'

/** Requests that wait for each of the two places; one client may have a quarter of them. */
const WAITING = 64

/** Work that is done in steps. `pause` is to be awaited between two of them. */
export type SteppedWork<T> = (pause: () => Promise<void>) => Promise<T>

/** What a queue of expansions needs. */
export interface ExpansionParts {
  readonly storage: Pick<Reader, 'pause'>
  /** Milliseconds that a request waits for its turn. */
  readonly patience: number
}

/**
 * Where dates are worked out for those who only ask, which takes some tens of milliseconds: one at a time for all callers
 * without credentials, one for all others. The others wait, clients in turn; requests in between are answered while one is
 * worked out, because it pauses.
 */
export class Expansions {
  readonly #pause: () => Promise<void>
  readonly #anonymous: ReadQueue
  readonly #known: ReadQueue

  constructor({ storage, patience }: ExpansionParts) {
    const limits = { slots: 1, spared: 0, timeout: patience, waiting: WAITING }
    this.#pause = () => storage.pause()
    this.#anonymous = new ReadQueue(limits)
    this.#known = new ReadQueue(limits)
  }

  /**
   * Runs the work when its turn has come; inside of a transaction at once, because that waits for nothing else. Not to be
   * called inside of other work: it would wait for itself.
   * @throws rest_too_busy when too many wait, or it waited too long
   */
  run<T>({ id }: Caller, work: SteppedWork<T>): Promise<T> {
    if (isInsideTransaction()) return work(this.#pause)
    const queue = id === 0 ? this.#anonymous : this.#known
    return queue.run(() => work(this.#pause), { isDropped: true })
  }
}
