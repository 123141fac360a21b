import type { CompiledQuery, Kysely } from 'kysely'
import type { Failure } from '../base/errors.ts'
import type { ReadQueueStats } from './read-queue.ts'
import type { Database } from './schema.ts'

/**
 * The boundary between Kalends and its database. An engine is a folder in `engines/` that provides a `Storage`;
 * everything above knows only the interfaces of this file, and the same tests run on every engine.
 *
 * Every engine guarantees: committed means durable, a job sees its own writes and no uncommitted ones of others, text
 * is compared as bytes (an engine may store a NUL as U+FFFD), integers are JavaScript numbers (an integer beyond 2^53
 * is an error, never rounded), and rows are plain objects with the selected names as keys.
 */

/** Names of the engines; each has its own SQL dialect. */
export type EngineName = 'sqlite' | 'postgres'

/** What a column can contain. Booleans are stored as 0 or 1 and may be passed as booleans. */
export type Value = string | number | null | Uint8Array

/**
 * A statement as data, which can be sent to another thread: text with placeholders of the dialect (`?` or `$1`) and the
 * values in order. `undefined`, `NaN`, dates and plain objects are refused when bound. A list is one value (see
 * `inList`), so that the number of different texts is finite and each can stay prepared.
 */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Anything that compiles to a statement whose rows have the shape `Row`: every builder made from `Reader.db` does. */
export interface Compilable<Row> {
  /** The statement if it is known without compiling, as from a template. */
  readonly ready?: Statement
  compile(): CompiledQuery<Row> | Statement
}

/**
 * Where a read runs. `inline`: on the calling thread, for queries that take well under a millisecond (by key, a page of
 * a list); nothing else runs meanwhile, and SQLite cannot interrupt it, so an index must bound it. `offloaded`: in
 * another process, for totals, text search, exports and everything else that grows with the number of rows; costs some
 * tens of microseconds more, and ends at its deadline. On engines that are never in this thread both have a deadline.
 */
export type Lane = 'inline' | 'offloaded'

/**
 * How long each statement of a job may take: `usual` as configured, `long` without a limit, for work that grows with
 * the calendar and that no response waits for: migrations, indexes, copies. Engines without a server have no limit.
 */
export type Pace = 'usual' | 'long'

/**
 * What can answer a query: the storage itself (last committed state) or a transaction (that and its own writes). Reads of
 * a storage reject with rest_unavailable while its database is away, with rest_query_too_costly beyond their deadline, and
 * with rest_too_busy when too many wait (see `ReadQueue`).
 */
export interface Reader {
  /** Dialect of the statements; decides what `inList` and `containsText` write. */
  readonly engine: EngineName
  /** Builds statements and never executes them: its own `execute` always rejects. One object for each storage. */
  readonly db: Kysely<Database>
  /** All rows in the order of the query; `[]` when there are none. Lane `inline` by default. */
  all<Row>(query: Compilable<Row>, lane?: Lane): Promise<Row[]>
  /** The first row, `undefined` if there is none; cheaper than `all`, which reads to the end. */
  first<Row>(query: Compilable<Row>, lane?: Lane): Promise<Row | undefined>
  /**
   * Lets other work of the process run: to be awaited every few milliseconds of long work. A job may await this, too; no
   * other job runs meanwhile.
   */
  pause(): Promise<void>
}

/**
 * One unit of writing, valid until its job has settled; using it afterwards rejects. Its reads ignore the lane. After a
 * statement has failed the job cannot succeed any more, even if it catches the error: it is rolled back and rejects
 * with that first error (PostgreSQL requires it, so the other engines do the same).
 */
export interface Transaction extends Reader {
  /** Executes a statement without rows; `changes` counts the rows that it inserted, updated or deleted itself. */
  run(query: Compilable<unknown>): Promise<{ changes: number }>
  /**
   * Registers the last statements of the job: steps run after the job has succeeded, in the order of registration,
   * inside its transaction; a step that fails rolls everything back. A step may register further ones.
   */
  atEnd(step: () => Promise<void>): void
  /**
   * Defers a write to a step that stores the values of many IDs together, which is cheaper: jobs that share a commit
   * may share the step, which runs last, inside their transaction, and the last value of an ID wins. Nothing in a job
   * may read what such a step writes; if it fails, all these jobs fail.
   */
  deferBatch(write: DeferredWrite): Promise<void>
  /** Counts rows of a long write: a transaction that has very many takes in no further job. */
  countRows(rows: number): void
  /**
   * Registers a callback for when the job is durable, before its promise resolves, in commit order; never called for a
   * job that was rolled back. Must be quick. What it throws is reported, and changes nothing else.
   */
  afterCommit(notify: () => void): void
}

/** A value that is stored together with others. */
export interface DeferredWrite {
  readonly id: number
  /** Null removes what is stored. */
  readonly value: string | null
  /** What all of a kind have in common: the same function. It may leave the rest of a long work to further steps. */
  readonly store: (tx: Transaction, values: ReadonlyMap<number, string | null>) => Promise<readonly StoreStep[]>
}

