import {
  type BinaryOperationNode,
  type Dialect,
  type Driver,
  Kysely,
  type LimitNode,
  type OperationNode,
  OperatorNode,
  PostgresAdapter,
  PostgresQueryCompiler,
  type RawBuilder,
  SqliteAdapter,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely'
import type { Compilable, EngineName, Reader } from './engine.ts'
import type { Database } from './schema.ts'

/**
 * SQLite plans with the bound values of the limit and of columns that equal one, and so prepares the statement again each
 * time they are bound: that takes longer than reading a page. It does not look into a function.
 */
class ValueBlindCompiler extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit ')
    this.#visitHidden(limit)
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node
    const isBound = ValueNode.is(rightOperand) && rightOperand.immediate !== true
    if (!isBound || !OperatorNode.is(operator) || operator.operator !== '=') {
      super.visitBinaryOperation(node)
      return
    }
    this.visitNode(leftOperand)
    this.append(' = ')
    this.#visitHidden(rightOperand)
  }

  #visitHidden(value: OperationNode): void {
    this.append('likely(')
    this.visitNode(value)
    this.append(')')
  }
}

const DIALECTS = {
  sqlite: { createAdapter: () => new SqliteAdapter(), createQueryCompiler: () => new ValueBlindCompiler() },
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

/** A statement that is written out, with values in their places. */
export function written<Row>(sql: string, parameters: readonly unknown[] = []): Compilable<Row> {
  const ready = { sql, parameters }
  return { ready, compile: () => ready }
}

/** A piece of SQL as a statement of its own. */
export function asStatement<Row>({ db }: Pick<Reader, 'db'>, query: RawBuilder<Row>): Compilable<Row> {
  return { compile: () => query.compile(db) }
}
