import type { Compilable, DeferredWrite, Reader, Transaction } from '../engine.ts'

/** A job of any result; the queue hands the result back to the one who knows its type. */
export type Job = (tx: Transaction) => Promise<unknown>

/** What executes the statements of a job. */
export interface JobStatements {
  all<Row>(query: Compilable<Row>): Row[] | Promise<Row[]>
  first<Row>(query: Compilable<Row>): Row | undefined | Promise<Row | undefined>
  run(query: Compilable<unknown>): { changes: number } | Promise<{ changes: number }>
}

/** What an engine does for a job. */
export interface JobEngine extends Pick<Reader, 'engine' | 'db'> {
  readonly statements: JobStatements
  /** See `Reader.pause`. */
  pause(): Promise<void>
  /** See `Transaction.deferBatch`; without it what is deferred is collected by the scope. */
  defer?(write: DeferredWrite, tx: Transaction): Promise<void>
}

/** The transaction of one job, and what the job has registered. */
export class JobScope {
  readonly tx: Transaction
  readonly notify: (() => void)[] = []
  readonly deferred: DeferredWrite[] = []
  /** See `Transaction.countRows`. */
  rows = 0
  readonly #last: (() => Promise<void>)[] = []
  /**
   * The first statement error; dooms the job. No statement is executed after it: where the engine itself has given up the
   * transaction, it would commit by itself.
   */
  failure: { readonly error: unknown } | undefined
  #hasEnded = false
  #pause: Promise<void> | undefined

  constructor({ engine, db, statements, ...own }: JobEngine) {
    this.tx = {
      engine,
      db,
      all: (query) => this.#execute(() => statements.all(query)),
      first: (query) => this.#execute(() => statements.first(query)),
      run: (query) => this.#execute(() => statements.run(query)),
      pause: () => this.#execute(() => this.#paused(own)),
      atEnd: (step) => void this.#open().#last.push(step),
      deferBatch: async (write) => {
        this.#open()
        if (own.defer === undefined) this.deferred.push(write)
        else await own.defer(write, this.tx)
      },
      countRows: (rows) => {
        this.#open().rows += rows
      },
      afterCommit: (notify) => void this.#open().notify.push(notify),
    }
  }

  /** Does the job and then its last steps; what it returned. */
  async perform(job: Job): Promise<unknown> {
    const value = await job(this.tx)
    // A plain loop over the index: a step may register further steps.
    for (let index = 0; index < this.#last.length; index += 1) await this.#last[index]?.()
    return value
  }

  /** What the job waits for although it is no statement; undefined while it does not. */
  get pausing(): Promise<void> | undefined {
    return this.#pause
  }

  #paused({ pause }: Pick<JobEngine, 'pause'>): Promise<void> {
    this.#pause ??= pause().finally(() => {
      this.#pause = undefined
    })
    return this.#pause
  }

  /** From now on its transaction takes nothing more. */
  end(): void {
    this.#hasEnded = true
  }

  /** What is at hand is not awaited: a write executes two dozen statements, and SQLite answers at once. */
  #execute<T>(step: () => T | Promise<T>): Promise<T> {
    if (this.#hasEnded) return Promise.reject(hasEnded())
    if (this.failure)
      return Promise.reject(new Error('an earlier statement of this job has failed', { cause: this.failure.error }))
    try {
      const done = step()
      return done instanceof Promise ? done.catch((error: unknown) => this.#fail(error)) : Promise.resolve(done)
    } catch (error) {
      return this.#fail(error)
    }
  }

  #fail(error: unknown): Promise<never> {
    this.failure ??= { error }
    return Promise.reject(error)
  }

  #open(): this {
    if (this.#hasEnded) throw hasEnded()
    return this
  }
}

function hasEnded(): Error {
  return new Error('the transaction has ended: its job has settled or was rolled back')
}
