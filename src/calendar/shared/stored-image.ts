import { slugify } from '../../base/text/slug.ts'
import { storedJson } from '../../base/text/stored-json.ts'
import type { Urls } from '../../http/address.ts'
import { HIGHEST_ID } from '../../model/id.ts'
import type { Reader } from '../../storage/engine.ts'
import type { EntryColumns, MediaTable } from '../../storage/schema.ts'
import { inList } from '../../storage/statement-template.ts'

/** A smaller size of an image, as stored. */
export interface StoredSize {
  /** Name in the media folder. */
  readonly file: string
  readonly width: number
  readonly height: number
  readonly mime: string
  /** Bytes. */
  readonly filesize: number
}

/** Path of images on the site; a file name follows. */
export const MEDIA_PATH = '/media/'

/** The smaller sizes of an image, by the wire's names, in the wire's order. */
export function sizesOf(picture: Pick<MediaTable, 'sizes'>): readonly [name: string, size: StoredSize][] {
  return Object.entries(storedJson<Readonly<Record<string, StoredSize>>>(picture.sizes))
}

/** Public address of a file of an image. */
export function fileUrl(file: string, urls: Pick<Urls, 'page'>): string {
  return urls.page(MEDIA_PATH + file)
}

/** The image of an entry as returned: one of ours, the recorded object of an import, else false (wire: events 1.3). */
export function presentImage(
  row: Pick<EntryColumns, 'image_recorded'>,
  picture: MediaTable | undefined,
  urls: Pick<Urls, 'page'>,
): false | Readonly<Record<string, unknown>> {
  if (picture !== undefined) return presentImageFile(picture, urls)
  return row.image_recorded === null ? false : storedJson(row.image_recorded)
}

/** The image object of an image, member by member as the wire has it; `sizes` only where it has any. */
export function presentImageFile(
  { id, file, width, height, filesize, ...stored }: MediaTable,
  urls: Pick<Urls, 'page'>,
): Readonly<Record<string, unknown>> {
  const sizes = sizesOf(stored).map(([name, size]) => [
    name,
    {
      width: size.width,
      height: size.height,
      'mime-type': size.mime,
      filesize: size.filesize,
      url: fileUrl(size.file, urls),
    },
  ])
  const extension = file.slice(file.lastIndexOf('.') + 1)
  return {
    url: fileUrl(file, urls),
    id,
    extension,
    width,
    height,
    filesize,
    ...(sizes.length > 0 && { sizes: Object.fromEntries(sizes) }),
  }
}

/** The slug of an image: made from its title, or else its ID. Several images may share one. */
export function slugOf({ id, title }: Pick<MediaTable, 'id' | 'title'>): string {
  return slugify(title) || String(id)
}

/** A stored image. */
export type ImageRow = MediaTable

/** The images with these IDs, by ID; IDs without an image are absent. */
export async function imagesById(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, ImageRow>> {
  const possible = ids.filter((id) => id <= HIGHEST_ID)
  if (possible.length === 0) return new Map()
  const query = reader.db.selectFrom('media').selectAll()
  const rows = await reader.all(query.where(inList(reader.engine, 'media.id', possible)))
  return new Map(rows.map((row) => [row.id, row]))
}

/** The images of entries, by the IDs of the entries that have one; one query for all of them. */
export async function imagesOf(
  reader: Reader,
  rows: readonly Pick<EntryColumns, 'id' | 'image_id'>[],
): Promise<ReadonlyMap<number, ImageRow>> {
  const pictures = await imagesById(reader, [...new Set(rows.flatMap(({ image_id }) => image_id ?? []))])
  const found = new Map<number, ImageRow>()
  for (const { id, image_id } of rows) {
    const picture = image_id === null ? undefined : pictures.get(image_id)
    if (picture !== undefined) found.set(id, picture)
  }
  return found
}

/** The oldest image that has this file as its full size, or that was fetched from this address. */
export async function imageIdBy(
  reader: Reader,
  by: { readonly file: string } | { readonly source_url: string },
): Promise<number | undefined> {
  const query = reader.db.selectFrom('media').select('id').orderBy('id').limit(1)
  const row = await reader.first(
    'file' in by ? query.where('file', '=', by.file) : query.where('source_url', '=', by.source_url),
  )
  return row?.id
}
