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

/** How the uses of the rows of a table are stored, in its column `used_at`. */
export interface UsesOf {
  readonly table: 'session' | 'token' | 'application_password'
  /** How exactly the last use is known, milliseconds: uses within that write nothing. */
  readonly step: number
  /** Whether only the hour is stored. */
  readonly hourOnly?: true
  /** What fails when storing fails. */
  readonly doing: string
}

/** Most uses of one kind that are stored at a time; of a further thing the next use is noted. */
const MOST = 100

/** Notes when things of one kind are used, while nobody waits for it. */
export function lastUse<Id extends string | number>(
  { storage, report, now }: LastUseDeps,
  uses: UsesOf,
): (use: Use<Id>) => void {
  /** Things whose use is being stored. */
  const storing = new Set<Id>()
  return ({ id, usedAt }) => {
    const moment = now()
    const before = utcFromMillis(moment - uses.step)
    if (storing.has(id) || storing.size >= MOST || (usedAt !== null && usedAt > before)) return
    storing.add(id)
    storage
      .write((tx) => store(tx, uses, { id, before, at: utcFromMillis(moment) }))
      .catch((error: unknown) => report(error, uses.doing))
      .finally(() => storing.delete(id))
  }
}

/** Stores a use, unless a later one than `before` is stored; all are UTC texts. */
async function store(
  tx: Transaction,
  { table, hourOnly }: UsesOf,
  { id, before, at }: { readonly id: string | number; readonly before: string; readonly at: string },
): Promise<void> {
  const used_at = hourOnly ? `${at.slice(0, 13)}:00:00` : at
  const query = tx.db.updateTable(table).set({ used_at }).where('id', '=', id)
  await tx.run(query.where((of) => of.or([of('used_at', 'is', null), of('used_at', '<=', before)])))
}
