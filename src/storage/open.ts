import { fail } from '../errors.ts'
import type { EngineName, Report, Storage, WriterRole } from './engine.ts'
import { openPostgres } from './engines/postgres/open.ts'
import { openSqlite } from './engines/sqlite/open.ts'

/** What `openStorage` needs to know. */
export interface StorageOptions {
  /**
   * `sqlite:/path/to/file`, also `sqlite:relative/path` and `sqlite:///path/to/file`; or
   * `postgres://user:password@host:port/database`, whose database must be there.
   */
  readonly database: string
  /** Default FULL: acknowledged means durable, also after a power cut. NORMAL gives that up for speed. */
  readonly synchronous?: 'FULL' | 'NORMAL'
  /** SQLite: processes of the offloaded lane, default 1; 0 runs those queries inline, without a deadline. */
  readonly offloadWorkers?: number
  /** Milliseconds that a read may wait for its turn, and that it may take then; default 2000. */
  readonly readTimeout?: number
  /** PostgreSQL: most connections that read at the same time, default 10. */
  readonly connections?: number
  /** PostgreSQL: milliseconds after which the server gives up a statement of a write, default 30,000. */
  readonly statementTimeout?: number
  /** PostgreSQL: whether a pooler that gives each transaction another connection stands before it, default false. */
  readonly pooled?: boolean
  /** PostgreSQL: milliseconds for which an unreachable server is tried again, default 10,000. */
  readonly patience?: number
  /** PostgreSQL: milliseconds without a sign of life after which the server is taken for absent, default 5,000. */
  readonly silence?: number
  /** PostgreSQL: address of a replica that is read when it has what this process knows of; default: none. */
  readonly replica?: string | undefined
  /** Takes a sentence whenever it changes where is read, and why; default: a process warning. */
  readonly notice?: (sentence: string) => void
  /** Takes errors that have no caller, such as those of `afterCommit`; default a process warning. */
  readonly report?: Report
  /** SQLite: which process writes, where several use the file; default: this one, from the beginning. */
  readonly writerRole?: WriterRole
  /**
   * Milliseconds, so that a commit shared by slow jobs does not wait for too many of them, silence of the database is
   * noticed, and a replica is asked again; default: a clock that stands still.
   */
  readonly now?: () => number
}

const ALWAYS_WRITER: WriterRole = { isMine: () => true, isLocked: false, mine: Promise.resolve() }

/**
 * Opens the database; a SQLite file is made when there is none. `migrate` gives it its tables.
 * @throws database_not_usable when the engine is unknown or the database cannot be opened
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { synchronous = 'FULL', report = warn, database, readTimeout = 2000 } = options
  switch (engineOf(database)) {
    case 'sqlite': {
      const { offloadWorkers = 1, now = () => 0, replica } = options
      const { writerRole = ALWAYS_WRITER } = options
      if (replica !== undefined) throw fail('database_not_usable', { reason: 'a file of SQLite has no replica' })
      const lanes = { offloadWorkers, readTimeout }
      return openSqlite({ path: sqlitePath(database), synchronous, ...lanes, report, now, writerRole })
    }
    case 'postgres': {
      const { connections = 10, statementTimeout = 30_000, pooled = false, patience = 10_000 } = options
      const { silence = 5000, replica, notice = (sentence) => process.emitWarning(sentence), now = () => 0 } = options
      const limits = { connections, statementTimeout, readTimeout, silence, pooled, patience }
      return openPostgres({ address: database, synchronous, ...limits, replica, notice, now, report })
    }
    default: {
      // Only the scheme is repeated: an address may contain a password.
      const known = 'use sqlite:/path/to/file or postgres://host/database'
      const scheme = database.split(':', 1)[0]
      throw fail('database_not_usable', { reason: `"${scheme}:" is not a known database, ${known}` })
    }
  }
}

/** The engine that an address belongs to; `undefined` when there is none. */
export function engineOf(database: string): EngineName | undefined {
  if (sqlitePath(database) !== '') return 'sqlite'
  return /^postgres(ql)?:\/\//.test(database) && URL.canParse(database) ? 'postgres' : undefined
}

/** The path of a `sqlite:` address; empty for other addresses and for one without a path. */
export function sqlitePath(database: string): string {
  return /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(database)?.[1] ?? ''
}

function warn(error: unknown, circumstance: string): void {
  process.emitWarning(`${circumstance}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
}
