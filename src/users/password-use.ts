import type { StoredPassword } from '../auth/authenticate.ts'
import type { Report, Storage } from '../storage/engine.ts'
import { utcFromMillis } from '../time/zones.ts'
import { notePasswordUse } from './store.ts'

/** What the last use of application passwords is noted with. */
export interface PasswordUseParts {
  readonly storage: Pick<Storage, 'write'>
  readonly report: Report
  /** Unix milliseconds. */
  readonly now: () => number
  /** Whether this process may write. */
  mayWrite(): boolean
}

/** How exactly it is known when a password was used last, milliseconds: requests within that write nothing. */
const STEP = 300_000

/**
 * Notes when application passwords are used, while nobody waits for it; the journal is not told. Of several processes on one
 * SQLite file only the one that writes does so: requests that are only read elsewhere are not seen here.
 */
export function passwordUse({ storage, report, now, mayWrite }: PasswordUseParts): (password: StoredPassword) => void {
  const writing = new Set<number>()
  return ({ id, usedAt }) => {
    const moment = now()
    const before = utcFromMillis(moment - STEP)
    if (writing.has(id) || (usedAt !== null && usedAt > before) || !mayWrite()) return
    writing.add(id)
    void storage
      .write((tx) => notePasswordUse(tx, { id, before, at: utcFromMillis(moment) }))
      .catch((error: unknown) => report(error, 'noting when an application password was used'))
      .finally(() => writing.delete(id))
  }
}
