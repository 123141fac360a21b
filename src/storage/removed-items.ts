import { storedJson } from '../base/text/stored-json.ts'
import { utcFromMillis } from '../base/time/zones.ts'
import type { Reader, Transaction } from './engine.ts'
import { takeNumbers } from './numbers.ts'
import { changeRow, deleteRows, insertRow } from './row-writes.ts'

/** What is kept when it is removed, so that it can be brought back. */
export type RemovedKind = 'source' | 'webhook' | 'picture'

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

/** A removal, and what is kept of it. */
export interface KeptRemoval<Kept> {
  readonly id: number
  /** Whether it can be brought back no longer. */
  readonly isOld: boolean
  readonly kept: Kept
}

/** All removals of a kind, the newest first, as `keepRemoved` got them; `now` is in Unix milliseconds. */
export async function removalsOf<Kept>(
  reader: Reader,
  { kind, now }: Omit<Removal, 'id'>,
): Promise<readonly KeptRemoval<Kept>[]> {
  const query = reader.db.selectFrom('removed_item').select(['id', 'at', 'kept']).where('kind', '=', kind)
  const rows = await reader.all(query.orderBy('id', 'desc'))
  return rows.map(({ id, at, kept }) => ({ id, isOld: at < expiredBefore(now), kept: storedJson<Kept>(kept) }))
}

/** What has files, too, which go with its row: the room of pictures looks after these. */
const WITH_FILES: RemovedKind = 'picture'

/** Whether anything without files is kept that can be brought back no longer; `now` is in Unix milliseconds. */
export async function hasOldRemoved(reader: Reader, now: number): Promise<boolean> {
  const query = reader.db.selectFrom('removed_item').select('id').where('kind', '!=', WITH_FILES)
  return (await reader.first(query.where('at', '<', expiredBefore(now)).limit(1))) !== undefined
}

/** Keeps no longer what has no files and can be brought back no longer. */
export async function forgetOldRemoved(tx: Transaction, now: number): Promise<void> {
  const old = tx.db.deleteFrom('removed_item').where('kind', '!=', WITH_FILES)
  await tx.run(old.where('at', '<', expiredBefore(now)))
}
