import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { nextTurn } from '../../../base/background.ts'
import { type Failure, fail } from '../../../base/errors.ts'
import { DiskRoom } from '../../disk-full.ts'
import type { DeferredWrite, Report, StoreStep, Transaction, WriteStats } from '../../engine.ts'
import type { Database } from '../../schema.ts'
import type { Job } from '../transaction.ts'
import type { Checkpoints } from './checkpoints.ts'
import { type Connection, isBusy } from './connection.ts'
import type { FileGuard } from './files.ts'
import { type JobEnvironment, type JobOutcome, runJob, TURNS_OF_PAUSE } from './job.ts'
import { BUSY_TIMEOUT } from './read-connection.ts'

/** What the queue needs. */
export interface SqliteQueueDeps {
  readonly connection: Connection
  readonly db: Kysely<Database>
  readonly report: Report
  /** Milliseconds; with a clock that stands still only the number of jobs is bounded. */
  readonly now: () => number
  /** Called after each commit, even one that failed in an unknown way, before any caller is notified. */
  readonly committed?: () => void
  /** Why nothing may be written, checked before and after each commit; default: no reason. */
  readonly guard?: Pick<FileGuard, 'trouble'>
  /** Move the log when it has to be before a transaction, and flush what a long one has written; default: neither. */
  readonly checkpoints?: Pick<Checkpoints, 'room' | 'syncLog'>
  /** Milliseconds to wait for another program that has locked the file; default: as long as a read. */
  readonly patience?: number
}

/** Page cache of the connection that writes, in KiB as SQLite's negative numbers say it. */
export const WRITE_CACHE_SIZE = -32 * 1024

/**
 * The same during long work: a text of a megabyte changes some 50 MB. Where a page went to the log for lack of room and changes
 * again, the commit recomputes the checksums of everything after it, and the disk has to take all of it once more.
 */
const LONG_CACHE_SIZE = -96 * 1024

/** Has FTS5 write the terms of the last statement now: it keeps them until a savepoint or the commit. */
const STORE_TERMS = 'savepoint terms; release terms'

/** A shared transaction takes no further job after so many jobs, milliseconds, or rows of long writes. */
const BATCH_LIMIT = { jobs: 64, milliseconds: 40, rows: 10_000 } as const

/** Milliseconds after which a locked file is tried again. */
const LOCKED_PAUSE = 5

/** Milliseconds of jobs after which the event loop gets its turn, also within a transaction. */
const TURN_LIMIT = 10

interface Waiting {
  readonly job: Job
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

interface Ran {
  readonly waiting: Waiting
  readonly outcome: JobOutcome
}

/**
 * The queue of all writes of a SQLite file. Jobs run one at a time; those that wait together share one transaction and
 * thus one durable commit, and no promise settles before that commit. When one of them fails, all are undone and run
 * again, each in its own savepoint: that costs twice, and failures are rare. The event loop runs between two
 * transactions, and within one whose jobs take long.
 */
export class WriteQueue {
  readonly #connection: Connection
  readonly #db: Kysely<Database>
  readonly #report: Report
  readonly #now: () => number
  readonly #committed: () => void
  readonly #guard: SqliteQueueDeps['guard']
  readonly #checkpoints: SqliteQueueDeps['checkpoints']
  readonly #room: DiskRoom
  readonly #patience: number
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  #commits = 0
  #jobs = 0
  #batches = 0
  #commitTime = 0
  /** Jobs of the open transaction. */
  #inBatch = 0
  /** Whether the last transaction had steps. */
  #isLong = false

  constructor(deps: SqliteQueueDeps) {
    const {
      connection,
      db,
      report,
      now,
      committed = () => undefined,
      guard,
      checkpoints,
      patience = BUSY_TIMEOUT,
    } = deps
    this.#connection = connection
    this.#db = db
    this.#report = report
    this.#now = now
    this.#committed = committed
    this.#guard = guard
    this.#checkpoints = checkpoints
    this.#room = new DiskRoom(report)
    this.#patience = patience
    // SQLite would wait within a statement, and everybody else with it.
    connection.pragma('busy_timeout = 0')
  }

