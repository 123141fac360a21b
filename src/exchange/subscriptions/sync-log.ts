import type { Reader, Transaction } from '../../storage/engine.ts'
import { insertRow } from '../../storage/row-writes.ts'
import type { SyncLogTable } from '../../storage/schema.ts'
import type { LoggedSync } from './types.ts'

/** Syncs of a subscription that are stored; those in a row that came to the same count as one. */
const KEPT = 100

/** A sync with the name of its subscription. */
export interface NamedSync extends SyncLogTable {
  readonly name: string
}

/** What a sync came to. */
export type SyncOutcome = Omit<SyncLogTable, 'source_id' | 'number' | 'first_at' | 'last_at' | 'times'>

/** A sync without changes. */
export const NO_CHANGES: SyncOutcome = {
  outcome: 'unchanged',
  created: 0,
  updated: 0,
  unchanged: 0,
  trashed: 0,
  skipped: 0,
  kept: 0,
  problem: '',
}

/** Notes a sync of a subscription at a moment (UTC text); the oldest ones are deleted. */
export async function logSync(
  tx: Transaction,
  { id, at }: { readonly id: number; readonly at: string },
  visit: SyncOutcome,
): Promise<void> {
  const [last] = await lastSyncs(tx, id, 1)
  const isSame = last !== undefined && last.outcome === visit.outcome && last.problem === visit.problem
  if (isSame && visit.outcome !== 'changed') {
    const change = tx.db.updateTable('source_visit').set({ last_at: at, times: last.times + 1 })
    await tx.run(change.where('source_id', '=', id).where('number', '=', last.number))
    return
  }
  const number = (last?.number ?? 0) + 1
  await insertRow(tx, 'source_visit', { source_id: id, number, first_at: at, last_at: at, times: 1, ...visit })
  const old = tx.db.deleteFrom('source_visit').where('source_id', '=', id)
  await tx.run(old.where('number', '<=', number - KEPT))
}

/** The syncs of a subscription that are known, newest first. */
export async function syncsOf(reader: Reader, id: number): Promise<LoggedSync[]> {
  return (await lastSyncs(reader, id, KEPT)).map(({ source_id: _subscription, number: _number, kept, ...visit }) => ({
    ...visit,
    notes: kept,
  }))
}

/** The last syncs of all subscriptions, newest first, each with the name of its subscription. */
export function latestSyncs(reader: Reader, most: number): Promise<NamedSync[]> {
  const query = reader.db.selectFrom('source_visit').innerJoin('source', 'source.id', 'source_visit.source_id')
  const named = query.selectAll('source_visit').select('source.name')
  return reader.all(named.orderBy('last_at', 'desc').orderBy('source_id').orderBy('number', 'desc').limit(most))
}

/** The rows of all syncs of a subscription that are known, oldest first. */
export async function allSyncs(reader: Reader, id: number): Promise<readonly SyncLogTable[]> {
  return (await lastSyncs(reader, id, KEPT)).toReversed()
}

/** Deletes the syncs of a subscription. */
export async function deleteSyncLog(tx: Transaction, id: number): Promise<void> {
  await tx.run(tx.db.deleteFrom('source_visit').where('source_id', '=', id))
}

function lastSyncs(reader: Reader, id: number, limit: number): Promise<SyncLogTable[]> {
  const query = reader.db.selectFrom('source_visit').selectAll().where('source_id', '=', id)
  return reader.all(query.orderBy('number', 'desc').limit(limit))
}
