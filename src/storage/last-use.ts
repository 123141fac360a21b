import { utcFromMillis } from '../base/time/zones.ts'
import type { Report, Storage, Transaction } from './engine.ts'

/** What uses are noted with. */
export interface LastUseDeps {
  readonly storage: Pick<Storage, 'write'>
  readonly report: Report
  /** Unix milliseconds. */
  now(): number
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

/** Notes when things of one kind are used, while nobody waits for it. */
export function lastUse<Id>(
  { storage, report, now }: LastUseDeps,
  { step, doing, store }: UsesOf<Id>,
): (use: Use<Id>) => void {
  /** Things whose use is being stored. */
  const storing = new Set<Id>()
  return ({ id, usedAt }) => {
    const moment = now()
    const before = utcFromMillis(moment - step)
    if (storing.has(id) || storing.size >= MOST || (usedAt !== null && usedAt > before)) return
    storing.add(id)
    storage
      .write((tx) => store(tx, { id, before, at: utcFromMillis(moment) }))
      .catch((error: unknown) => report(error, doing))
      .finally(() => storing.delete(id))
  }
}