  /** Why writes are refused now, if known. */
  trouble(): Failure | undefined {
    return this.#guard?.trouble() ?? this.#room.trouble()
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
      await this.#checkpoints?.room()
      await this.#waitForBatch()
      await this.#runBatch()
    }
    this.#running = undefined
  }

  /**
   * All writes of this turn of the event loop join the same transaction, and as long as turns bring further jobs, those
   * do, too: requests start a few a turn, and a commit takes as long for all of them as for the first.
   */
  async #waitForBatch(): Promise<void> {
    let before: number
    do {
      before = this.#waiting.length
      await nextTurn()
    } while (this.#waiting.length > before && this.#waiting.length < BATCH_LIMIT.jobs)
  }

  async #runBatch(): Promise<void> {
    if (!(await this.#begin())) return
    this.#batches += 1
    let batch = await this.#runJobs({ isGuarded: false })
    if (batch.length > 1 && batch.some(({ outcome }) => !outcome.ok)) {
      this.#takeBack(batch)
      if (!(await this.#begin())) return
      batch = await this.#runJobs({ isGuarded: true })
    }
    const outcomes = batch.map(({ outcome }) => outcome)
    const failure = (await this.#storeDeferred(outcomes)) ?? this.#commit(outcomes)
    if (!failure) this.#notify(outcomes)
    this.#inBatch = 0
    // The commit of a long write has taken its milliseconds, and so will the response to it.
    if (this.#isLong) await nextTurn()
    for (const { waiting, outcome } of batch) this.#settle(waiting, outcome.ok ? (failure ?? outcome) : outcome)
  }

  async #begin(): Promise<boolean> {
    try {
      const trouble = this.#guard?.trouble()
      if (trouble) throw trouble
      await this.#lock()
      return true
    } catch (error) {
      // Each attempt has waited for as long as it may: retrying every single job would take minutes.
      for (const waiting of this.#waiting.splice(0)) this.#settle(waiting, { ok: false, error })
      return false
    }
  }

  /** Starts a transaction; while another program has locked the file, everybody who reads is served. */
  async #lock(): Promise<void> {
    for (let left = this.#patience; ; left -= LOCKED_PAUSE) {
      try {
        return this.#connection.exec('begin immediate')
      } catch (error) {
        if (!isBusy(error)) throw error
        if (left <= 0) throw this.#locked(error)
        await delay(LOCKED_PAUSE)
      }
    }
  }

  #locked(cause: unknown): Failure {
    this.#report(cause, `another program has locked the file of the calendar for ${this.#patience} ms`)
    return Object.assign(fail('rest_unavailable'), { cause })
  }

  /** Undoes jobs and puts them back at the head of the queue, to be run again. */
  #takeBack(batch: readonly Ran[]): void {
    this.#rollBack()
    this.#waiting.unshift(...batch.map(({ waiting }) => waiting))
    this.#jobs -= batch.length
    this.#inBatch = 0
  }

  /** Unguarded jobs end with the first that fails, because what they have done cannot stay. */
  async #runJobs({ isGuarded }: { readonly isGuarded: boolean }): Promise<Ran[]> {
    const ground = { connection: this.#connection, db: this.#db, isGuarded }
    const batch: Ran[] = []
    const deadline = this.#now() + BATCH_LIMIT.milliseconds
    let turn = this.#now()
    let rows = 0
    do {
      if (this.#now() >= turn + TURN_LIMIT) {
        await nextTurn()
        turn = this.#now()
      }
      const waiting = this.#waiting.shift()
      if (!waiting) break
      this.#jobs += 1
      this.#inBatch += 1
      const outcome = await runJob(ground, waiting.job)
      batch.push({ waiting, outcome })
      if (!isGuarded && !outcome.ok) break
      if (outcome.ok) rows += outcome.rows
    } while (this.#waiting.length > 0 && this.#takesMore({ jobs: batch.length, rows, deadline }))
    return batch
  }

  #takesMore({ jobs, rows, deadline }: { jobs: number; rows: number; deadline: number }): boolean {
    const hasRoom = jobs < BATCH_LIMIT.jobs && rows < BATCH_LIMIT.rows && this.#now() < deadline
    return this.#connection.inTransaction && hasRoom
  }

  /**
   * Stores what the jobs have deferred; returns the failure that all of them share, and then nothing of them remains.
   */
  async #storeDeferred(outcomes: readonly JobOutcome[]): Promise<JobOutcome | undefined> {
    const deferred = outcomes.flatMap((outcome) => (outcome.ok ? outcome.deferred : []))
    this.#isLong = false
    if (deferred.length === 0 || !this.#connection.inTransaction) return undefined
    const ground = { connection: this.#connection, db: this.#db, isGuarded: false }
    const steps: StoreStep[] = []
    const outcome = await runJob(ground, async (tx) => void steps.push(...(await storeTogether(tx, deferred))))
    this.#isLong = steps.length > 0
    const failed = outcome.ok ? this.#isLong && (await this.#runSteps(ground, steps)) : outcome
    if (!failed) return undefined
    this.#rollBack()
    return failed
  }

  /** Runs the steps of long writes one after the other; the failure of the first that fails, `undefined` when none does. */
  async #runSteps(ground: JobEnvironment, steps: readonly StoreStep[]): Promise<JobOutcome | undefined> {
    const failed = await this.#runWithRoom(ground, [...steps, async () => this.#connection.exec(STORE_TERMS)])
    // So that the commit finds what went to the log for lack of room on the disk.
    if (failed === undefined) await this.#flush()
    return failed
  }

  /** Runs steps with pauses between them until one fails; its failure, `undefined` when none does. */
  async #runWithRoom(ground: JobEnvironment, steps: readonly StoreStep[]): Promise<JobOutcome | undefined> {
    this.#connection.pragma(`cache_size = ${LONG_CACHE_SIZE}`)
    try {
      for (const step of steps) {
        await nextTurn(TURNS_OF_PAUSE)
        const outcome = await runJob(ground, step)
        if (!outcome.ok) return outcome
      }
      return undefined
    } finally {
      this.#connection.pragma(`cache_size = ${WRITE_CACHE_SIZE}`)
    }
  }

  /** What fails here fails in the commit, too, which says so. */
  async #flush(): Promise<void> {
    await this.#checkpoints?.syncLog().catch(() => undefined)
  }

