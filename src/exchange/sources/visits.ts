import type { Reader, Transaction } from '../../storage/engine.ts'
import { insertRow } from '../../storage/row-writes.ts'
import type { SourceVisitTable } from '../../storage/schema.ts'
import type { SourceVisit } from './types.ts'

/** Visits of a source that are stored; those in a row that came to the same count as one. */
const KEPT = 100

/** A visit with the name of its source. */
export interface NamedVisit extends SourceVisitTable {
  readonly name: string
}

/** What a visit came to. */
export type VisitOutcome = Omit<SourceVisitTable, 'source_id' | 'number' | 'first_at' | 'last_at' | 'times'>

/** A sync without changes. */
export const NO_CHANGES: VisitOutcome = {
  outcome: 'unchanged',
  created: 0,
  updated: 0,
  unchanged: 0,
  trashed: 0,
  skipped: 0,
  kept: 0,
  problem: '',
}

/** Notes a visit of a source at a moment (UTC text); the oldest ones are forgotten. */
export async function noteVisit(
  tx: Transaction,
  { id, at }: { readonly id: number; readonly at: string },
  visit: VisitOutcome,
): Promise<void> {
  const [last] = await lastVisits(tx, id, 1)
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

/** The visits of a source that are known, newest first. */
export async function visitsOf(reader: Reader, id: number): Promise<SourceVisit[]> {
  return (await lastVisits(reader, id, KEPT)).map(({ source_id: _source, number: _number, kept, ...visit }) => ({
    ...visit,
    notes: kept,
  }))
}

/** The last visits of all sources, newest first, each with the name of its source. */
export function latestVisits(reader: Reader, most: number): Promise<NamedVisit[]> {
  const query = reader.db.selectFrom('source_visit').innerJoin('source', 'source.id', 'source_visit.source_id')
  const named = query.selectAll('source_visit').select('source.name')
  return reader.all(named.orderBy('last_at', 'desc').orderBy('source_id').orderBy('number', 'desc').limit(most))
}

/** The rows of all visits of a source that are known, oldest first. */
export async function allVisits(reader: Reader, id: number): Promise<readonly SourceVisitTable[]> {
  return (await lastVisits(reader, id, KEPT)).toReversed()
}

/** Forgets the visits of a source. */
export async function deleteVisits(tx: Transaction, id: number): Promise<void> {
  await tx.run(tx.db.deleteFrom('source_visit').where('source_id', '=', id))
}

function lastVisits(reader: Reader, id: number, limit: number): Promise<SourceVisitTable[]> {
  const query = reader.db.selectFrom('source_visit').selectAll().where('source_id', '=', id)
  return reader.all(query.orderBy('number', 'desc').limit(limit))
}
