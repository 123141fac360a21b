import { fail } from '../errors.ts'
import type { Report, Storage } from './engine.ts'
import { openSqlite } from './engines/sqlite.ts'

/** What `openStorage` needs to know. */
export interface StorageOptions {
  /** `sqlite:/path/to/file`, also `sqlite:relative/path` and `sqlite:///path/to/file`. */
  readonly database: string
  /** Default FULL: acknowledged means durable, also after a power cut. NORMAL gives that up for speed. */
  readonly synchronous?: 'FULL' | 'NORMAL'
  /** Threads of the offloaded lane, default 1; 0 runs those queries inline. */
  readonly offloadWorkers?: number
  /** Takes errors that have no caller, such as those of `afterCommit`; default a process warning. */
  readonly report?: Report
  /** Milliseconds, so that a commit shared by slow jobs does not wait for too many of them; default: only counted. */
  readonly now?: () => number
}

/**
 * Opens the database and creates it when there is none; `migrate` gives it its tables.
 * @throws database_not_usable when the engine is unknown or the file cannot be opened
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { synchronous = 'FULL', offloadWorkers = 1, report = warn, now = () => 0 } = options
  const path = sqlitePath(options.database)
  if (path) return openSqlite({ path, synchronous, offloadWorkers, report, now })
  // Only the scheme is repeated: an address may contain a password.
  const scheme = options.database.split(':', 1)[0]
  throw fail('database_not_usable', { reason: `"${scheme}:" is not a known database, use sqlite:/path/to/file` })
}

/** The path of a `sqlite:` address; `undefined` for other addresses and for one without a path. */
function sqlitePath(database: string): string | undefined {
  return /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(database)?.[1]
}

function warn(error: unknown, circumstance: string): void {
  process.emitWarning(`${circumstance}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
}
