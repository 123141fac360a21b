import type { Report, Storage } from '../storage/engine.ts'
import { utcFromMillis } from '../time/zones.ts'
import { noteUse } from './store.ts'

/** What the last use of sessions is noted with. */
interface LastUseParts {
  readonly storage: Pick<Storage, 'write'>
  readonly report: Report
  /** Whether this process may write. */
  mayWrite(): boolean
}

/** A session that is used at a moment (Unix milliseconds); `usedAt` is what is stored, UTC text. */
export interface SessionUse {
  /** Digest of its id. */
  readonly id: string
  readonly usedAt: string
  readonly now: number
}

/** How exactly it is known when a session was used last, milliseconds: requests within that write nothing. */
const STEP = 60_000

/**
 * Notes when sessions are used, while nobody waits for it. Of several processes on one SQLite file only the one that writes
 * does so: the others hand changes to it, and pages that are only read there count where it reads them.
 */
export class LastUse {
  readonly #parts: LastUseParts
  /** Sessions whose use is being written. */
  readonly #writing = new Set<string>()

  constructor(parts: LastUseParts) {
    this.#parts = parts
  }

  /** Notes a use unless one of the last minute is stored, or being written. */
  note({ id, usedAt, now }: SessionUse): void {
    const { storage, report, mayWrite } = this.#parts
    const before = utcFromMillis(now - STEP)
    if (this.#writing.has(id) || usedAt > before || !mayWrite()) return
    this.#writing.add(id)
    void storage
      .write((tx) => noteUse(tx, { id, before, at: utcFromMillis(now) }))
      .catch((error: unknown) => report(error, 'noting when a session was used'))
      .finally(() => this.#writing.delete(id))
  }
}
