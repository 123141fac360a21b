import type { Kysely } from 'kysely'
import type { Compilable, DeferredWrite, Transaction } from '../../engine.ts'
import type { Database } from '../../schema.ts'
import type { Connection } from './connection.ts'

/** A job of any result; the queue hands the result back to the one who knows its type. */
export type SqliteJob = (tx: Transaction) => Promise<unknown>

/** How a job went: what it returned, what it deferred to others and whom to tell after the commit, or why it was rolled back. */
export type JobOutcome =
  | {
      readonly ok: true
      readonly value: unknown
      readonly deferred: readonly DeferredWrite[]
      readonly notify: readonly (() => void)[]
    }
  | { readonly ok: false; readonly error: unknown }

/** What a job runs on. */
export interface JobGround {
  readonly connection: Connection
  readonly db: Kysely<Database>
  /**
   * Whether it runs in a savepoint of its own, so that it leaves no trace when it fails and disturbs no other. Without
   * one the whole transaction has to be rolled back then; but SQLite copies each page that changes in a savepoint,
   * which takes half as long as the rest of a create.
   */
  readonly isGuarded: boolean
}

/**
 * Runs one job inside the open transaction of the connection. Never rejects. When the whole transaction had to be given
 * up (SQLite does so by itself when the disk is full), the outcome is a failure and `connection.inTransaction` is false.
 */
export async function runJob({ connection, db, isGuarded }: JobGround, job: SqliteJob): Promise<JobOutcome> {
  const scope = openScope(connection, db)
  try {
    if (isGuarded) connection.exec('savepoint job')
    const result = await settledByMicrotasks(perform(job, scope))
    scope.ended = true
    const outcome: JobOutcome = scope.failure ? { ok: false, error: scope.failure.error } : result
    if (!isGuarded) return outcome
    if (outcome.ok) connection.exec('release job')
    else if (connection.inTransaction) connection.exec('rollback to job; release job')
    return outcome
  } catch (error) {
    // A savepoint that cannot be ended would let half a job into the commit of the others.
    if (connection.inTransaction) connection.exec('rollback')
    return { ok: false, error }
  }
}

interface Scope {
  readonly tx: Transaction
  readonly last: (() => Promise<void>)[]
  readonly deferred: DeferredWrite[]
  readonly notify: (() => void)[]
  /** The first statement error; dooms the job. */
  failure: { readonly error: unknown } | undefined
  ended: boolean
}

async function perform(job: SqliteJob, scope: Scope): Promise<JobOutcome> {
  const value = await job(scope.tx)
  // A plain loop over the index: a step may register further steps.
  for (let index = 0; index < scope.last.length; index += 1) await scope.last[index]?.()
  return { ok: true, value, deferred: scope.deferred, notify: scope.notify }
}

/**
 * Everything a transaction does is done by the time its promise is returned, so an honest job settles without leaving
 * the queue of microtasks. A tick that is asked for from a microtask comes when that queue is empty: a job that has
 * not settled by then awaits something else.
 */
function settledByMicrotasks(running: Promise<JobOutcome>): Promise<JobOutcome> {
  return new Promise((resolve) => {
    running.then(resolve, (error: unknown) => resolve({ ok: false, error }))
    queueMicrotask(() => process.nextTick(() => resolve({ ok: false, error: waitedForSomethingElse() })))
  })
}

function waitedForSomethingElse(): Error {
  return new Error(
    'the job was rolled back: it awaited something other than its transaction, which holds up all writes',
  )
}

function openScope(connection: Connection, db: Kysely<Database>): Scope {
  const scope: Scope = {
    tx: openTransaction(connection, db, () => scope),
    last: [],
    deferred: [],
    notify: [],
    failure: undefined,
    ended: false,
  }
  return scope
}

function openTransaction(connection: Connection, db: Kysely<Database>, scopeOf: () => Scope): Transaction {
  // Asynchronous in form only, so that a failure becomes a rejection.
  async function execute<T>(step: () => T): Promise<T> {
    const scope = assertOpen(scopeOf())
    if (scope.failure) throw new Error('an earlier statement of this job has failed', { cause: scope.failure.error })
    try {
      // Without this a statement after an abandoned transaction would commit by itself.
      if (!connection.inTransaction) throw new Error('SQLite has given up the transaction')
      return step()
    } catch (error) {
      scope.failure = { error }
      throw error
    }
  }
  return {
    engine: 'sqlite',
    db,
    all: <Row>(query: Compilable<Row>) => execute(() => connection.all(query.compile()) as Row[]),
    first: <Row>(query: Compilable<Row>) => execute(() => connection.first(query.compile()) as Row | undefined),
    run: (query) => execute(() => ({ changes: connection.run(query.compile()) })),
    atEnd: (step) => void assertOpen(scopeOf()).last.push(step),
    deferBatch: async (deferred) => void assertOpen(scopeOf()).deferred.push(deferred),
    afterCommit: (notify) => void assertOpen(scopeOf()).notify.push(notify),
  }
}

function assertOpen(scope: Scope): Scope {
  if (scope.ended) throw new Error('the transaction has ended: its job has settled or was rolled back')
  return scope
}
