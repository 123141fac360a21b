import { HIGHEST_ID } from '../../model/id.ts'
import type { Reader } from '../../storage/engine.ts'
import type { EntryColumns, MediaTable } from '../../storage/schema.ts'
import { inList } from '../../storage/statement-template.ts'

/** A stored image. */
export type PictureRow = MediaTable

/** The images with these ids, by id; ids without an image are absent. */
export async function picturesById(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, PictureRow>> {
  const possible = ids.filter((id) => id <= HIGHEST_ID)
  if (possible.length === 0) return new Map()
  const query = reader.db.selectFrom('media').selectAll()
  const rows = await reader.all(query.where(inList(reader.engine, 'media.id', possible)))
  return new Map(rows.map((row) => [row.id, row]))
}

/** The images of entries, by the ids of the entries that have one; one query for all of them. */
export async function picturesOf(
  reader: Reader,
  rows: readonly Pick<EntryColumns, 'id' | 'image_id'>[],
): Promise<ReadonlyMap<number, PictureRow>> {
  const pictures = await picturesById(reader, [...new Set(rows.flatMap(({ image_id }) => image_id ?? []))])
  const found = new Map<number, PictureRow>()
  for (const { id, image_id } of rows) {
    const picture = image_id === null ? undefined : pictures.get(image_id)
    if (picture !== undefined) found.set(id, picture)
  }
  return found
}

/** The oldest image that has this file as its full size, or that was fetched from this address. */
export async function pictureIdBy(
  reader: Reader,
  by: { readonly file: string } | { readonly source_url: string },
): Promise<number | undefined> {
  const query = reader.db.selectFrom('media').select('id').orderBy('id').limit(1)
  const row = await reader.first(
    'file' in by ? query.where('file', '=', by.file) : query.where('source_url', '=', by.source_url),
  )
  return row?.id
}
