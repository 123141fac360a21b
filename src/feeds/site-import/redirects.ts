import { MEDIA_PATH } from '../../entries/picture.ts'
import type { Reader } from '../../storage/engine.ts'
import { inList } from '../../storage/statement-template.ts'

/** A path of a site that is moved here, and the path of an image here. */
export interface PictureRedirect {
  readonly from: string
  readonly to: string
}

/** Keeps redirects, except where the operator has one already: how many are new, and why others could not be kept. */
export type KeepRedirects = (
  redirects: readonly PictureRedirect[],
) => Promise<{ readonly added: number; readonly problems: readonly string[] }>

/** Images whose files one query finds. */
const BATCH = 500

/** From the paths of addresses to the images that came from them; `ids` are those of images here. */
export async function redirectsTo(reader: Reader, ids: ReadonlyMap<string, number>): Promise<PictureRedirect[]> {
  const files = new Map<number, string>()
  const wanted = [...new Set(ids.values())]
  for (let start = 0; start < wanted.length; start += BATCH) {
    const some = wanted.slice(start, start + BATCH)
    const query = reader.db
      .selectFrom('media')
      .select(['id', 'file'])
      .where(inList(reader.engine, 'media.id', some))
    for (const { id, file } of await reader.all(query)) files.set(id, file)
  }
  return [...ids].flatMap(([address, id]) => {
    const file = files.get(id)
    return file === undefined ? [] : [{ from: new URL(address).pathname, to: `${MEDIA_PATH}${file}` }]
  })
}
