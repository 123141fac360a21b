import { closeSync, existsSync, openSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
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
  readonly #path: string
  readonly #opened: readonly OpenedFile[]
  readonly #database: OpenedFile
  readonly #folder: OpenedFile
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
    this.#database = openedFile(beside)
    this.#folder = openedFile(dirname(beside))
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

  /**
   * Whether the database was deleted or replaced in its folder: what was committed would end with this process. Where it was
   * only moved, it is safe there, and whoever deletes the folder as well wants none of it.
   */
  isDeleted(): boolean {
    if (isInPlace(this.#database) || !existsSync(this.#folder.path)) return false
    return isUnlinked(this.#database.identity) ?? isInPlace(this.#folder)
  }

  /** Where log and shared memory lie: the path of the database without symbolic links. */
  get location(): string {
    return this.#database.path
  }

  /** The log, unless another one is in its place. */
  get log(): string | undefined {
    const log = this.#opened[1]
    return log !== undefined && isInPlace(log) ? log.path : undefined
  }

  /** Whether the database was cut to nothing. */
  isEmptied(): boolean {
    return isInPlace(this.#database) && this.#emptied() !== undefined
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

/** Whether no path leads any more to a file that this process has open; undefined where the system does not tell. */
function isUnlinked(identity: FileIdentity): boolean | undefined {
  try {
    const open = readdirSync('/proc/self/fd').map((name) => `/proc/self/fd/${name}`)
    const found = open.find((path) => identityOf(path) === identity)
    return found === undefined ? undefined : statSync(found).nlink === 0
  } catch {
    return undefined
  }
}

/** A file or folder as it was found when the database was opened. */
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
