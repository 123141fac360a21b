import type { Kysely } from 'kysely'
import { nextTurn } from '../../../base/background.ts'
import type { DeferredWrite } from '../../engine.ts'
import type { Database } from '../../schema.ts'
import { type Job, JobScope } from '../transaction.ts'
import type { Connection } from './connection.ts'

/**
 * The outcome of a job: what it returned, what it deferred and what to call after the commit, or why it was rolled
 * back.
 */
export type JobOutcome =
  | {
      readonly ok: true
      readonly value: unknown
      readonly deferred: readonly DeferredWrite[]
      readonly notify: readonly (() => void)[]
      /** See `Transaction.countRows`. */
      readonly rows: number
    }
  | { readonly ok: false; readonly error: unknown }

/** What a job needs. */
export interface JobEnvironment {
  readonly connection: Connection
  readonly db: Kysely<Database>
  /**
   * Whether it runs in its own savepoint, so that it can fail without affecting others. Without one the whole
   * transaction has to be rolled back then; but SQLite copies each page that changes in a savepoint, which takes half
   * as long as the rest of a create.
   */
  readonly isGuarded: boolean
}

/**
 * Runs one job inside the open transaction of the connection. Never rejects. When the whole transaction had to be
 * abandoned (SQLite does so itself when the disk is full), the outcome is a failure and `connection.inTransaction` is
 * false.
 */
export async function runJob({ connection, db, isGuarded }: JobEnvironment, job: Job): Promise<JobOutcome> {
  const scope = new JobScope({ engine: 'sqlite', db, statements: connection, pause: () => nextTurn(TURNS_OF_PAUSE) })
  try {
    if (isGuarded) connection.exec('savepoint job')
    const { deferred, notify } = scope
    const done = scope
      .perform(job)
      .then((value): JobOutcome => ({ ok: true, value, deferred, notify, rows: scope.rows }))
    const result = await settled(done, scope)
    scope.end()
    const outcome: JobOutcome = scope.failure ? { ok: false, error: scope.failure.error } : result
    if (!isGuarded) return outcome
    if (outcome.ok) connection.exec('release job')
    else if (connection.inTransaction) connection.exec('rollback to job; release job')
    return outcome
  } catch (error) {
    // A savepoint that cannot be closed would commit half a job with the others.
    if (connection.inTransaction) connection.exec('rollback')
    return { ok: false, error }
  }
}

/** Turns of the event loop in a pause: as many as a request needs that reads a list. */
export const TURNS_OF_PAUSE = 4

/**
 * Everything a transaction does is done when its promise is returned, so a correct job settles or pauses within the
 * microtask queue. A tick requested from a microtask runs when that queue is empty: a job that has done neither by then
 * awaits something else.
 */
function settled(running: Promise<JobOutcome>, scope: Pick<JobScope, 'pausing'>): Promise<JobOutcome> {
  return new Promise((resolve) => {
    let isSettled = false
    const settle = (outcome: JobOutcome): void => {
      isSettled = true
      resolve(outcome)
    }
    running.then(settle, (error: unknown) => settle({ ok: false, error }))
    const look = (): void => {
      if (isSettled) return
      const { pausing } = scope
      if (pausing === undefined) resolve({ ok: false, error: waitedForSomethingElse() })
      else void pausing.then(lookSoon)
    }
    const lookSoon = (): void => queueMicrotask(() => process.nextTick(look))
    lookSoon()
  })
}

function waitedForSomethingElse(): Error {
  return new Error(
    'the job was rolled back: it awaited something other than its transaction, which holds up all writes',
  )
}
