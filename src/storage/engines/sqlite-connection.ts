import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Statement, Value } from '../engine.ts'
import { StatementCache } from './statement-cache.ts'

/** Number of prepared statements that a connection keeps. */
export const STATEMENT_LIMIT = 500

/** Rows as a thread hands them over: names once, values in their order. */
export interface RowTable {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/**
 * One connection to a SQLite file: the port that all use of the driver goes through. Every call is synchronous and
 * throws the driver's error, whose `errcode` is the SQLite result code.
 */
export interface Connection {
  /** All rows of a statement. */
  table(statement: Statement): RowTable
  /** The first row as an ordinary object, `undefined` when there is none. */
  first(statement: Statement): Record<string, unknown> | undefined
  /** Executes a statement and counts the rows it changed itself, not those changed by triggers. */
  run(statement: Statement): number
  /** Executes statements without values and without rows. */
  exec(sql: string): void
  /** Reads or sets a pragma: `pragma('journal_mode = wal')`. The first value of its answer, `undefined` when none. */
  pragma(text: string): unknown
  /** Whether a transaction is open; SQLite itself may end one, for example when the disk is full. */
  readonly inTransaction: boolean
  /** Number of prepared statements kept now. */
  readonly statementCount: number
  /** Closes the file; later calls throw. An open transaction is rolled back. */
  close(): void
}

interface Prepared {
  readonly statement: StatementSync
  columns: readonly string[]
}

/**
 * Opens a file, which is created unless `readOnly`. `busyTimeout` is how long a statement waits for a lock of another
 * connection, in milliseconds.
 */
export function openConnection(path: string, options: { readOnly?: boolean; busyTimeout: number }): Connection {
  const database = new DatabaseSync(path, { readOnly: options.readOnly ?? false, timeout: options.busyTimeout })
  const statements = new StatementCache<Prepared>(STATEMENT_LIMIT, (sql) => prepare(database, sql))
  return {
    table: ({ sql, parameters }) => {
      const prepared = statements.get(sql)
      const rows = prepared.statement.all(...bindable(parameters)) as unknown as unknown[][]
      return { columns: columnsFor(prepared, rows[0]), rows }
    },
    first: ({ sql, parameters }) => {
      const prepared = statements.get(sql)
      const row = prepared.statement.get(...bindable(parameters)) as unknown as unknown[] | undefined
      return row && rowObject(columnsFor(prepared, row), row)
    },
    run: ({ sql, parameters }) => Number(statements.get(sql).statement.run(...bindable(parameters)).changes),
    exec: (sql) => database.exec(sql),
    pragma: (text) => Object.values(database.prepare(`pragma ${text}`).get() ?? {})[0],
    get inTransaction() {
      return database.isTransaction
    },
    get statementCount() {
      return statements.size
    },
    close: () => {
      statements.clear()
      database.close()
    },
  }
}

// Rows come as arrays: the driver's own objects have no prototype and are slow to read, and building ordinary ones
// here costs less than the driver needs for those.
function prepare(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  return { statement, columns: columnNames(statement) }
}

/** The kept names, read again when a migration has changed what `select *` means. */
function columnsFor(prepared: Prepared, row: readonly unknown[] | undefined): readonly string[] {
  if (row && row.length !== prepared.columns.length) prepared.columns = columnNames(prepared.statement)
  return prepared.columns
}

function columnNames(statement: StatementSync): string[] {
  return statement.columns().map((column) => column.name)
}

/** Ordinary objects for the rows of a table. */
export function rowObjects({ columns, rows }: RowTable): Record<string, unknown>[] {
  return rows.map((row) => rowObject(columns, row))
}

function rowObject(columns: readonly string[], row: readonly unknown[]): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index += 1) object[columns[index] as string] = row[index]
  return object
}

/**
 * Values as the driver takes them. Whole numbers go as bigint, because the driver binds every number as REAL: 5 would
 * become the text '5.0' in a text column.
 * @throws TypeError for what no column can hold: undefined, NaN, infinities, dates, objects, functions
 */
export function bindable(parameters: readonly unknown[]): (Value | bigint)[] {
  return parameters.map((value, index) => {
    if (typeof value === 'string' || value === null || typeof value === 'bigint') return value
    if (typeof value === 'number' && Number.isFinite(value)) return Number.isSafeInteger(value) ? BigInt(value) : value
    if (typeof value === 'boolean') return value ? 1n : 0n
    if (value instanceof Uint8Array) return value
    throw new TypeError(`value ${index + 1} of the statement cannot be stored: ${describe(value)}`)
  })
}

function describe(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value
}
