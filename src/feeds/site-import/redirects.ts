import { MEDIA_PATH } from '../../entries/picture.ts'
import type { Reader } from '../../storage/engine.ts'
import { inList } from '../../storage/statement-template.ts'
import type { Skipped } from '../json-import/types.ts'
import type { SiteApi } from './discover.ts'
import type { SitePictures } from './pictures.ts'
import { ownAddress } from './shown-pictures.ts'

/** A path of a site that is moved here, perhaps with a query, and the path of an image here. */
export interface PictureRedirect {
  readonly from: string
  readonly to: string
}

/** Keeps redirects, except where the operator has one already: how many are new, and why others could not be kept. */
export type KeepRedirects = (
  redirects: readonly PictureRedirect[],
) => Promise<{ readonly added: number; readonly problems: readonly string[] }>

/** What old paths are kept with. */
export interface OldPathParts {
  readonly reader: Reader
  readonly api: Pick<SiteApi, 'root' | 'reach'>
  readonly keepRedirects: KeepRedirects
}

/** How many redirects are new, and why others are not there. */
export interface OldPaths {
  readonly added: number
  readonly skipped: readonly Skipped[]
}

/** Has the paths that images had at the site lead to them; other sites keep theirs. */
export async function keepOldPaths(
  { reader, api, keepRedirects }: OldPathParts,
  pictures: readonly Pick<SitePictures, 'ids'>[],
): Promise<OldPaths> {
  const own = new Map<string, number>()
  for (const { ids } of pictures) {
    for (const [address, id] of ids) {
      const there = ownAddress(address, api)
      if (there !== undefined) own.set(there, id)
    }
  }
  const { added, problems } = await keepRedirects(await redirectsTo(reader, own))
  return { added, skipped: problems.map((why) => ({ what: 'redirects', why })) }
}

/** Images whose files one query finds. */
const BATCH = 500

/** From the paths of addresses to the images that came from them; `ids` are those of images here. */
async function redirectsTo(reader: Reader, ids: ReadonlyMap<string, number>): Promise<PictureRedirect[]> {
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
  const found = [...ids].flatMap(([address, id]) => {
    const file = files.get(id)
    const { pathname, search } = new URL(address)
    return file === undefined ? [] : [{ pathname, search, to: `${MEDIA_PATH}${file}` }]
  })
  // What their parameters do not tell apart is the same with any.
  return [...Map.groupBy(found, ({ pathname }) => pathname)].flatMap(([pathname, some]) => {
    const [first, ...others] = some
    if (first !== undefined && others.every(({ to }) => to === first.to)) return [{ from: pathname, to: first.to }]
    return some.map(({ search, to }) => ({ from: pathname + search, to }))
  })
}
