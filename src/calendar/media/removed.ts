import { fail } from '../../base/errors.ts'
import type { Reader, Storage, Transaction } from '../../storage/engine.ts'
import { record } from '../../storage/journal/append.ts'
import { deleteRemoved, expiredBefore, keepRemoved, removalsOf, removedItem } from '../../storage/removed-items.ts'
import { insertRow } from '../../storage/row-writes.ts'
import type { ImageRow } from '../shared/stored-image.ts'

// Deleted images stay in the trash, with their files hidden.

const KIND = 'image'

/** Moves the row of an image to the trash, in the transaction that deletes it. */
export function keepImage(
  tx: Transaction,
  row: ImageRow,
  agent: { readonly actor: number; readonly at: string },
): Promise<void> {
  const { id: item_id, author_id, title, file } = row
  return keepRemoved(tx, { kind: KIND, item_id, author_id, title: title || file, ...agent, kept: row })
}

/** Names of the files, those in full size, of the images in the trash. */
export async function filesOfRemoved(reader: Reader): Promise<ReadonlySet<string>> {
  const removals = await removalsOf<ImageRow>(reader, KIND)
  return new Set(removals.map(({ kept }) => kept.file))
}

/** Deletes expired images from the trash; `now` is in Unix milliseconds. Returns them, as their files belong to nothing now. */
export async function pruneRemovedImages(storage: Storage, now: number): Promise<readonly ImageRow[]> {
  const before = expiredBefore(now)
  if ((await removalsOf(storage, KIND, before)).length === 0) return []
  return storage.write(async (tx) => {
    const old = await removalsOf<ImageRow>(tx, KIND, before)
    for (const { id } of old) await deleteRemoved(tx, id)
    return old.map(({ kept }) => kept)
  })
}

/** An image in the trash, by the number of its removal. @throws precondition_failed where it is no longer there */
export async function removedImage(
  reader: Reader,
  { id, now }: { readonly id: number; readonly now: number },
): Promise<ImageRow> {
  const row = await removedItem<ImageRow>(reader, { id, kind: KIND, now })
  if (row === undefined) throw fail('precondition_failed')
  return row
}

/** Stores an image from the trash again, as it was. */
export async function insertAgain(
  tx: Transaction,
  row: ImageRow,
  { removal, actor, at }: { readonly removal: number; readonly actor: number; readonly at: string },
): Promise<ImageRow> {
  // Deleting it was a revision, too.
  const back = { ...row, revision: row.revision + 2 }
  await insertRow(tx, 'media', back)
  await deleteRemoved(tx, removal)
  record(tx, { actor, at, resource: 'media', id: row.id, revision: back.revision, action: 'restore', snapshot: back })
  return back
}
