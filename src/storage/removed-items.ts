import { storedJson } from '../base/text/stored-json.ts'
import { utcFromMillis } from '../base/time/zones.ts'
import type { Reader, Transaction } from './engine.ts'
import { takeNumbers } from './numbers.ts'
import { changeRow, deleteRows, insertRow } from './row-writes.ts'
import type { RemovedItemTable } from './schema.ts'

/** Kinds of items that have no trash of their own: `date` is one date of a series, `dates` those from one on. */
export const REMOVED_KINDS = ['category', 'tag', 'image', 'date', 'dates', 'subscription', 'webhook'] as const

/** One of `REMOVED_KINDS`. */
export type RemovedKind = (typeof REMOVED_KINDS)[number]

/** How long a removed item can be restored, in milliseconds. */
export const TRASH_LIFETIME = 30 * 86_400_000

/** A removed item. */
export interface RemovedItem extends Pick<RemovedItemTable, 'item_id' | 'title' | 'actor' | 'at'> {
  readonly kind: RemovedKind
  /** User who owns it; 0 if absent: nobody. */
  readonly author_id?: number
  /** Everything that restoring it takes. */
  readonly kept: unknown
}

/** A removal by its number, and the present moment in Unix milliseconds. */
interface Removal {
  readonly id: number
  readonly kind: RemovedKind
  readonly now: number
}

/** What was removed before this moment (UTC text) can no longer be restored; `now` is in Unix milliseconds. */
export function expiredBefore(now: number): string {
  return utcFromMillis(now - TRASH_LIFETIME)
}

/** Stores what a removal takes away, in the same transaction. */
export async function keepRemoved(tx: Transaction, { kept, author_id = 0, ...item }: RemovedItem): Promise<void> {
  const id = await takeNumbers(tx, 'removed_item')
  await insertRow(tx, 'removed_item', { id, author_id, ...item, kept: JSON.stringify(kept) })
}

/** Replaces what is stored of a removal that ends at a later moment (UTC text). */
export async function changeRemoved(
  tx: Transaction,
  { id, at, kept }: { readonly id: number; readonly at: string; readonly kept: unknown },
): Promise<void> {
  await changeRow(tx, 'removed_item', { id, at, kept: JSON.stringify(kept) })
}

/** Number of the last removal of an item; undefined if it was not removed or has expired. */
export async function lastRemoval(
  reader: Reader,
  { kind, itemId }: { readonly kind: RemovedKind; readonly itemId: number },
): Promise<number | undefined> {
  const query = reader.db.selectFrom('removed_item').select('id').where('kind', '=', kind).where('item_id', '=', itemId)
  return (await reader.first(query.orderBy('id', 'desc').limit(1)))?.id
}

/** What `keepRemoved` stored of a removal; undefined if it has expired or the item was restored. */
export async function removedItem<Kept>(reader: Reader, { id, kind, now }: Removal): Promise<Kept | undefined> {
  const query = reader.db.selectFrom('removed_item').select('kept').where('id', '=', id).where('kind', '=', kind)
  const row = await reader.first(query.where('at', '>=', expiredBefore(now)))
  return row === undefined ? undefined : storedJson<Kept>(row.kept)
}

/** Deletes a removal: the item was restored, or is to be gone permanently. */
export async function deleteRemoved(tx: Transaction, id: number): Promise<void> {
  await deleteRows(tx, 'removed_item', { column: 'id', value: id })
}

/** A removal, and what is stored of it. */
export interface KeptRemoval<Kept> {
  readonly id: number
  readonly kept: Kept
}

/** All removals of a kind, or those before a moment (UTC text), as `keepRemoved` got them. */
export async function removalsOf<Kept>(
  reader: Reader,
  kind: RemovedKind,
  before?: string,
): Promise<readonly KeptRemoval<Kept>[]> {
  const query = reader.db.selectFrom('removed_item').select(['id', 'kept']).where('kind', '=', kind)
  const rows = await reader.all(before === undefined ? query : query.where('at', '<', before))
  return rows.map(({ id, kept }) => ({ id, kept: storedJson<Kept>(kept) }))
}

/** Images have files, which go together with the row: `calendar/media` deletes those. */
const WITH_FILES: RemovedKind = 'image'

/** Whether anything without files has expired; `now` is in Unix milliseconds. */
export async function hasOldRemoved(reader: Reader, now: number): Promise<boolean> {
  const query = reader.db.selectFrom('removed_item').select('id').where('kind', '!=', WITH_FILES)
  return (await reader.first(query.where('at', '<', expiredBefore(now)).limit(1))) !== undefined
}

/** Deletes what has expired and has no files. */
export async function pruneRemoved(tx: Transaction, now: number): Promise<void> {
  const old = tx.db.deleteFrom('removed_item').where('kind', '!=', WITH_FILES)
  await tx.run(old.where('at', '<', expiredBefore(now)))
}
