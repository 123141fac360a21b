import { type Failure, fail } from '../base/errors.ts'
import type { Storage } from './engine.ts'

// Result codes of SQLite (https://www.sqlite.org/rescode.html): it reports a full disk, but neither a quota nor a
// process limit (IOERR_WRITE), nor a full disk where shared memory grows (IOERR_SHMSIZE).
const SQLITE = new Set<unknown>([13, 778, 4874])

/** What systems and PostgreSQL (disk_full) say. */
const NAMES = new Set<unknown>(['ENOSPC', 'EDQUOT', 'EFBIG', '53100'])

/** Whether something failed because there is no room for it: on the disk, within a quota or a limit of the process. */
function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { errcode, code, cause } = error as Error & { errcode?: unknown; code?: unknown }
  return SQLITE.has(errcode) || NAMES.has(code) || isDiskFull(cause)
}

/** Remembers whether there is room, from one write to the next. */
export class DiskRoom {
  readonly #report: (error: unknown, circumstance: string) => void
  #isFull = false

  /** `report` is called once when there is no space, until there is again. */
  constructor(report: (error: unknown, circumstance: string) => void) {
    this.#report = report
  }

  /** Something was written. */
  found(): void {
    this.#isFull = false
  }

  /** The error for the caller of a failed write: the error itself, unless the disk is full. */
  explain(error: unknown): unknown {
    if (!isDiskFull(error)) return error
    if (!this.#isFull) this.#report(error, 'the disk is full, writes are refused until there is space')
    this.#isFull = true
    return Object.assign(this.trouble() as Failure, { cause: error })
  }

  /** Why writes are refused; undefined when the last one found room. */
  trouble(): Failure | undefined {
    return this.#isFull ? fail('rest_disk_full') : undefined
  }
}

/** A row of its own, as long as an event with a long description. */
const PROBE = { key: 'disk_probe', length: 64 * 1024 } as const

/** Tests with a write whether there is space again; resolves in either case, `Storage.trouble` has the result. */
export async function probeDisk(storage: Storage): Promise<void> {
  const { key, length } = PROBE
  try {
    await storage.write(async (tx) => {
      const row = tx.db.insertInto('meta').values({ key, value: 'x'.repeat(length) })
      await tx.run(row.onConflict((conflict) => conflict.column('key').doUpdateSet({ value: 'x'.repeat(length) })))
    })
    await storage.write((tx) => tx.run(tx.db.deleteFrom('meta').where('key', '=', key)))
  } catch {
    // The storage remembers it.
  }
}
