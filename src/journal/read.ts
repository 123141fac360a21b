import type { Reader } from '../storage/engine.ts'
import type { JournalAction, JournalEntry } from './entry.ts'

/** Entries after a number, oldest first, at most `limit`; `[]` when there are none. `seq` 0 begins at the beginning. */
export async function readSince(reader: Reader, seq: number, limit: number): Promise<JournalEntry[]> {
  const rows = await reader.all(
    reader.db
      .selectFrom('journal')
      .select(['seq', 'at', 'actor', 'resource', 'id', 'revision', 'action', 'snapshot'])
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(limit),
  )
  return rows.map((row) => ({
    ...row,
    action: row.action as JournalAction,
    snapshot: row.snapshot === null ? null : (JSON.parse(row.snapshot) as object),
  }))
}

/** Which items the entries after a number are about, oldest first, at most `limit`; `[]` when there are none. */
export async function namesSince(
  reader: Reader,
  seq: number,
  limit: number,
): Promise<Pick<JournalEntry, 'seq' | 'resource' | 'id'>[]> {
  const query = reader.db.selectFrom('journal').select(['seq', 'resource', 'id']).where('seq', '>', seq)
  return reader.all(query.orderBy('seq').limit(limit))
}

/** Number of the newest entry; 0 while the journal is empty. */
export async function headSeq(reader: Reader): Promise<number> {
  const head = await reader.first(reader.db.selectFrom('journal_head').select('seq'))
  return head?.seq ?? 0
}
