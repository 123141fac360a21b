import { utcFromMillis } from '../base/time/zones.ts'
import type { Report, Storage, Transaction } from './engine.ts'

/** What uses are noted with. */
export interface LastUseParts<Id> {
  readonly storage: Pick<Storage, 'write'>
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
  /** Whether this process may write. */
  mayWrite(): boolean
  /** Tells the process that writes, where this one may not; absent where there is no other. */
  tellWriter?(use: UseToStore<Id>): Promise<void> | undefined
}

/** A thing that is used. */
export interface Use<Id> {
  readonly id: Id
  /** The last use that is stored, UTC text; null when none is. */
  readonly usedAt: string | null
}

/** What is stored of a use, UTC texts: `at`, unless a later use than `before` is stored. */
export interface UseToStore<Id> {
  readonly id: Id
  readonly before: string
  readonly at: string
}

/** A use of which another process is told: of application passwords by id, of sessions by the digest of theirs. */
export type NotedUse =
  | { readonly kind: 'password'; readonly use: UseToStore<number> }
  | { readonly kind: 'session'; readonly use: UseToStore<string> }

/** How the uses of one kind of thing are stored. */
export interface UsesOf<Id> {
  /** How exactly the last use is known, milliseconds: uses within that write nothing. */
  readonly step: number
  /** What fails when storing fails. */
  readonly doing: string
  store(tx: Transaction, use: UseToStore<Id>): Promise<void>
}

/** Most uses of one kind that are stored at a time; of a further thing the next use is noted. */
const MOST = 100

/**
 * Notes when things of one kind are used, while nobody waits for it. Of several processes on one SQLite file those that
 * only read tell the one that writes.
 */
export function lastUse<Id>(
  { storage, report, now, mayWrite, tellWriter }: LastUseParts<Id>,
  { step, doing, store }: UsesOf<Id>,
): (use: Use<Id>) => void {
  /** Things whose use is being stored. */
  const storing = new Set<Id>()
  const note = async (use: UseToStore<Id>): Promise<void> =>
    mayWrite() ? storage.write((tx) => store(tx, use)) : tellWriter?.(use)
  return ({ id, usedAt }) => {
    const moment = now()
    const before = utcFromMillis(moment - step)
    if (storing.has(id) || storing.size >= MOST || (usedAt !== null && usedAt > before)) return
    storing.add(id)
    void note({ id, before, at: utcFromMillis(moment) })
      .catch((error: unknown) => report(error, doing))
      .finally(() => storing.delete(id))
  }
}
