import { backup, DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Statement, Value } from '../../engine.ts'
import { LruCache } from '../../lru-cache.ts'

/** Number of prepared statements that a connection keeps. */
export const STATEMENT_LIMIT = 500

/** Pages that are copied at a time, 4 MB: in between the process does other things. */
const COPIED_PAGES = 1000

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
  /** All rows of a statement as ordinary objects. */
  all(statement: Statement): Record<string, unknown>[]
  /** The same for another thread. */
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
  /**
   * Copies the database into a new file as this connection sees it, on another thread: inside a transaction that reads,
   * that is one state, and what others write meanwhile does not begin it anew.
   */
  copyTo(path: string): Promise<void>
  /** Number of prepared statements kept now. */
  readonly statementCount: number
  /** Closes the file; later calls throw. An open transaction is rolled back. */
  close(): void
}

interface Prepared {
  readonly statement: StatementSync
  columns: readonly string[]
  /** Undefined until the first row has come. */
  toObject?: ToObject | undefined
}

type Row = readonly unknown[]
type ToObject = (row: Row) => Record<string, unknown>

/**
 * Opens a file, which is created unless `readOnly`. `busyTimeout` is how long a statement waits for a lock of another
 * connection, in milliseconds.
 */
export function openConnection(path: string | URL, options: { readOnly?: boolean; busyTimeout: number }): Connection {
  const database = new DatabaseSync(path, { readOnly: options.readOnly ?? false, timeout: options.busyTimeout })
  const statements = new LruCache<Prepared>(STATEMENT_LIMIT)
  const preparedOf = (sql: string): Prepared => statements.getOrMake(sql, () => prepare(database, sql))
  const rowsOf = ({ statement }: Prepared, parameters: readonly unknown[]): Row[] =>
    statement.all(...bindable(parameters)) as unknown as Row[]
  return {
    all: ({ sql, parameters }) => {
      const prepared = preparedOf(sql)
      const rows = rowsOf(prepared, parameters)
      return rows.length === 0 ? [] : rows.map(objectsFor(prepared, rows[0]))
    },
    table: ({ sql, parameters }) => {
      const prepared = preparedOf(sql)
      const rows = rowsOf(prepared, parameters)
      return { columns: columnsFor(prepared, rows[0]), rows }
    },
    first: ({ sql, parameters }) => {
      const prepared = preparedOf(sql)
      const row = prepared.statement.get(...bindable(parameters)) as unknown as Row | undefined
      return row && objectsFor(prepared, row)(row)
    },
    run: ({ sql, parameters }) => Number(preparedOf(sql).statement.run(...bindable(parameters)).changes),
    exec: (sql) => database.exec(sql),
    pragma: (text) => Object.values(database.prepare(`pragma ${text}`).get() ?? {})[0],
    copyTo: async (target) => void (await backup(database, target, { rate: COPIED_PAGES })),
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
function columnsFor(prepared: Prepared, row: Row | undefined): readonly string[] {
  if (row && row.length !== prepared.columns.length) {
    prepared.columns = columnNames(prepared.statement)
    prepared.toObject = undefined
  }
  return prepared.columns
}

function objectsFor(prepared: Prepared, row: Row | undefined): ToObject {
  const columns = columnsFor(prepared, row)
  prepared.toObject ??= objectsOf(columns)
  return prepared.toObject
}

function objectsOf(columns: readonly string[]): ToObject {
  // A copy of an object that has all members, and came from a parser, stays one whose members V8 knows: one to which a loop
  // adds more than a dozen becomes a dictionary, which is slower to make, to read and to copy.
  const blank: Record<string, unknown> = JSON.parse(`{${columns.map((name) => `${JSON.stringify(name)}:null`)}}`)
  return (row) => {
    const object = { ...blank }
    for (let place = 0; place < columns.length; place += 1) object[columns[place] as string] = row[place]
    return object
  }
}

function columnNames(statement: StatementSync): string[] {
  return statement.columns().map((column) => column.name)
}

/** Ordinary objects for the rows of a table. */
export function rowObjects({ columns, rows }: RowTable): Record<string, unknown>[] {
  return rows.map(objectsOf(columns))
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
