import {
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely'
import type { EngineName } from './engine.ts'
import type { Database } from './schema.ts'

const DIALECTS = {
  sqlite: { createAdapter: () => new SqliteAdapter(), createQueryCompiler: () => new SqliteQueryCompiler() },
  postgres: { createAdapter: () => new PostgresAdapter(), createQueryCompiler: () => new PostgresQueryCompiler() },
} satisfies Record<EngineName, Pick<Dialect, 'createAdapter' | 'createQueryCompiler'>>

/**
 * A Kysely that only compiles, in the dialect of the engine. Executing with it rejects, because statements have to go
 * through `Storage` to reach the right connection, lane and transaction.
 */
export function statementBuilder(engine: EngineName): Kysely<Database> {
  return new Kysely<Database>({
    dialect: { ...DIALECTS[engine], createDriver: () => NO_DRIVER, createIntrospector: refuse },
  })
}

function refuse(): never {
  throw new Error('storage.db only builds statements: hand them to all, first or run of a storage or transaction')
}

async function refuseLater(): Promise<never> {
  return refuse()
}

const NO_DRIVER: Driver = {
  // Already here: Kysely keeps a connection of SQLite locked when getting it fails, and the next call would wait.
  init: refuseLater,
  acquireConnection: refuseLater,
  beginTransaction: refuseLater,
  commitTransaction: refuseLater,
  rollbackTransaction: refuseLater,
  releaseConnection: async () => {},
  destroy: async () => {},
}
