import { backup, DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Compilable, Statement, Value } from '../../engine.ts'

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
 * One connection to a SQLite file, through which the driver is used. Every call is synchronous and throws the driver's
 * error, whose `errcode` is the SQLite result code.
 */
export interface Connection {
  /** All rows of a query as ordinary objects. */
  all<Row = Record<string, unknown>>(query: Compilable<Row> | Statement): Row[]
  /** The rows of a statement for another thread. */
  table(statement: Statement): RowTable
  /** The first row as an ordinary object, `undefined` if there is none. */
  first<Row = Record<string, unknown>>(query: Compilable<Row> | Statement): Row | undefined
  /** Executes a statement and counts the rows it changed itself, not those changed by triggers. */
  run(query: Compilable<unknown> | Statement): { changes: number }
  /** Executes statements without values and without rows. */
  exec(sql: string): void
  /** Reads or sets a pragma: `pragma('journal_mode = wal')`. The first value of its response, `undefined` when none. */
  pragma(text: string): unknown
  /** Whether a transaction is open; SQLite itself may end one, for example when the disk is full. */
  readonly inTransaction: boolean
  /**
   * Copies the database into a new file as this connection sees it, on another thread: inside a transaction that reads,
   * that is one state, and what others write meanwhile does not start it again. It reports which share (0 to 1) is done.
   */
  copyTo(path: string, onShare?: (share: number) => void): Promise<void>
  /** Number of prepared statements. */
  readonly statementCount: number
  /** Closes the file; later calls throw. An open transaction is rolled back. */
  close(): void
}

interface Prepared {
  readonly statement: StatementSync
  columns: readonly string[]
  /** Undefined until the first row was read. */
  toObject?: ToObject | undefined
}

type RowArray = readonly unknown[]
type ToObject = (row: RowArray) => Record<string, unknown>

/**
 * Opens a file, which is created unless `readOnly`. `busyTimeout` is how long a statement waits for a lock of another
 * connection, in milliseconds.
 */
export function openConnection(path: string | URL, options: { readOnly?: boolean; busyTimeout: number }): Connection {
  const database = new DatabaseSync(path, { readOnly: options.readOnly ?? false, timeout: options.busyTimeout })
  const statements = new Map<string, Prepared>()
  const preparedOf = (sql: string): Prepared => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const prepared = prepare(database, sql)
    statements.set(sql, prepared)
    // The oldest is dropped: preparing it again costs less than tracking the order of use.
    if (statements.size > STATEMENT_LIMIT) statements.delete(statements.keys().next().value ?? '')
    return prepared
  }
  return {
    all: <Row>(query: Compilable<Row> | Statement) => {
      const { sql, parameters } = statementOf(query)
      const prepared = preparedOf(sql)
      const rows = prepared.statement.all(...bindable(parameters)) as unknown as RowArray[]
      return (rows.length === 0 ? [] : rows.map(objectsFor(prepared, rows[0]))) as Row[]
    },
    table: ({ sql, parameters }) => {
      const prepared = preparedOf(sql)
      const rows = prepared.statement.all(...bindable(parameters)) as unknown as RowArray[]
      return { columns: columnsFor(prepared, rows[0]), rows }
    },
    first: <Row>(query: Compilable<Row> | Statement) => {
      const { sql, parameters } = statementOf(query)
      const prepared = preparedOf(sql)
      const row = prepared.statement.get(...bindable(parameters)) as unknown as RowArray | undefined
      return (row && objectsFor(prepared, row)(row)) as Row | undefined
    },
    run: (query) => {
      const { sql, parameters } = statementOf(query)
      return { changes: Number(preparedOf(sql).statement.run(...bindable(parameters)).changes) }
    },
    exec: (sql) => database.exec(sql),
    pragma: (text) => Object.values(database.prepare(`pragma ${text}`).get() ?? {})[0],
    copyTo: (target, onShare) => copyOf(database, target, onShare),
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

/**
 * Whether another connection holds the lock that a statement needs, also while that one recovers the log
 * (https://www.sqlite.org/rescode.html#busy and #busy_recovery: extended codes have the primary one in their lowest byte).
 */
export function isBusy(error: unknown): boolean {
  const { errcode = 0 } = error as { readonly errcode?: number }
  return (errcode & 0xff) === 5
}

async function copyOf(database: DatabaseSync, target: string, onShare?: (share: number) => void): Promise<void> {
  const progress = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }): void =>
    onShare?.(totalPages === 0 ? 0 : 1 - remainingPages / totalPages)
  await backup(database, target, { rate: COPIED_PAGES, progress })
  onShare?.(1)
}

