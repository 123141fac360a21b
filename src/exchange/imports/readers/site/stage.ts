import type { ImportedKind, Skipped } from '../../types.ts'
import { seriesAt } from '../json/series-dates.ts'
import { type Access, ALL_TIME, EVERY_STATUS } from './access.ts'
import { addHidden } from './hidden.ts'
import { isRedacted, nameOf } from './normalise.ts'
import { forEachAtOnce } from './pace.ts'
import { idOf, idOfKey, imageOf, keyOf, type Raw } from './raw.ts'
import { ShownCollector, type ShownImages } from './shown-images.ts'
import { openSpool, type Spool } from './spool.ts'
import { isGone, itemById, type Walking, walk } from './walk.ts'

/** Everything that a site has, in files. */
export interface Stage {
  readonly spools: Readonly<Record<ImportedKind, Spool>>
  /** Keys of the dates of each event, the event itself first where it is there; by the ID of the event. */
  readonly events: ReadonlyMap<number, readonly string[]>
  /** Addresses of images with their IDs. */
  readonly pictures: ReadonlyMap<string, number | undefined>
  /** What the smaller sizes of these images are sizes of, by their addresses. */
  readonly sizes: ReadonlyMap<string, ImageSize>
  readonly authors: ReadonlySet<string>
  /** IDs of events that a password protects. */
  readonly locked: ReadonlySet<number>
  readonly shown: ShownImages
  readonly highestId: number
  /** Kinds of which something could not be read. */
  readonly incomplete: ReadonlySet<ImportedKind>
  readonly skipped: readonly Skipped[]
  close(): Promise<void>
}

/** A smaller size of an image: the address of the image, and the wire's name of the size. */
export interface ImageSize {
  readonly picture: string
  readonly name: string
}

/** The lists of a site, in the order in which they are read. */
export const LISTS: readonly { readonly kind: ImportedKind; readonly name: string }[] = [
  { kind: 'category', name: 'categories' },
  { kind: 'tag', name: 'tags' },
  { kind: 'venue', name: 'venues' },
  { kind: 'organizer', name: 'organizers' },
  { kind: 'event', name: 'events' },
]

/** What a site is read with. */
export interface StageDeps extends Omit<Walking, 'spool'> {
  readonly access: Access
  /** Folder for the files. */
  readonly folder: string
}

