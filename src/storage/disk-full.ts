import { type Failure, fail } from '../errors.ts'
import type { Storage } from './engine.ts'

// Result codes of SQLite (https://www.sqlite.org/rescode.html): it tells a full disk apart, but neither a quota nor a limit
// of the process (IOERR_WRITE), and not a full disk where shared memory grows (IOERR_SHMSIZE).
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

  /** `report` hears once that there is no room, until there is again. */
  constructor(report: (error: unknown, circumstance: string) => void) {
    this.#report = report
  }

  /** Something was written. */
  found(): void {
    this.#isFull = false
  }

  /** What a caller is told of a write that failed: the error itself, unless the disk is full. */
  explain(error: unknown): unknown {
    if (!isDiskFull(error)) return error
    if (!this.#isFull) this.#report(error, 'the disk takes no more data, writes are refused until it does')
    this.#isFull = true
    return Object.assign(this.trouble() as Failure, { cause: error })
  }

  /** Why writes are refused; undefined when the last one found room. */
  trouble(): Failure | undefined {
    return this.#isFull ? fail('rest_disk_full') : undefined
  }
}

/** A row of its own, and as many characters as an event with a long description has. */
const PROBE = { key: 'disk_probe', length: 64 * 1024 } as const

/** Finds out by writing whether there is room again; resolves in either case, `Storage.trouble` tells the result. */
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
