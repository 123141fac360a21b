import { utcFromMillis } from '../../base/time/zones.ts'
import type { Reader, Storage, Transaction } from '../../storage/engine.ts'
import { takeNumbers } from '../../storage/numbers.ts'
import { changeRow, deleteRows, insertRow } from '../../storage/row-writes.ts'
import type { SourceEventTable, SourceTable } from '../../storage/schema.ts'
import { inList } from '../../storage/statement-template.ts'
import type { DueHost } from './rounds.ts'
import { deleteVisits } from './visits.ts'

/** All sources, by ID. */
export function allSources(reader: Reader): Promise<SourceTable[]> {
  return reader.all(reader.db.selectFrom('source').selectAll().orderBy('id'))
}

/** A source; undefined if there is none with this ID. */
export function sourceById(reader: Reader, id: number): Promise<SourceTable | undefined> {
  return reader.first(reader.db.selectFrom('source').selectAll().where('id', '=', id))
}

/** A source by its address. */
export function sourceByUrl(reader: Reader, url: string): Promise<SourceTable | undefined> {
  return reader.first(reader.db.selectFrom('source').selectAll().where('url', '=', url))
}

/** Milliseconds after which the process of a sync counts as dead. */
export const LONGEST_VISIT = 900_000

/** The sources that are due at a moment (Unix milliseconds) and that nobody visits, by the host that they are at. */
export async function dueSources(reader: Reader, now: number): Promise<readonly DueHost[]> {
  const visited = utcFromMillis(now - LONGEST_VISIT)
  const query = reader.db
    .selectFrom('source')
    .select(['id', 'url'])
    .where('paused', '=', 0)
    .where('next_at', '<=', utcFromMillis(now))
    .where((row) => row.or([row('visiting_since', 'is', null), row('visiting_since', '<=', visited)]))
  const due = await reader.all(query.orderBy('next_at').orderBy('id'))
  const byHost = Map.groupBy(due, ({ url }) => URL.parse(url)?.host ?? url)
  return [...byHost].map(([host, sources]) => ({ host, ids: sources.map(({ id }) => id) }))
}

/** Adds a source; IDs are not used again. */
export async function insertSource(tx: Transaction, row: Omit<SourceTable, 'id'>): Promise<SourceTable> {
  const id = await takeNumbers(tx, 'source')
  await insertRow(tx, 'source', { id, ...row })
  return { id, ...row }
}

/** Changes columns of a source. */
export async function updateSource(
  storage: Storage,
  change: Partial<SourceTable> & { readonly id: number },
): Promise<void> {
  await storage.write((tx) => changeRow(tx, 'source', change))
}

/** How many current events came from each source; sources without any are left out. */
export async function eventCounts(reader: Reader): Promise<ReadonlyMap<number, number>> {
  const query = reader.db
    .selectFrom('source_event')
    .select(['source_id', (row) => row.fn.countAll().as('count')])
    .where('source_id', '>', 0)
    .where('is_gone', '=', 0)
  const rows = await reader.all(query.groupBy('source_id'))
  return new Map(rows.map(({ source_id, count }) => [source_id, Number(count)]))
}

/** How many current events came from a source. */
export async function eventCount(reader: Reader, id: number): Promise<number> {
  const query = reader.db.selectFrom('source_event').select((row) => row.fn.countAll().as('count'))
  return Number((await reader.first(query.where('source_id', '=', id).where('is_gone', '=', 0)))?.count ?? 0)
}

/** Removes a source; its events stay and belong to none. */
export async function deleteSource(tx: Transaction, id: number): Promise<void> {
  await tx.run(tx.db.updateTable('source_event').set({ source_id: 0 }).where('source_id', '=', id))
  await deleteVisits(tx, id)
  await deleteRows(tx, 'source', { column: 'id', value: id })
}

/** The events from a source that it had at its last sync, the lowest IDs first; all by default. */
export function eventsOfSource(reader: Reader, id: number, most?: number): Promise<SourceEventTable[]> {
  const query = reader.db.selectFrom('source_event').selectAll().where('source_id', '=', id).where('is_gone', '=', 0)
  const ordered = query.orderBy('id')
  return reader.all(most === undefined ? ordered : ordered.limit(most))
}

/** All events from a source, including those it no longer has. */
export async function eventIdsOf(reader: Reader, id: number): Promise<readonly number[]> {
  const query = reader.db.selectFrom('source_event').select('id').where('source_id', '=', id)
  return (await reader.all(query.orderBy('id'))).map((row) => row.id)
}

/** Gives a source those of some events that belong to none. */
export async function giveEvents(tx: Transaction, id: number, events: readonly number[]): Promise<void> {
  const change = tx.db.updateTable('source_event').set({ source_id: id }).where('source_id', '=', 0)
  await tx.run(change.where(inList(tx.engine, 'id', events)))
}

/** Notes that a source no longer has an event: `1` when it was trashed, `2` when it stays because it is over. */
export async function noteGone(tx: Transaction, id: number, is_gone: 1 | 2): Promise<void> {
  await changeRow(tx, 'source_event', { id, is_gone })
}

/** The end of the last date of an event that lists know, UTC text; undefined if there is none. */
export async function lastEnd(reader: Reader, id: number): Promise<string | undefined> {
  const dates = await reader.all(reader.db.selectFrom('series_date').select('id').where('series_id', '=', id))
  const ids = [id, ...dates.map((date) => date.id)]
  const query = reader.db
    .selectFrom('occurrence')
    .select('end_utc')
    .where(inList(reader.engine, 'occurrence.id', ids))
    .orderBy('end_utc', 'desc')
  return (await reader.first(query.limit(1)))?.end_utc
}
