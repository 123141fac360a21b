import type { Urls } from '../http/urls.ts'
import type { EntryColumns, MediaTable } from '../storage/schema.ts'
import { storedJson } from '../text/stored-json.ts'

/** A smaller size of a picture as it is stored. */
export interface StoredSize {
  /** Name in the media folder. */
  readonly file: string
  readonly width: number
  readonly height: number
  readonly mime: string
  /** Bytes. */
  readonly filesize: number
}

/** Path of pictures on the site; behind it stands the name of a file. */
export const MEDIA_PATH = '/media/'

/** The smaller sizes of a picture, by the wire's names, in the wire's order. */
export function sizesOf(picture: Pick<MediaTable, 'sizes'>): readonly [name: string, size: StoredSize][] {
  return Object.entries(storedJson<Readonly<Record<string, StoredSize>>>(picture.sizes))
}

/** Public address of a file of a picture. */
export function fileUrl(file: string, urls: Pick<Urls, 'page'>): string {
  return urls.page(MEDIA_PATH + file)
}

/** The picture of an entry as answered: one of ours, the recorded object of an import, else false (wire: events 1.3). */
export function presentImage(
  row: Pick<EntryColumns, 'image_recorded'>,
  picture: MediaTable | undefined,
  urls: Pick<Urls, 'page'>,
): false | Readonly<Record<string, unknown>> {
  if (picture !== undefined) return presentPicture(picture, urls)
  return row.image_recorded === null ? false : storedJson(row.image_recorded)
}

/** The image object of a picture, member by member as the wire has it; `sizes` only where it has any. */
export function presentPicture(
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