function statementOf(query: Compilable<unknown> | Statement): Statement {
  return 'sql' in query ? query : (query.ready ?? query.compile())
}

// Rows are read as arrays: the driver's own objects have no prototype and are slow to read, and building ordinary ones
// here costs less than the driver takes for those.
function prepare(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  return { statement, columns: columnNames(statement) }
}

/** The cached column names, read again when a migration has changed what `select *` means. */
function columnsFor(prepared: Prepared, row: RowArray | undefined): readonly string[] {
  if (row && row.length !== prepared.columns.length) {
    prepared.columns = columnNames(prepared.statement)
    prepared.toObject = undefined
  }
  return prepared.columns
}

function objectsFor(prepared: Prepared, row: RowArray | undefined): ToObject {
  const columns = columnsFor(prepared, row)
  prepared.toObject ??= objectsOf(columns)
  return prepared.toObject
}

function objectsOf(columns: readonly string[]): ToObject {
  // A copy of an object that has all members and was parsed keeps a hidden class in V8: one to which a loop adds more
  // than a dozen becomes a dictionary, which is slower to make, to read and to copy.
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
 * Values for the driver. Whole numbers are passed as bigint, because the driver binds every number as REAL: 5 would
 * become the text '5.0' in a text column. Lists are passed as JSON, see `inList`.
 * @throws TypeError for what no column can contain: undefined, NaN, infinities, dates, objects, functions
 */
export function bindable(parameters: readonly unknown[]): (Value | bigint)[] {
  return parameters.map((value, index) => {
    if (typeof value === 'string' || value === null || typeof value === 'bigint') return value
    if (typeof value === 'number' && Number.isFinite(value)) return Number.isSafeInteger(value) ? BigInt(value) : value
    if (typeof value === 'boolean') return value ? 1n : 0n
    if (value instanceof Uint8Array) return value
    if (Array.isArray(value)) return JSON.stringify(value)
    throw new TypeError(`value ${index + 1} of the statement cannot be stored: ${describe(value)}`)
  })
}

function describe(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value
}

// Prepared once: they surround the reads of each turn.
const BEGIN = { sql: 'begin', parameters: [] }
const COMMIT = { sql: 'commit', parameters: [] }
const ROLLBACK = { sql: 'rollback', parameters: [] }

/**
 * Lets the reads of one turn of the event loop share a transaction of a connection. For a single read SQLite locks the
 * log and checks whether it has grown, which takes as long as finding a row by its key. A turn reads the state at its
 * first read: earlier requests miss nothing, because the turn ends before anything else arrives, and `renew` ends it
 * when this process commits.
 *
 * What is read in the turn of a commit is mostly what was just written, for the responses to the writes. The connection
 * that wrote has its pages at hand, and all pages of the other one are out of date: there the same takes half as long again.
 */
export class ReadSnapshot {
  readonly #reading: Connection
  readonly #writing: Connection
  /** The one of them that is read in this turn. */
  #connection: Connection
  #isOpen = false

  /** @param writing the connection for `follow` */
  constructor(reading: Connection, writing: Connection) {
    this.#reading = reading
    this.#writing = writing
    this.#connection = reading
  }

  /** The connection, in the transaction of this turn. */
  get connection(): Connection {
    if (!this.#isOpen) this.#begin()
    return this.#connection
  }

  /** Reads from now on see everything committed so far. */
  renew(): void {
    const open = this.#isOpen ? this.#connection : undefined
    this.#isOpen = false
    this.#connection = this.#reading
    // SQLite itself ends a transaction when the disk fails.
    if (open?.inTransaction) open.run(COMMIT)
  }

  /**
   * This process, which alone writes, has committed: reads from now on see that, and until the turn ends they are made where it
   * was written. The next transaction starts in a later turn.
   */
  follow(): void {
    this.renew()
    this.#connection = this.#writing
    this.#endWithTurn()
  }

  #begin(): void {
    if (this.#connection.inTransaction) this.#connection = this.#reading
    this.#connection.run(BEGIN)
    this.#isOpen = true
    this.#endWithTurn()
  }

  /** After the promises of this turn, and before the loop checks for input. */
  #endWithTurn(): void {
    queueMicrotask(() => process.nextTick(() => this.#end()))
  }

  /** Nobody waits for this: the next reader gets the error of the file. */
  #end(): void {
    const connection = this.#connection
    try {
      this.renew()
    } catch {
      if (connection.inTransaction) connection.run(ROLLBACK)
    }
  }
}
