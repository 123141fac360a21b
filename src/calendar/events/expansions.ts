import type { Caller } from '../../http/auth/rights.ts'
import type { Reader } from '../../storage/engine.ts'
import { ReadQueue } from '../../storage/read-queue.ts'
import { isInsideTransaction } from '../../storage/reads.ts'

/** Where dates are worked out: one request at a time; 64 wait, a quarter of them of one client. */
const EXPANDING = { slots: 1, spared: 0, waiting: 64 } as const

/** Where dates that were worked out are compared with what is stored: eight requests at a time, two of one client. */
const COMPARING = { slots: 8, spared: 6, waiting: 32 } as const

/** Work that is done in steps. `pause` is to be awaited between two of them. */
export type SteppedWork<T> = (pause: () => Promise<void>) => Promise<T>

/** What a queue of expansions needs. */
export interface ExpansionDeps {
  readonly storage: Pick<Reader, 'pause'>
  /** Milliseconds that a request waits for its turn. */
  readonly patience: number
}

/**
 * Where dates are worked out for those who only ask, which takes some tens of milliseconds: in each process one at a time
 * for all callers without credentials, one for all others. The others wait, clients in turn; requests in between are
 * answered while one is worked out, because it pauses. Comparing them with what is stored, which mostly waits for reads, has
 * places of its own, so that a crowded venue holds up nobody who asks for dates alone.
 */
export class Expansions {
  readonly #pause: () => Promise<void>
  readonly #anonymous: CallerQueues
  readonly #known: CallerQueues

  constructor({ storage, patience: timeout }: ExpansionDeps) {
    const open = (): CallerQueues => ({
      expanding: new ReadQueue({ ...EXPANDING, timeout }),
      comparing: new ReadQueue({ ...COMPARING, timeout }),
    })
    this.#pause = () => storage.pause()
    this.#anonymous = open()
    this.#known = open()
  }

  /**
   * Works out dates when its turn has come; inside of a transaction at once, because that waits for nothing else. Not to be
   * called inside of other work: it would wait for itself.
   * @throws rest_too_busy when too many wait, or it waited too long
   */
  run<T>(caller: Caller, work: SteppedWork<T>): Promise<T> {
    return this.#inTurn('expanding', caller, () => work(this.#pause))
  }

  /** Compares dates that were worked out with what is stored. Queued and refused like the working out, beside it. */
  compare<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    return this.#inTurn('comparing', caller, work)
  }

  #inTurn<T>(kind: keyof CallerQueues, { id }: Caller, work: () => Promise<T>): Promise<T> {
    if (isInsideTransaction()) return work()
    const queues = id === 0 ? this.#anonymous : this.#known
    return queues[kind].run(work, { isDropped: true })
  }
}

interface CallerQueues {
  readonly expanding: ReadQueue
  readonly comparing: ReadQueue
}
