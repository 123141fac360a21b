import { fail } from '../../base/errors.ts'
import type { Reader, Storage, Transaction } from '../../storage/engine.ts'
import { record } from '../../storage/journal/append.ts'
import { forgetRemoved, type KeptRemoval, keepRemoved, removalsOf, removedItem } from '../../storage/removed-items.ts'
import { insertRow } from '../../storage/row-writes.ts'
import { sizesOf } from '../shared/picture.ts'
import type { PictureRow } from '../shared/store-picture.ts'

// Pictures that were deleted stay for an hour, hidden, so that the deletion can be undone.

/** Of the pictures that are kept after they were deleted, the newest first; the last one deleted always is. */
const MOST = { pictures: 200, bytes: 512 * 1024 ** 2 } as const

const KIND = 'picture'

/** Keeps the row of a picture that is deleted at a moment (UTC text), in the same transaction. */
export function keepPicture(tx: Transaction, row: PictureRow, at: string): Promise<void> {
  return keepRemoved(tx, { kind: KIND, itemId: row.id, at, kept: row })
}

/** Names of the files, those in full size, that deleted pictures still have. */
export async function filesOfRemoved(reader: Reader): Promise<ReadonlySet<string>> {
  const removals = await removalsOf<PictureRow>(reader, { kind: KIND, now: 0 })
  return new Set(removals.map(({ kept }) => kept.file))
}

/**
 * Keeps those no longer that were deleted more than an hour ago, or are too many or too large together; `now` is in Unix
 * milliseconds. Returns the pictures, whose files nothing has any more.
 */
export async function forgetRemovedPictures(storage: Storage, now: number): Promise<readonly PictureRow[]> {
  const asked = { kind: KIND, now } as const
  if (surplusOf(await removalsOf<PictureRow>(storage, asked)).length === 0) return []
  return storage.write(async (tx) => {
    const surplus = surplusOf(await removalsOf<PictureRow>(tx, asked))
    for (const { id } of surplus) await forgetRemoved(tx, id)
    return surplus.map(({ kept }) => kept)
  })
}

function surplusOf(removals: readonly KeptRemoval<PictureRow>[]): readonly KeptRemoval<PictureRow>[] {
  let bytes = 0
  return removals.filter(({ isOld, kept }, index) => {
    bytes += bytesOf(kept)
    return isOld || index >= MOST.pictures || (index > 0 && bytes > MOST.bytes)
  })
}

/** Bytes of all files of an image. */
function bytesOf(row: PictureRow): number {
  return sizesOf(row).reduce((sum, [, { filesize }]) => sum + filesize, row.filesize)
}

/** A picture that a removal has taken away, by the number of that. @throws precondition_failed where it is kept no longer */
export async function removedPicture(
  reader: Reader,
  { id, now }: { readonly id: number; readonly now: number },
): Promise<PictureRow> {
  const row = await removedItem<PictureRow>(reader, { id, kind: KIND, now })
  if (row === undefined) throw fail('precondition_failed')
  return row
}

/** Stores a picture again that was deleted, as it was. */
export async function insertAgain(
  tx: Transaction,
  row: PictureRow,
  { removal, actor, at }: { readonly removal: number; readonly actor: number; readonly at: string },
): Promise<PictureRow> {
  // Deleting it was a revision, too.
  const back = { ...row, revision: row.revision + 2 }
  await insertRow(tx, 'media', back)
  await forgetRemoved(tx, removal)
  record(tx, { actor, at, resource: 'media', id: row.id, revision: back.revision, action: 'restore', snapshot: back })
  return back
}
