import { sizesOf } from '../entries/picture.ts'
import { type PictureRow, pictureIdBy } from '../entries/store-picture.ts'
import { record } from '../journal/append.ts'
import type { Reader, Transaction } from '../storage/engine.ts'
import { nextEntryId } from '../storage/identifiers.ts'
import type { FileSet } from './cabinet.ts'

/** A picture to be added. */
export type NewPicture = Omit<PictureRow, 'id' | 'revision'>

/** Adds a picture with its id and journal entry. */
export async function insertPicture(tx: Transaction, columns: NewPicture): Promise<PictureRow> {
  const id = await nextEntryId(tx, 'media')
  const row = { id, ...columns, revision: 1 }
  await tx.run(tx.db.insertInto('media').values(row))
  const { author_id: actor, created_at: at } = row
  record(tx, { actor, at, resource: 'media', id, revision: 1, action: 'create', snapshot: row })
  return row
}

/** Deletes a picture for good; its identifier stays taken. */
export async function deletePicture(
  tx: Transaction,
  { id, revision }: PictureRow,
  agent: { readonly actor: number; readonly at: string },
): Promise<void> {
  await tx.run(tx.db.deleteFrom('media').where('id', '=', id))
  record(tx, { ...agent, resource: 'media', id, revision: revision + 1, action: 'delete', snapshot: null })
}

const ENTRIES = ['event', 'venue', 'organizer'] as const

/** Whether any event, venue or organizer has the picture, those in the trash included. */
export async function isUsed(reader: Reader, id: number): Promise<boolean> {
  for (const table of ENTRIES) {
    const found = await reader.first(reader.db.selectFrom(table).select('id').where('image_id', '=', id).limit(1))
    if (found !== undefined) return true
  }
  return false
}

/** Whether everybody sees the picture: a published entry without password has it. */
export async function isPublic(reader: Reader, id: number): Promise<boolean> {
  for (const table of ENTRIES) {
    const published = reader.db
      .selectFrom(table)
      .select('id')
      .where('image_id', '=', id)
      .where('status', '=', 'publish')
    const query = table === 'event' ? published.where('event.password_hash', 'is', null) : published
    if ((await reader.first(query.limit(1))) !== undefined) return true
  }
  return false
}

/** Whether any picture has this file as its full size. */
export async function isFileNamed(reader: Reader, file: string): Promise<boolean> {
  return (await pictureIdBy(reader, { file })) !== undefined
}

/** A page of pictures, the newest first, and the number of all. */
export async function pageOfPictures(
  reader: Reader,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: readonly PictureRow[]; readonly total: number }> {
  const page = reader.db.selectFrom('media').selectAll().orderBy('id', 'desc').limit(limit).offset(offset)
  const rows = await reader.all(page)
  const counted = await reader.first(
    reader.db.selectFrom('media').select((row) => row.fn.countAll<number>().as('total')),
    'offloaded',
  )
  return { rows, total: Number(counted?.total ?? 0) }
}

/** The files of a stored picture. */
export function filesOf(row: Pick<PictureRow, 'file' | 'sizes'>): FileSet {
  return { full: row.file, names: [row.file, ...sizesOf(row).map(([, size]) => size.file)] }
}
