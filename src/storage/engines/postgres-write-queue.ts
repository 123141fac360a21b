import type { Kysely } from 'kysely'
import type { PoolClient } from 'pg'
import type { Report, Transaction } from '../engine.ts'
import type { Database } from '../schema.ts'
import type { ConnectionPool } from './postgres-connection.ts'
import { isConflict, isConnectionLoss } from './postgres-errors.ts'
import { type Job, type JobResult, runJob } from './postgres-job.ts'

/** What the queue works with. */
export interface QueueParts {
  readonly db: Kysely<Database>
  readonly pool: ConnectionPool
  readonly report: Report
  /** Statement that begins a transaction and waits for its turn among all processes. */
  readonly begin: string
  /** Statement that tells the other processes and commits. */
  readonly commit: string
  /** Called when a job is durable, before its listeners. */
  readonly committed: () => void
  /** Called when nobody knows whether a job is durable, because its commit had no answer. */
  readonly doubted: () => void
}

/** How often a job is run at most, when conflicts or broken connections undo it. */
const ATTEMPTS = 5

/**
 * The line in which the writes of this process stand; the lock that `begin` takes makes one line of all processes.
 * Each job has a transaction and a pooled connection of its own.
 */
export class PostgresWriteQueue {
  readonly #parts: QueueParts
  #last: Promise<unknown> = Promise.resolve()
  #commits = 0
  #jobs = 0
  #batches = 0

  constructor(parts: QueueParts) {
    this.#parts = parts
  }

  /** Counters as `StorageStats` describes them. */
  get counts(): { commits: number; jobs: number; batches: number } {
    return { commits: this.#commits, jobs: this.#jobs, batches: this.#batches }
  }

  /** See `Storage.write`. */
  write<T>(job: (tx: Transaction) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#run(job))
    this.#last = result.catch(() => undefined)
    return result as Promise<T>
  }

  /** Resolves when no job is waiting or running. Never rejects. */
  async idle(): Promise<void> {
    for (let last: unknown; last !== this.#last; await last) last = this.#last
  }

  async #run(job: Job): Promise<unknown> {
    this.#jobs += 1
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt(job)
      if (outcome.ok) return this.#finish(outcome.result)
      if (!outcome.mayRepeat || attempt === ATTEMPTS) throw outcome.error
    }
  }

  async #attempt(job: Job): Promise<Attempt> {
    let committing = false
    try {
      const result = await this.#parts.pool.use(async (client) => {
        const done = await this.#perform(client, job)
        committing = true
        await client.query(this.#parts.commit)
        return done
      })
      return { ok: true, result }
    } catch (error) {
      // A commit without an answer may have happened: running the job again could do it twice.
      const isLost = isConnectionLoss(error)
      if (committing && isLost) this.#parts.doubted()
      return { ok: false, error, mayRepeat: isConflict(error) || (!committing && isLost) }
    }
  }

  async #perform(client: PoolClient, job: Job): Promise<JobResult> {
    const { db, pool, begin } = this.#parts
    try {
      // What fails behind `begin` itself, such as waiting for the line, leaves a transaction to be rolled back.
      await client.query(begin)
      this.#batches += 1
      return await runJob({ db, pool, client }, job)
    } catch (error) {
      // When even this fails, the connection is given up, which rolls back as well.
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  }

  #finish({ value, notify }: JobResult): unknown {
    this.#commits += 1
    this.#parts.committed()
    for (const tell of notify) {
      try {
        tell()
      } catch (error) {
        this.#parts.report(error, 'telling about a commit')
      }
    }
    return value
  }
}

type Attempt =
  | { readonly ok: true; readonly result: JobResult }
  | { readonly ok: false; readonly error: unknown; readonly mayRepeat: boolean }
