import type { Kysely } from 'kysely'
import type { PoolClient } from 'pg'
import { nextTurn } from '../../../base/background.ts'
import type { Compilable } from '../../engine.ts'
import type { Database } from '../../schema.ts'
import { type Job, JobScope } from '../transaction.ts'
import type { ConnectionPool, StatementLimits } from './connection.ts'

/** What a job that may be committed returned, and what to call after the commit. */
export interface JobResult {
  readonly value: unknown
  readonly notify: readonly (() => void)[]
}

/** What a job needs. */
export interface JobDeps {
  readonly db: Kysely<Database>
  readonly pool: ConnectionPool
  readonly client: PoolClient
  /** Of each statement. */
  readonly limits: StatementLimits
}

/**
 * Runs one job inside the open transaction of the connection; commits and rolls back nothing. Ends at the latest when
 * the connection does, because a job that awaits something else would never notice.
 * @throws the first error of a statement, else what the job threw
 */
export async function runJob(deps: JobDeps, job: Job): Promise<JobResult> {
  const scope = openScope(deps)
  const broken = brokenConnection(deps.client)
  try {
    const value = await Promise.race([scope.perform(job), broken.rejects])
    if (scope.failure) throw scope.failure.error
    return { value, notify: scope.notify }
  } catch (error) {
    throw scope.failure ? scope.failure.error : error
  } finally {
    scope.end()
    broken.ignore()
  }
}

function brokenConnection(client: PoolClient): { rejects: Promise<never>; ignore: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  // It may be unobserved when it rejects.
  promise.catch(() => undefined)
  client.on('error', reject)
  return { rejects: promise, ignore: () => client.off('error', reject) }
}

function openScope({ db, pool, client, limits }: JobDeps): JobScope {
  const execute = (query: Compilable<unknown>) => pool.execute(client, query.ready ?? query.compile(), limits)
  return new JobScope({
    engine: 'postgres',
    db,
    statements: {
      all: async <Row>(query: Compilable<Row>) => (await execute(query)).rows as Row[],
      first: async <Row>(query: Compilable<Row>) => (await execute(query)).rows[0] as Row | undefined,
      run: async (query) => ({ changes: (await execute(query)).rowCount ?? 0 }),
    },
    pause: () => nextTurn(),
    defer: async ({ id, value, store }, tx) => {
      for (const step of await store(tx, new Map([[id, value]]))) await step(tx)
    },
  })
}
