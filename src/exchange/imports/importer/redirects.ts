import { MEDIA_PATH, sizesOf } from '../../../calendar/shared/stored-image.ts'
import type { Reader } from '../../../storage/engine.ts'
import { inList } from '../../../storage/statement-template.ts'
import type { SiteApi } from '../readers/site/discover.ts'
import { ownAddress } from '../readers/site/shown-images.ts'
import type { Stage } from '../readers/site/stage.ts'
import type { Skipped } from '../types.ts'
import type { ImportedImages } from './images.ts'

/** A path of a site that is moved here, perhaps with a query, and the path of an image here. */
export interface ImageRedirect {
  readonly from: string
  readonly to: string
}

/** Keeps redirects, except where the operator has one already: how many are new, and why others could not be stored. */
export type KeepRedirects = (
  redirects: readonly ImageRedirect[],
) => Promise<{ readonly added: number; readonly problems: readonly string[] }>

/** Dependencies of old paths. */
export interface OldPathDeps {
  readonly reader: Reader
  readonly api: Pick<SiteApi, 'root' | 'reach'>
  readonly keepRedirects: KeepRedirects
  readonly sizes: Stage['sizes']
}

/** How many redirects are new, and why others are not there. */
export interface OldPaths {
  readonly added: number
  readonly skipped: readonly Skipped[]
}

/** An image here that an address of the site stands for, and the size of it where that is a smaller one. */
interface ImageHere {
  readonly id: number
  readonly size?: string
}

/**
 * Has the paths that images had at the site lead to them, and those of their smaller sizes to the same size, else to the
 * whole image; other sites keep theirs.
 */
export async function keepOldPaths(
  { reader, api, keepRedirects, sizes }: OldPathDeps,
  pictures: readonly Pick<ImportedImages, 'ids'>[],
): Promise<OldPaths> {
  const own = new Map<string, ImageHere>()
  const ids = new Map(pictures.flatMap((one) => [...one.ids]))
  for (const [address, id] of ids) {
    const there = ownAddress(address, api)
    if (there !== undefined) own.set(there, { id })
  }
  for (const [address, { picture, name }] of sizes) {
    const [there, id] = [ownAddress(address, api), ids.get(picture)]
    if (there !== undefined && id !== undefined && !own.has(there)) own.set(there, { id, size: name })
  }
  const { added, problems } = await keepRedirects(await redirectsTo(reader, own))
  return { added, skipped: problems.map((why) => ({ what: 'redirects', why, isNote: true })) }
}

/** Images whose files one query finds. */
const BATCH = 500

/** From the paths of addresses to the files here that stand for them. */
async function redirectsTo(reader: Reader, own: ReadonlyMap<string, ImageHere>): Promise<ImageRedirect[]> {
  const files = await filesOf(reader, [...new Set([...own.values()].map(({ id }) => id))])
  const found = [...own].flatMap(([address, { id, size = '' }]) => {
    const named = files.get(id)
    const file = named?.get(size) ?? named?.get('')
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

/** The files of images by the names of their sizes, '' for the whole image; by the IDs of the images. */
async function filesOf(
  reader: Reader,
  wanted: readonly number[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, string>>> {
  const files = new Map<number, ReadonlyMap<string, string>>()
  for (let start = 0; start < wanted.length; start += BATCH) {
    const some = wanted.slice(start, start + BATCH)
    const query = reader.db
      .selectFrom('media')
      .select(['id', 'file', 'sizes'])
      .where(inList(reader.engine, 'media.id', some))
    for (const row of await reader.all(query)) {
      const smaller = sizesOf(row).map(([name, { file }]) => [name, file] as const)
      files.set(row.id, new Map([...smaller, ['', row.file]]))
    }
  }
  return files
}
