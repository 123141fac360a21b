import type { Kysely } from 'kysely'
import type { Report, Transaction, WriteStats } from '../engine.ts'
import type { Database } from '../schema.ts'
import type { Connection } from './sqlite-connection.ts'
import { type Job, type JobOutcome, runJob } from './sqlite-job.ts'

/** What the queue works with. */
export interface QueueParts {
  readonly connection: Connection
  readonly db: Kysely<Database>
  readonly report: Report
  /** Milliseconds; a clock that stands still leaves only the number of jobs as a bound. */
  readonly now: () => number
  /** Called after each commit, before anybody hears of it. */
  readonly committed?: () => void
}

/** A shared transaction takes no further job after so many jobs or milliseconds. */
const BATCH_LIMIT = { jobs: 64, milliseconds: 10 } as const

interface Waiting {
  readonly job: Job
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * The one line in which all writes of a SQLite file stand. Jobs run one at a time; those that wait together share one
 * transaction and thus one durable commit, each in a savepoint of its own, and no promise settles before that commit.
 * Between two transactions the event loop gets its turn.
 */
export class WriteQueue {
  readonly #connection: Connection
  readonly #db: Kysely<Database>
  readonly #report: Report
  readonly #now: () => number
  readonly #committed: () => void
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  #commits = 0
  #jobs = 0
  #batches = 0
  #commitTime = 0
  /** Jobs of the open transaction. */
  #inBatch = 0

  constructor({ connection, db, report, now, committed = () => undefined }: QueueParts) {
    this.#connection = connection
    this.#db = db
    this.#report = report
    this.#now = now
    this.#committed = committed
  }

  /** What it has done, and what waits. */
  get stats(): WriteStats {
    const writesWaiting = this.#waiting.length + this.#inBatch
    return {
      commits: this.#commits,
      jobs: this.#jobs,
      batches: this.#batches,
      commitTime: this.#commitTime,
      writesWaiting,
    }
  }

  /** See `Storage.write`. */
  write<T>(job: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve: resolve as (value: unknown) => void, reject })
      this.#running ??= this.#workOff()
    })
  }

  /** Resolves when no job is waiting or running. Never rejects. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #workOff(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Everyone who writes in this turn of the event loop gets into the same transaction.
      await new Promise((resolve) => setImmediate(resolve))
      await this.#runBatch()
    }
    this.#running = undefined
  }

  async #runBatch(): Promise<void> {
    try {
      this.#connection.exec('begin immediate')
    } catch (error) {
      // Each attempt has waited for the whole busy timeout: asking again for every single job would take minutes.
      for (const { reject } of this.#waiting.splice(0)) reject(error)
      return
    }
    this.#batches += 1
    const batch = await this.#runJobs()
    const failure = this.#commit(batch.map(({ outcome }) => outcome))
    if (!failure) this.#notify(batch.map(({ outcome }) => outcome))
    this.#inBatch = 0
    for (const { waiting, outcome } of batch) settle(waiting, outcome.ok ? (failure ?? outcome) : outcome)
  }

  async #runJobs(): Promise<{ waiting: Waiting; outcome: JobOutcome }[]> {
    const batch: { waiting: Waiting; outcome: JobOutcome }[] = []
    const deadline = this.#now() + BATCH_LIMIT.milliseconds
    do {
      const waiting = this.#waiting.shift()
      if (!waiting) break
      this.#jobs += 1
      this.#inBatch += 1
      batch.push({ waiting, outcome: await runJob(this.#connection, this.#db, waiting.job) })
    } while (this.#connection.inTransaction && batch.length < BATCH_LIMIT.jobs && this.#now() < deadline)
    return batch
  }

  /** Ends the transaction; the failure that all its jobs share, `undefined` when those that succeeded are durable. */
  #commit(outcomes: readonly JobOutcome[]): JobOutcome | undefined {
    const succeeded = outcomes.some((outcome) => outcome.ok)
    try {
      if (!this.#connection.inTransaction) return { ok: false, error: abandoned(outcomes.at(-1)) }
      const begunAt = this.#now()
      this.#connection.exec(succeeded ? 'commit' : 'rollback')
      if (succeeded) {
        this.#commits += 1
        this.#commitTime += this.#now() - begunAt
      }
      this.#committed()
      return undefined
    } catch (error) {
      this.#rollBack()
      return { ok: false, error }
    }
  }

  #rollBack(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.exec('rollback')
    } catch (error) {
      this.#report(error, 'rolling back after a commit that failed')
    }
  }

  #notify(outcomes: readonly JobOutcome[]): void {
    for (const notify of outcomes.flatMap((outcome) => (outcome.ok ? outcome.notify : []))) {
      try {
        notify()
      } catch (error) {
        this.#report(error, 'telling about a commit')
      }
    }
  }
}

function settle(waiting: Waiting, outcome: JobOutcome): void {
  if (outcome.ok) waiting.resolve(outcome.value)
  else waiting.reject(outcome.error)
}

function abandoned(last: JobOutcome | undefined): Error {
  const cause = last && !last.ok ? last.error : undefined
  return new Error('SQLite gave up the transaction that this write shared with the one that failed', { cause })
}
