import type { Config } from '../base/config.ts'
import type { Report } from './engine.ts'

/** How a database is opened and used. */
export interface StorageSettings {
  /**
   * `sqlite:/path/to/file`, also `sqlite:relative/path` and `sqlite:///path/to/file`; or
   * `postgres://user:password@host:port/database`, whose database must be there.
   */
  readonly database: string
  /** FULL: acknowledged means durable, also after a power cut. NORMAL gives that up for speed. */
  readonly synchronous: 'FULL' | 'NORMAL'
  /** SQLite: processes of the offloaded lane; 0 runs those queries inline, without a deadline. */
  readonly offloadWorkers: number
  /** Milliseconds that a read may wait for its turn, and that it may take then. */
  readonly readTimeout: number
  /** PostgreSQL: most connections that read at the same time; one more writes, and one listens. */
  readonly connections: number
  /** PostgreSQL: milliseconds after which the server gives up a statement of a write. */
  readonly statementTimeout: number
  /** PostgreSQL: milliseconds for which an unreachable server is tried again while opening. */
  readonly patience: number
  /** PostgreSQL: milliseconds without a sign of life after which the server is taken for absent. */
  readonly silence: number
  /** PostgreSQL: address of a replica that is read when it has what this process knows of; undefined for none. */
  readonly replica: string | undefined
  /** Takes a sentence whenever it changes where is read, and why. */
  readonly notice: (sentence: string) => void
  /** Takes errors that have no caller, such as those of `afterCommit`. */
  readonly report: Report
  /** SQLite: whether a lock keeps all other processes from writing. */
  readonly isOnlyWriter: boolean
  /**
   * Milliseconds, so that a commit shared by slow jobs does not wait for too many of them, silence of the database is
   * noticed, and a replica is asked again.
   */
  readonly now: () => number
}

/** What `openStorage` needs to know; what is left out is as in `DEFAULTS`. */
export type StorageOptions = Pick<StorageSettings, 'database'> & Partial<StorageSettings>

/** No lock is held, sentences and errors are warnings of the process, the clock stands still. */
export const DEFAULTS: Omit<StorageSettings, 'database'> = {
  synchronous: 'FULL',
  offloadWorkers: 1,
  readTimeout: 2000,
  connections: 10,
  statementTimeout: 30_000,
  patience: 10_000,
  silence: 5000,
  replica: undefined,
  notice: (sentence) => process.emitWarning(sentence),
  report: (error, circumstance) =>
    process.emitWarning(`${circumstance}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  isOnlyWriter: false,
  now: () => 0,
}

/** The storage options from the configuration. */
export function storageOptions(config: Config): StorageOptions {
  const { database, synchronous, offloadWorkers, databaseConnections, statementTimeout } = config
  const { readTimeout } = config
  const replica = config.databaseRead === '' ? undefined : config.databaseRead
  const limits = { connections: databaseConnections, statementTimeout, readTimeout }
  return { replica, database, synchronous, offloadWorkers, ...limits }
}
