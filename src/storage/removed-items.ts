import { storedJson } from '../text/stored-json.ts'
import { utcFromMillis } from '../time/zones.ts'
import type { Reader, Transaction } from './engine.ts'
import { takeNumbers } from './numbers.ts'
import { changeRow, deleteRows, insertRow } from './row-writes.ts'

/** What is kept when it is removed, so that it can be brought back. */
export type RemovedKind = 'source' | 'webhook'

/** Which item was removed. */
interface RemovedName {
  readonly kind: RemovedKind
  readonly itemId: number
}

/** A removal by its number, and the present moment in Unix milliseconds. */
interface Removal {
  readonly id: number
  readonly kind: RemovedKind
  readonly now: number
}

/** How long something can be brought back, milliseconds. */
const LIFETIME = 3_600_000

/** What was removed before this moment (UTC text) is kept no longer; `now` is in Unix milliseconds. */
function expiredBefore(now: number): string {
  return utcFromMillis(now - LIFETIME)
}

/** Keeps what a removal at a moment (UTC text) takes away: anything that JSON can say. */
export async function keepRemoved(
  tx: Transaction,
  { kind, itemId, at, kept }: RemovedName & { readonly at: string; readonly kept: unknown },
): Promise<void> {
  const id = await takeNumbers(tx, 'removed_item')
  await insertRow(tx, 'removed_item', { id, kind, item_id: itemId, at, kept: JSON.stringify(kept) })
}

/** Keeps something else of a removal, which ends at a moment (UTC text) only. */
export async function changeRemoved(
  tx: Transaction,
  { id, at, kept }: { readonly id: number; readonly at: string; readonly kept: unknown },
): Promise<void> {
  await changeRow(tx, 'removed_item', { id, at, kept: JSON.stringify(kept) })
}

/** Number of the last removal of an item; undefined where there was none, or where it is kept no longer. */
export async function lastRemoval(reader: Reader, { kind, itemId }: RemovedName): Promise<number | undefined> {
  const query = reader.db.selectFrom('removed_item').select('id').where('kind', '=', kind).where('item_id', '=', itemId)
  return (await reader.first(query.orderBy('id', 'desc').limit(1)))?.id
}

/** What is kept of a removal, as `keepRemoved` got it; undefined where it is kept no longer, or was brought back. */
export async function removedItem<Kept>(reader: Reader, { id, kind, now }: Removal): Promise<Kept | undefined> {
  const query = reader.db.selectFrom('removed_item').select('kept').where('id', '=', id).where('kind', '=', kind)
  const row = await reader.first(query.where('at', '>=', expiredBefore(now)))
  return row === undefined ? undefined : storedJson<Kept>(row.kept)
}

/** Keeps a removal no longer: the item was brought back. */
export async function forgetRemoved(tx: Transaction, id: number): Promise<void> {
  await deleteRows(tx, 'removed_item', { column: 'id', value: id })
}

/** Whether anything is kept that can be brought back no longer; `now` is in Unix milliseconds. */
export async function hasOldRemoved(reader: Reader, now: number): Promise<boolean> {
  const query = reader.db.selectFrom('removed_item').select('id').where('at', '<', expiredBefore(now))
  return (await reader.first(query.limit(1))) !== undefined
}

/** Keeps no longer what can be brought back no longer. */
export async function forgetOldRemoved(tx: Transaction, now: number): Promise<void> {
  await tx.run(tx.db.deleteFrom('removed_item').where('at', '<', expiredBefore(now)))
}
