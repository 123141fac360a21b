import { closeSync, openSync, realpathSync, statSync } from 'node:fs'
import { type Failure, fail } from '../../../errors.ts'
import type { Report } from '../../engine.ts'

/** Which file a path leads to; undefined where it leads to none. */
export type FileIdentity = string | undefined

/** The file that a path leads to now, as text that no other file has while this one is open. */
export function identityOf(path: string): FileIdentity {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/**
 * Creates a database file for its owner alone, unless it is there: SQLite would make it as the umask allows, and gives
 * log and shared memory the mode of the database. A file that is there must never be opened and closed by anything but
 * SQLite, because that would end the locks that this process holds (POSIX advisory locks).
 */
export function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * Knows whether the files that were opened are still those that the next start would open. What is committed to a file
 * that was deleted, replaced or moved away would be lost when the process ends.
 */
export class FileGuard {
  readonly #opened: readonly { readonly path: string; readonly identity: FileIdentity }[]
  readonly #report: Report
  #isLost = false

  /**
   * Created when the database, its write-ahead log and its shared memory are open. `report` is called once for each
   * loss.
   */
  constructor(path: string, report: Report) {
    // SQLite keeps log and shared memory beside the target of a symbolic link. A process that opens the database
    // without this shared memory believes it is alone, and deletes the log when it closes.
    const beside = realpathSync(path)
    const paths = [path, `${beside}-wal`, `${beside}-shm`]
    this.#opened = paths.map((one) => ({ path: one, identity: identityOf(one) }))
    this.#report = report
  }

  /** Why nothing may be written; undefined while all is in its place. Takes microseconds. */
  trouble(): Failure | undefined {
    const lost = this.#opened.find(({ path, identity }) => !leadsTo(path, identity))
    if (lost !== undefined && !this.#isLost) {
      this.#report(new Error(`${lost.path} was removed, replaced or moved away`), 'nothing is written until it is back')
    }
    this.#isLost = lost !== undefined
    return lost && fail('rest_data_missing')
  }
}

function leadsTo(path: string, identity: FileIdentity): boolean {
  try {
    return identityOf(path) === identity
  } catch {
    // The folder cannot be entered any more.
    return false
  }
}
