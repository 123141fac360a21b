import type { Reader } from '../storage/engine.ts'
import { inList } from '../storage/expressions.ts'
import type { EntryColumns, MediaTable } from '../storage/schema.ts'

/** A stored picture. */
export type PictureRow = MediaTable

/** Largest value of the column on engines whose integers have 32 bits. */
export const HIGHEST_ID = 2 ** 31 - 1

/** The pictures with these ids, by id; ids without a picture are absent. */
export async function picturesById(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, PictureRow>> {
  const possible = ids.filter((id) => id <= HIGHEST_ID)
  if (possible.length === 0) return new Map()
  const query = reader.db.selectFrom('media').selectAll()
  const rows = await reader.all(query.where(inList(reader.engine, 'media.id', possible)))
  return new Map(rows.map((row) => [row.id, row]))
}

/** The pictures of entries, by their own ids; one query for all of them. */
export function picturesOf(
  reader: Reader,
  rows: readonly Pick<EntryColumns, 'image_id'>[],
): Promise<ReadonlyMap<number, PictureRow>> {
  return picturesById(reader, [...new Set(rows.flatMap(({ image_id }) => image_id ?? []))])
}

/** The picture of one entry among those that were read; undefined when it has none. */
export function pictureAmong(
  pictures: ReadonlyMap<number, PictureRow>,
  { image_id }: Pick<EntryColumns, 'image_id'>,
): PictureRow | undefined {
  return image_id === null ? undefined : pictures.get(image_id)
}

/** The oldest picture that has this file as its full size, or that was fetched from this address. */
export async function pictureIdBy(
  reader: Reader,
  sought: { readonly file: string } | { readonly source_url: string },
): Promise<number | undefined> {
  const query = reader.db.selectFrom('media').select('id').orderBy('id').limit(1)
  const row = await reader.first(
    'file' in sought ? query.where('file', '=', sought.file) : query.where('source_url', '=', sought.source_url),
  )
  return row?.id
}
