import { utcFromMillis } from '../time/zones.ts'
import type { Report, Storage, Transaction } from './engine.ts'

/** What uses are noted with. */
export interface LastUseParts {
  readonly storage: Pick<Storage, 'write'>
  readonly report: Report
  /** Whether this process may write. */
  mayWrite(): boolean
}

/** A thing that is used. */
export interface Use<Id> {
  readonly id: Id
  /** The last use that is stored, UTC text; null when none is. */
  readonly usedAt: string | null
  /** When it is used, Unix milliseconds. */
  readonly now: number
}

/** What is stored of a use, UTC texts: `at`, unless a later use than `before` is stored. */
export interface UseToStore<Id> {
  readonly id: Id
  readonly before: string
  readonly at: string
}

/** How the uses of one kind of thing are stored. */
export interface UsesOf<Id> {
  /** How exactly the last use is known, milliseconds: uses within that write nothing. */
  readonly step: number
  /** What fails when storing fails. */
  readonly doing: string
  store(tx: Transaction, use: UseToStore<Id>): Promise<void>
}

/**
 * Notes when things of one kind are used, while nobody waits for it. Of several processes on one SQLite file only the one
 * that writes does so: what is only read elsewhere is not seen here.
 */
export function lastUse<Id>(
  { storage, report, mayWrite }: LastUseParts,
  { step, doing, store }: UsesOf<Id>,
): (use: Use<Id>) => void {
  /** Things whose use is being stored. */
  const storing = new Set<Id>()
  return ({ id, usedAt, now }) => {
    const before = utcFromMillis(now - step)
    if (storing.has(id) || (usedAt !== null && usedAt > before) || !mayWrite()) return
    storing.add(id)
    void storage
      .write((tx) => store(tx, { id, before, at: utcFromMillis(now) }))
      .catch((error: unknown) => report(error, doing))
      .finally(() => storing.delete(id))
  }
}
