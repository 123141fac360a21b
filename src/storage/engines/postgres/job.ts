import type { Kysely } from 'kysely'
import type { PoolClient } from 'pg'
import type { Compilable, Statement, Transaction } from '../../engine.ts'
import type { Database } from '../../schema.ts'
import type { ConnectionPool, StatementLimits } from './connection.ts'

/** A job of any result; the queue hands the result back to the one who knows its type. */
export type PostgresJob = (tx: Transaction) => Promise<unknown>

/** What a job that may be committed returned, and whom to tell after the commit. */
export interface JobResult {
  readonly value: unknown
  readonly notify: readonly (() => void)[]
}

/** What a job runs on. */
export interface JobParts {
  readonly db: Kysely<Database>
  readonly pool: ConnectionPool
  readonly client: PoolClient
  /** Of each statement. */
  readonly limits: StatementLimits
}

interface Scope {
  readonly last: (() => Promise<void>)[]
  readonly notify: (() => void)[]
  /** The first statement error; dooms the job. */
  failure: { readonly error: unknown } | undefined
  ended: boolean
}

/**
 * Runs one job inside the open transaction of the connection; commits and rolls back nothing. Ends at the latest when
 * the connection does, because a job that awaits something else would never notice.
 * @throws the first error of a statement, else what the job threw
 */
export async function runJob(parts: JobParts, job: PostgresJob): Promise<JobResult> {
  const scope: Scope = { last: [], notify: [], failure: undefined, ended: false }
  const broken = brokenConnection(parts.client)
  try {
    const value = await Promise.race([perform(job, openTransaction(parts, scope), scope), broken.rejects])
    if (scope.failure) throw scope.failure.error
    return { value, notify: scope.notify }
  } catch (error) {
    throw scope.failure ? scope.failure.error : error
  } finally {
    scope.ended = true
    broken.ignore()
  }
}

async function perform(job: PostgresJob, tx: Transaction, scope: Scope): Promise<unknown> {
  const value = await job(tx)
  // A plain loop over the index: a step may register further steps.
  for (let index = 0; index < scope.last.length; index += 1) await scope.last[index]?.()
  return value
}

function brokenConnection(client: PoolClient): { rejects: Promise<never>; ignore: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  // Nobody may be waiting any more when it breaks.
  promise.catch(() => undefined)
  client.on('error', reject)
  return { rejects: promise, ignore: () => client.off('error', reject) }
}

function openTransaction({ db, pool, client, limits }: JobParts, scope: Scope): Transaction {
  async function execute(statement: () => Statement) {
    assertOpen(scope)
    if (scope.failure) throw new Error('an earlier statement of this job has failed', { cause: scope.failure.error })
    try {
      return await pool.execute(client, statement(), limits)
    } catch (error) {
      scope.failure ??= { error }
      throw error
    }
  }
  const tx: Transaction = {
    engine: 'postgres',
    db,
    all: async <Row>(query: Compilable<Row>) => (await execute(() => query.compile())).rows as Row[],
    first: async <Row>(query: Compilable<Row>) => (await execute(() => query.compile())).rows[0] as Row | undefined,
    run: async (query) => ({ changes: (await execute(() => query.compile())).rowCount ?? 0 }),
    atEnd: (step) => void assertOpen(scope).last.push(step),
    deferBatch: async ({ id, value, store }) => {
      for (const step of await store(tx, new Map([[id, value]]))) await step(tx)
    },
    afterCommit: (notify) => void assertOpen(scope).notify.push(notify),
  }
  return tx
}

function assertOpen(scope: Scope): Scope {
  if (scope.ended) throw new Error('the transaction has ended: its job has settled or was rolled back')
  return scope
}
