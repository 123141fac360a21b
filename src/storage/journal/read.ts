import type { Reader } from '../engine.ts'
import { inList } from '../statement-template.ts'
import type { JournalAction, JournalEntry } from './entry.ts'

/** Entries after a number, oldest first, at most `limit`; `[]` when there are none. `seq` 0 starts at the beginning. */
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
    snapshot: snapshotIn(row.snapshot),
  }))
}

/** Which items the entries after a number are about, oldest first, at most `limit`; `[]` when there are none. */
export async function namesSince(reader: Reader, seq: number, limit: number): Promise<NamedChange[]> {
  const query = reader.db.selectFrom('journal').select(['seq', 'resource', 'id', 'revision']).where('seq', '>', seq)
  return reader.all(query.orderBy('seq').limit(limit))
}

/** Which item an entry is about, and the revision that the change made. */
export type NamedChange = Pick<JournalEntry, 'seq' | 'resource' | 'id' | 'revision'>

/** An item as it was after a change: its row, or null when it was deleted. */
export type PastItem = Pick<JournalEntry, 'id' | 'revision' | 'snapshot'>

/** Items of a resource after certain changes, in no order; those that the journal does not have are left out. */
export async function pastOf(
  reader: Reader,
  resource: string,
  wanted: readonly { readonly id: number; readonly revision: number }[],
): Promise<PastItem[]> {
  const ids = wanted.map(({ id }) => id)
  const query = reader.db.selectFrom('journal').select(['id', 'revision', 'snapshot']).where('resource', '=', resource)
  const rows = await reader.all(
    // Without the separate IDs SQLite reads everything of the resource.
    query
      .where(inList(reader.engine, 'id', ids))
      .where((row) => row.or(wanted.map(({ id, revision }) => row.and({ id, revision })))),
  )
  return rows.map((row) => ({ ...row, snapshot: snapshotIn(row.snapshot) }))
}

/** Moment of the change that made a revision of an item, UTC text; undefined when the journal does not have it. */
export async function changedAt(
  reader: Reader,
  { resource, id, revision }: Pick<JournalEntry, 'resource' | 'id' | 'revision'>,
): Promise<string | undefined> {
  const query = reader.db.selectFrom('journal').select('at').where('resource', '=', resource).where('id', '=', id)
  return (await reader.first(query.where('revision', '=', revision)))?.at
}

/** Whether someone changed an item after a number: that time brings further dates of a series is no change. */
export async function hasChangedSince(
  reader: Reader,
  { resource, id, seq }: Pick<JournalEntry, 'resource' | 'id' | 'seq'>,
): Promise<boolean> {
  const query = reader.db.selectFrom('journal').select('seq').where('resource', '=', resource).where('id', '=', id)
  return (await reader.first(query.where('seq', '>', seq).where('action', '!=', 'extend').limit(1))) !== undefined
}

/** What someone changed of an item, newest first, at most `limit`; what was before a revision where one is named. */
export async function historyOf(
  reader: Reader,
  {
    resource,
    id,
    before,
    limit,
  }: Pick<JournalEntry, 'resource' | 'id'> & { before?: number | undefined; limit: number },
): Promise<JournalEntry[]> {
  let query = reader.db
    .selectFrom('journal')
    .select(['seq', 'at', 'actor', 'resource', 'id', 'revision', 'action', 'snapshot', 'agent'])
    .where('resource', '=', resource)
    .where('id', '=', id)
    .where('action', '!=', 'extend')
  if (before !== undefined) query = query.where('revision', '<', before)
  const rows = await reader.all(query.orderBy('revision', 'desc').limit(limit))
  return rows.map((row) => ({ ...row, action: row.action as JournalAction, snapshot: snapshotIn(row.snapshot) }))
}

function snapshotIn(text: string | null): object | null {
  return text === null ? null : (JSON.parse(text) as object)
}

/** Number of the newest entry; 0 while the journal is empty. */
export async function headSeq(reader: Reader): Promise<number> {
  const head = await reader.first(reader.db.selectFrom('journal_head').select('seq'))
  return head?.seq ?? 0
}
