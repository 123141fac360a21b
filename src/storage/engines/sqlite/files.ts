import { closeSync, openSync, realpathSync, statSync } from 'node:fs'
import { type Failure, fail } from '../../../base/errors.ts'
import type { Report } from '../../engine.ts'

/** Which file a path leads to; undefined where it leads to none. */
export type FileIdentity = string | undefined

/** The file that a path leads to now, as text that no other file has while this one is open. */
export function identityOf(path: string): FileIdentity {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/**
 * Creates a database file for its owner alone, unless it exists: SQLite would make it as the umask allows, and gives
 * log and shared memory the mode of the database. An existing file must never be opened and closed by anything but
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
  readonly #path: string
  readonly #opened: readonly OpenedFile[]
  readonly #report: Report
  #isLost = false
  /** Of a new calendar, everything is in the log at first. */
  #wasFilled: boolean

  /**
   * Created when the database, its write-ahead log and its shared memory are open. `report` is called once for each
   * loss.
   */
  constructor(path: string, report: Report) {
    // SQLite keeps log and shared memory beside the target of a symbolic link. A process that opens the database
    // without this shared memory believes it is alone, and deletes the log when it closes.
    const beside = realpathSync(path)
    this.#path = path
    this.#opened = [path, `${beside}-wal`, `${beside}-shm`].map(openedFile)
    this.#wasFilled = isFilled(path)
    this.#report = report
  }

  /** Why nothing may be written; undefined while all is in its place. Takes microseconds. */
  trouble(): Failure | undefined {
    const away = this.#opened.find((file) => !isInPlace(file))
    const problem = away ? `${away.path} was removed, replaced or moved away` : this.#emptied()
    if (problem !== undefined && !this.#isLost) {
      this.#report(new Error(problem), 'nothing is written until it is back')
    }
    this.#isLost = problem !== undefined
    return problem === undefined ? undefined : fail('rest_data_missing')
  }

  /** Whether the database was cut to nothing. */
  isEmptied(): boolean {
    const [database] = this.#opened
    return database !== undefined && isInPlace(database) && this.#emptied() !== undefined
  }

  /** What happened to a database that is in its place and was cut to nothing. */
  #emptied(): string | undefined {
    const isFilledNow = isFilled(this.#path)
    if (isFilledNow) this.#wasFilled = true
    return isFilledNow || !this.#wasFilled ? undefined : `${this.#path} was emptied`
  }
}

function isFilled(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** A file as it was found when the database was opened. */
interface OpenedFile {
  readonly path: string
  readonly identity: FileIdentity
}

function openedFile(path: string): OpenedFile {
  return { path, identity: identityOf(path) }
}

function isInPlace({ path, identity }: OpenedFile): boolean {
  try {
    return identityOf(path) === identity
  } catch {
    // The folder cannot be entered any more.
    return false
  }
}