/** Reads everything that a site has. */
export async function readSite(deps: StageDeps): Promise<Stage> {
  const spools = await openSpools(deps.folder)
  const close = async (): Promise<void> => void (await Promise.all(Object.values(spools).map((spool) => spool.close())))
  try {
    return { ...(await readInto(spools, deps)), spools, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function readInto(spools: Stage['spools'], deps: StageDeps): Promise<Omit<Stage, 'spools' | 'close'>> {
  const skipped: Skipped[] = []
  const incomplete = new Set<ImportedKind>()
  for (const { kind, name } of LISTS) {
    const missing = await walk({ name, query: queryOf(kind, deps) }, { ...deps, spool: spools[kind] })
    if (missing === '') continue
    incomplete.add(kind)
    skipped.push({ what: name, why: `some may be missing: ${missing}` })
  }
  if (!incomplete.has('event')) {
    const unread = await addHidden({ ...deps, spool: spools.event })
    skipped.push(...unread)
    if (unread.length > 0) incomplete.add('event')
  }
  skipped.push(...(await completeSeries(deps, spools.event)))
  const locked = await openLocked(deps, spools.event, skipped)
  return { ...(await surveyed(spools, deps.api)), locked, incomplete, skipped }
}

async function openSpools(folder: string): Promise<Stage['spools']> {
  const [category, tag, venue, organizer, event] = await Promise.all(LISTS.map(({ kind }) => openSpool(folder, kind)))
  if (!category || !tag || !venue || !organizer || !event) throw new Error('each list has a spool')
  return { category, tag, venue, organizer, event }
}

/** Parameters for all of all time, and of all states where they are shown. */
function queryOf(kind: ImportedKind, { access }: Pick<StageDeps, 'access'>): Readonly<Record<string, string | number>> {
  if (kind === 'category' || kind === 'tag') return { hide_empty: 'false' }
  const status = access.isEditor ? { status: EVERY_STATUS } : {}
  return kind === 'event' ? { ...status, ...ALL_TIME } : status
}

/** The event that recurs is in no list when its first date was taken out. */
async function completeSeries(deps: StageDeps, spool: Spool): Promise<readonly Skipped[]> {
  const skipped: Skipped[] = []
  if (!deps.api.isKalends) return skipped
  const heads = new Set<number>()
  const ids = new Set(spool.keys().map(idOfKey))
  for (const key of spool.keys()) {
    const series = seriesAt({ members: await spool.get(key), place: { file: '', path: '' } })
    if (series !== undefined && !ids.has(series.id)) heads.add(series.id)
  }
  await forEachAtOnce(heads, deps.concurrency, async (id) => {
    const { item, why } = await itemById('events', id, deps)
    const key = item === undefined ? undefined : keyOf(item)
    if (item === undefined || key === undefined) skipped.push({ what: `event ${id}`, why })
    else await spool.put(key, item)
  })
  return skipped
}

/** The IDs of events that a password protects; their content is asked for with the rights of an editor. */
async function openLocked(deps: StageDeps, spool: Spool, skipped: Skipped[]): Promise<Set<number>> {
  const locked = new Set<number>()
  const hidden: string[] = []
  for (const key of spool.keys()) {
    const item = await spool.get(key)
    if (isRedacted(item)) hidden.push(key)
    // A Kalends says so to its editors, and hides nothing from them.
    if (item['has_password'] === true || isRedacted(item)) locked.add(idOfKey(key)).add(groupOf(item))
  }
  if (!deps.access.isEditor) return locked
  await forEachAtOnce(hidden, deps.concurrency, async (key) => {
    const id = idOfKey(key)
    const found = await itemById('events', id, { ...deps, query: { context: 'edit' } })
    if (found.item !== undefined && !isRedacted(found.item) && keyOf(found.item) === key)
      await spool.put(key, found.item)
    else if (isGone(found)) spool.drop(key)
    else skipped.push({ what: nameOf('event', await spool.get(key)), why: 'a password hides its content' })
  })
  return locked
}

/** The ID of the event that an item is a date of: its own for plain events. */
function groupOf(item: Raw): number {
  const series = seriesAt({ members: item, place: { file: '', path: '' } })
  return series?.id ?? idOf(item) ?? 0
}

type Survey = Pick<Stage, 'events' | 'pictures' | 'sizes' | 'authors' | 'shown' | 'highestId'>

/** What the items name. */
async function surveyed(spools: Stage['spools'], api: StageDeps['api']): Promise<Survey> {
  const events = new Map<number, string[]>()
  const pictures = new Map<string, number | undefined>()
  const sizes = new Map<string, ImageSize>()
  const authors = new Set<string>()
  let highestId = 0
  const shown = new ShownCollector(api)
  for (const kind of ['venue', 'organizer', 'event'] as const) {
    for (const key of spools[kind].keys()) {
      const item = await spools[kind].get(key)
      highestId = Math.max(highestId, idOfKey(key))
      collectUses(item, { pictures, sizes, authors })
      shown.add(item)
      if (kind !== 'event') continue
      const group = groupOf(item)
      const keys = events.get(group) ?? []
      if (idOf(item) === group) keys.unshift(key)
      else keys.push(key)
      events.set(group, keys)
    }
  }
  for (const id of pictures.values()) highestId = Math.max(highestId, id ?? 0)
  return { events, pictures, sizes, authors, shown, highestId }
}

function collectUses(
  item: Raw,
  {
    pictures,
    sizes,
    authors,
  }: {
    pictures: Map<string, number | undefined>
    sizes: Map<string, ImageSize>
    authors: Set<string>
  },
): void {
  const author = String(item['author'] ?? '')
  if (/^[1-9]\d{0,9}$/.test(author)) authors.add(author)
  const picture = imageOf(item)
  if (picture === undefined) return
  pictures.set(picture.url, picture.id)
  for (const [address, name] of picture.sizes) sizes.set(address, { picture: picture.url, name })
}
