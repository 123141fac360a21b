import type { Kysely } from 'kysely'
import type { PoolClient } from 'pg'
import { type Failure, fail } from '../../../base/errors.ts'
import { DiskRoom } from '../../disk-full.ts'
import type { Pace, Report, Transaction, WriteStats } from '../../engine.ts'
import type { Database } from '../../schema.ts'
import type { Job } from '../transaction.ts'
import type { ConnectionPool, StatementLimits } from './connection.ts'
import {
  isCancelled,
  isConflict,
  isConnectionGone,
  isConnectionLoss,
  isFull,
  isSilence,
  isUnsent,
  unavailable,
} from './errors.ts'
import { type JobResult, runJob } from './job.ts'
import type { Presence } from './presence.ts'

/** What the queue needs. */
export interface PostgresQueueDeps {
  readonly db: Kysely<Database>
  readonly pool: ConnectionPool
  readonly presence: Presence
  readonly report: Report
  /** Statement that starts a transaction and waits for its turn among all processes. */
  readonly begin: (pace: Pace) => string
  /** The statement that notifies the other processes and commits. */
  readonly commit: string
  /** Milliseconds. */
  readonly now: () => number
  /** Called when a job is durable, before its listeners. */
  readonly committed: () => void
  /** Called when it is unknown whether a job is durable, because its commit got no response. */
  readonly doubted: () => void
}

/** How often a job is run at most, when conflicts or broken connections undo it. */
const ATTEMPTS = 5

/** Client side of `Pace`: the longest time that a timer supports, 24 days, stands for none. */
const LIMITS: Readonly<Record<Pace, StatementLimits>> = { usual: {}, long: { query_timeout: 0x7fff_ffff } }

/**
 * The queue of the writes of this process; the lock that `begin` takes serializes all processes. Each job has its own
 * transaction and pooled connection.
 */
export class PostgresWriteQueue {
  readonly #deps: PostgresQueueDeps
  readonly #room: DiskRoom
  #last: Promise<unknown> = Promise.resolve()
  #commits = 0
  #jobs = 0
  #batches = 0
  #commitTime = 0
  #waiting = 0

  constructor(deps: PostgresQueueDeps) {
    this.#deps = deps
    this.#room = new DiskRoom(deps.report)
  }

  /** Why writes have been refused since the last one, if known. */
  trouble(): Failure | undefined {
    return this.#room.trouble()
  }

  /** What it has done, and what waits. */
  get stats(): WriteStats {
    return {
      commits: this.#commits,
      jobs: this.#jobs,
      batches: this.#batches,
      commitTime: this.#commitTime,
      writesWaiting: this.#waiting,
    }
  }

  /** See `Storage.write`. */
  write<T>(job: (tx: Transaction) => Promise<T>, pace: Pace): Promise<T> {
    const result = this.#last.then(() => this.#run(job, pace))
    this.#waiting += 1
    const settled = (): void => {
      this.#waiting -= 1
    }
    this.#last = result.then(settled, settled)
    return result as Promise<T>
  }

  /** Resolves when no job is waiting or running. Never rejects. */
  async idle(): Promise<void> {
    for (let last: unknown; last !== this.#last; await last) last = this.#last
  }

  async #run(job: Job, pace: Pace): Promise<unknown> {
    this.#jobs += 1
    for (let attempt = 1; ; attempt += 1) {
      if (this.#deps.presence.isAway) throw unavailable()
      const outcome = await this.#attempt(job, pace)
      if (outcome.ok) return this.#finish(outcome.result)
      this.#tell(outcome)
      if (attempt === ATTEMPTS || !(await this.#mayRepeat(outcome))) throw this.#room.explain(failureOf(outcome))
    }
  }

  async #attempt(job: Job, pace: Pace): Promise<Attempt> {
    let stage: Stage = 'begin'
    try {
      const result = await this.#deps.pool.use(async (client) => {
        const started = (): void => {
          stage = 'work'
        }
        const done = await this.#perform({ client, pace, started }, job)
        stage = 'commit'
        const startedAt = this.#deps.now()
        await client.query({ text: this.#deps.commit, ...LIMITS[pace] })
        this.#commitTime += this.#deps.now() - startedAt
        return done
      })
      return { ok: true, result }
    } catch (error) {
      return { ok: false, error, stage }
    }
  }

  async #perform({ client, pace, started }: Performing, job: Job): Promise<JobResult> {
    const { db, pool, begin } = this.#deps
    try {
      // What fails behind `begin` itself, such as waiting for the line, leaves a transaction to be rolled back.
      await client.query({ text: begin(pace), ...LIMITS[pace] })
      started()
      this.#batches += 1
      return await runJob({ db, pool, client, limits: LIMITS[pace] }, job)
    } catch (error) {
      // Without it, or when even this fails, the connection is given up, which rolls back as well.
      if (!isConnectionLoss(error)) await client.query('rollback').catch(() => undefined)
      throw error
    }
  }

  /** A commit without a response may have happened: running the job again could do it twice. */
  async #mayRepeat({ error, stage }: Failed): Promise<boolean> {
    if (isConflict(error)) return true
    if (!isConnectionLoss(error) && !isFull(error)) return false
    const isDoubtful = isUncertain({ error, stage })
    if (isDoubtful) this.#deps.doubted()
    const isThere = await this.#deps.presence.look()
    return isThere && !isDoubtful && !isSilence(error)
  }

  /** A job that took too long, or was idle for long, is a bug or an overload, whatever its caller gets. */
  #tell({ error, stage }: Failed): void {
    const isOwn = isCancelled(error) || (isConnectionGone(error) && !isConnectionLoss(error))
    if (stage !== 'begin' && isOwn) this.#deps.report(error, 'the database has ended a write')
  }

  #finish({ value, notify }: JobResult): unknown {
    this.#commits += 1
    this.#room.found()
    this.#deps.committed()
    for (const tell of notify) {
      try {
        tell()
      } catch (error) {
        this.#deps.report(error, 'notifying about a commit')
      }
    }
    return value
  }
}

type Stage = 'begin' | 'work' | 'commit'

interface Performing {
  readonly client: PoolClient
  readonly pace: Pace
  /** Called when the transaction is open and the lock is held. */
  readonly started: () => void
}

interface Failed {
  readonly ok: false
  readonly error: unknown
  readonly stage: Stage
}

type Attempt = { readonly ok: true; readonly result: JobResult } | Failed

/** The error for the caller. */
function failureOf({ error, stage }: Failed): unknown {
  if (isUncertain({ error, stage })) return Object.assign(fail('rest_write_uncertain'), { cause: error })
  // Whatever the server canceled, or ended for idleness, is undone, and so is a job that waited too long for its turn.
  return isConnectionGone(error) || isFull(error) || isCancelled(error) ? unavailable(error) : error
}

/** Whether a commit was sent and has no response. */
function isUncertain({ error, stage }: Pick<Failed, 'error' | 'stage'>): boolean {
  return stage === 'commit' && isConnectionLoss(error) && !isUnsent(error)
}