  /** Ends the transaction; the failure that all its jobs share, `undefined` when those that succeeded are durable. */
  #commit(outcomes: readonly JobOutcome[]): JobOutcome | undefined {
    const succeeded = outcomes.some((outcome) => outcome.ok)
    try {
      if (!this.#connection.inTransaction) return { ok: false, error: abandoned(outcomes.at(-1)) }
      const startedAt = this.#now()
      this.#connection.exec(succeeded ? 'commit' : 'rollback')
      if (succeeded) {
        this.#commits += 1
        this.#commitTime += this.#now() - startedAt
        this.#room.found()
      }
      this.#committed()
      // Committed to a file that was just removed: it may come back.
      return succeeded && this.#guard?.trouble() ? { ok: false, error: fail('rest_write_uncertain') } : undefined
    } catch (error) {
      this.#rollBack()
      this.#committed()
      return { ok: false, error }
    }
  }

  #settle(waiting: Waiting, outcome: JobOutcome): void {
    if (outcome.ok) waiting.resolve(outcome.value)
    else waiting.reject(this.#room.explain(outcome.error))
  }

  #rollBack(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.exec('rollback')
    } catch (error) {
      this.#report(error, 'rolling back after a failed commit')
    }
  }

  #notify(outcomes: readonly JobOutcome[]): void {
    for (const notify of outcomes.flatMap((outcome) => (outcome.ok ? outcome.notify : []))) {
      try {
        notify()
      } catch (error) {
        this.#report(error, 'notifying about a commit')
      }
    }
  }
}

async function storeTogether(tx: Transaction, deferred: readonly DeferredWrite[]): Promise<readonly StoreStep[]> {
  const steps: StoreStep[] = []
  for (const [store, own] of Map.groupBy(deferred, (one) => one.store))
    steps.push(...(await store(tx, new Map(own.map(({ id, value }) => [id, value])))))
  return steps
}

function abandoned(last: JobOutcome | undefined): Error {
  const cause = last && !last.ok ? last.error : undefined
  return new Error('SQLite gave up the transaction that this write shared with the one that failed', { cause })
}