/** One step of storing what was deferred, in the same transaction; other work of the process runs between two steps. */
export type StoreStep = (tx: Transaction) => Promise<void>

/** Connections of one kind to a database server. */
export interface PoolStats {
  readonly name: 'read' | 'write' | 'replica'
  readonly open: number
  /** Those of them that are idle. */
  readonly idle: number
}

/** The state of a replica: being probed for the first time, in use, behind, not responding, none. */
export type ReplicaState = 'unknown' | 'used' | 'behind' | 'away' | 'promoted'

/** Counters of one queue of writes. */
export interface WriteStats {
  /** Durable commits; less than `jobs` when waiting jobs shared one. */
  readonly commits: number
  /** Jobs that were run, the failed ones included. */
  readonly jobs: number
  /** Transactions that were started; more than `commits` when every job of one failed. */
  readonly batches: number
  /** Milliseconds that the durable commits took together. */
  readonly commitTime: number
  /** Jobs that wait or run now. */
  readonly writesWaiting: number
}

/** Counters since the storage was opened, and what waits now. */
export interface StorageStats extends WriteStats, ReadQueueStats {
  readonly readsInline: number
  readonly readsOffloaded: number
  /** `[]` where there is no database server. */
  readonly pools: readonly PoolStats[]
  /** Absent where there is no replica. */
  readonly replica?: ReplicaState
}

/** Callbacks for when a process starts, and stops, doing the background work. */
export interface Candidate {
  /** Must not rely on the role: after a broken connection two may believe to have it for a moment. A rejection gives it back. */
  elected(): Promise<void>
  lost(): void
}

/** An open database. */
export interface Storage extends Reader {
  /** Path or address for messages; never contains a password. */
  readonly location: string
  /**
   * The only way to write. Runs the job in a transaction and resolves with what it returned once that is durable;
   * rejects with what it threw, after everything it wrote was undone. Jobs take effect in one order; on a single writer
   * that is the order of the calls.
   *
   * A job awaits nothing but its transaction and its pauses (no network, image, hash or timer, and no `write` inside): it would hold
   * up all others, so an engine with one write connection rolls it back and rejects. A job may be run more than once
   * (after a conflict, or because a job that shared its transaction has failed), so it changes nothing outside the
   * database. Pace `usual` by default.
   * @throws rest_unavailable when the database is away or the job waited too long for its turn, and nothing was
   * written; rest_write_uncertain when the connection was lost during the commit; rest_data_missing when the files that
   * were opened are not in place any more, rest_disk_full when there is no space, and nothing was written
   */
  write<T>(job: (tx: Transaction) => Promise<T>, pace?: Pace): Promise<T>
  /** What the engine does once all tables exist, for `migrate` only; absent where nothing is needed. */
  migrated?(): Promise<void>
  /**
   * A number that differs from the last one when anything was committed in between, by this process or another.
   * Synchronous and cheap (microseconds), so that a cache can check it before every use. Engines with a server are
   * notified of commits of other processes a few milliseconds after them; while notifications are interrupted, every
   * call returns another number.
   */
  dataVersion(): number
  /**
   * Calls the listener when another process has committed, and whenever commits may have been missed. Never called where
   * one process does all the writing. Returns how to stop it.
   */
  onExternalCommit(listener: () => void): () => void
  /**
   * Becomes a candidate for the role that one process has at a time, for background work. Resolves after the first
   * attempt, with `elected` done if it succeeded; otherwise, and after the role was lost, it is tried again every
   * second until the storage is closed or the returned function has resigned. SQLite: the process that writes has the
   * role.
   */
  lead(candidate: Candidate): Promise<() => Promise<void>>
  stats(): StorageStats
  /**
   * Why writes are refused although the database responds: rest_data_missing, or rest_disk_full since the last write
   * found no space; undefined when no reason is known. Takes microseconds.
   */
  trouble(): Failure | undefined
  /** Waits for accepted jobs and reads, then closes; later calls of anything reject. May be called repeatedly. */
  close(): Promise<void>
}

/** The state of a calendar at one instant, read beside the servers that continue writing. Close it soon: it holds up cleaning. */
export interface Snapshot extends Reader {
  /** Path or address for messages; never contains a password. */
  readonly location: string
  /**
   * SQLite: copies all of it into a new file, page by page on another thread, and reports which share of it (0 to 1) is done.
   * Absent on PostgreSQL.
   */
  copyTo?(path: string, onShare?: (share: number) => void): Promise<void>
  /** PostgreSQL: what other connections read the same state by, and the version of the server (`180004`). */
  readonly exported?: { readonly id: string; readonly server: number }
  close(): Promise<void>
}

/** Where an engine reports errors that have no caller, with a sentence about what was going on. */
export type Report = (error: unknown, circumstance: string) => void
