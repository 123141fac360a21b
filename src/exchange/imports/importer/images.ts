import { createHash } from 'node:crypto'
import { Failure } from '../../../base/errors.ts'
import { withValues } from '../../../base/i18n/translate.ts'
import type { AdoptedImage } from '../../../calendar/media/index.ts'
import type { Storage, Transaction } from '../../../storage/engine.ts'
import { forEachAtOnce } from '../readers/site/pace.ts'
import type { Skipped } from '../types.ts'
import { deleteProvenance, type Provenance, provenanceOf, putProvenance, storeProvenance } from './store-items.ts'
import { idsThere } from './store-origins.ts'

/** An image from elsewhere, whole; its ID there is kept where it is free, undefined where it has none. */
export type ImageToAdopt = Omit<AdoptedImage, 'now'>

/** Takes in an image: its ID, or why it is none. */
export type AdoptImage = (
  picture: ImageToAdopt,
) => Promise<{ readonly ok: true; readonly id: number } | { readonly ok: false; readonly reason: string }>

/** Why there is no image, and whether there may be one soon. */
interface NoImage {
  readonly ok: false
  readonly why: string
  readonly isLater?: boolean
}

/** The bytes of an image, or why there are none. */
export type FetchedImage = { readonly ok: true; readonly bytes: Buffer } | NoImage

/** What is known of an image where it comes from. */
export type ImageTexts = Partial<Omit<ImageToAdopt, 'bytes' | 'source' | 'author' | 'note'>>

/** How images are imported. */
export interface ImageImport {
  readonly storage: Storage
  readonly adoptImage: AdoptImage
  /** User who owns them. */
  readonly owner: number
  /** Where they come from, in the table of provenance. */
  readonly origin: string
  readonly atOnce: number
  /** Times that an image is fetched which cannot be read: it may have been cut. */
  readonly looks: number
  readonly isDryRun?: boolean
  fetch(address: string): Promise<FetchedImage>
  /** Finds out what is known of images that are not here yet; nothing if absent. */
  describe?(missing: readonly string[]): Promise<(address: string) => ImageTexts>
  /** Called after each image that was not here. */
  onImage?(): void
}

/** The images of addresses that are here now. */
export interface ImportedImages {
  /** IDs by address. */
  readonly ids: ReadonlyMap<string, number>
  readonly fetched: number
  /** Those whose content another one had. */
  readonly shared: number
  readonly known: number
  /** Those that could not be had. */
  readonly notes: readonly Skipped[]
  /** How many of them may be had soon; those that were asked for in vain too often count no more. */
  readonly later: number
}

/** Kind of images in the table of provenance. */
const KIND = 'picture'
/** Kind of the addresses that were asked for in vain; their `item_id` counts how often. */
const FAILED = 'picture-failed'
/** Imports that ask for an image in vain before it counts as lost. */
const MOST_FAILURES = 8

/** Brings in the images that are not here yet, each content once. */
export async function importImages(wanted: ReadonlySet<string>, how: ImageImport): Promise<ImportedImages> {
  const { storage, origin } = how
  const [provenance, failed] = [await provenanceOf(storage, origin, KIND), await provenanceOf(storage, origin, FAILED)]
  const here = await idsThere(
    storage,
    'media',
    [...provenance.values()].map(({ item_id }) => item_id),
  )
  const ids = new Map<string, number>()
  const byContent = new Map<string, Promise<Adopted>>()
  for (const [address, { item_id: id, digest }] of provenance) {
    if (!here.has(id)) continue
    if (wanted.has(address)) ids.set(address, id)
    byContent.set(digest, Promise.resolve({ ok: true, id }))
  }
  const known = ids.size
  const missing = how.isDryRun === true ? [] : [...wanted].filter((address) => !ids.has(address))
  const textsOf = await how.describe?.(missing)
  const notes: Skipped[] = []
  const counts = { fetched: 0, shared: 0, later: 0 }
  await forEachAtOnce(missing, how.atOnce, async (address) => {
    const found = await importOne(address, { ...how, byContent, texts: textsOf?.(address) })
    how.onImage?.()
    if (!found.ok) {
      notes.push({ what: `image ${address}`, why: found.why })
      if (found.isLater !== true) return
      const item_id = (failed.get(address)?.item_id ?? 0) + 1
      await storeProvenance(storage, [{ origin, kind: FAILED, key: address, item_id, digest: '' }])
      if (item_id <= MOST_FAILURES) counts.later += 1
      return
    }
    counts[found.isShared ? 'shared' : 'fetched'] += 1
    ids.set(address, found.image.item_id)
    if (found.isShared) await storeProvenance(storage, [{ origin, kind: KIND, key: address, ...found.image }])
    const former = formerNames(provenance, address, found.image).filter((one) => !wanted.has(one))
    await deleteProvenance(storage, { origin, kind: KIND, keys: former })
    if (failed.has(address)) await deleteProvenance(storage, { origin, kind: FAILED, keys: [address] })
  })
  return { ids, ...counts, known, notes }
}

/** Names that an image had before, when only the signature in its address has changed. */
function formerNames(of: ReadonlyMap<string, Provenance>, address: string, { digest }: Provenance): string[] {
  const place = address.replace(/\?.*$/s, '')
  if (place === address) return []
  return [...of].flatMap(([one, known]) => (known.digest === digest && one.startsWith(`${place}?`) ? [one] : []))
}

type Adopted = { readonly ok: true; readonly id: number } | NoImage

interface ImportingOne extends ImageImport {
  readonly byContent: Map<string, Promise<Adopted>>
  readonly texts: ImageTexts | undefined
}

/** Fetches an image until it can be read, or comes twice the same. */
async function importOne(
  source: string,
  { fetch, adoptImage, origin, owner: author, looks, byContent, texts }: ImportingOne,
): Promise<{ readonly ok: true; readonly image: Provenance; readonly isShared: boolean } | NoImage> {
  for (let look = 1, last = ''; ; look += 1) {
    const fetched = await fetch(source)
    if (!fetched.ok) return fetched
    const { bytes } = fetched
    const digest = createHash('sha256').update(bytes).digest('base64url')
    const same = byContent.get(digest)
    const note = (tx: Transaction, item_id: number): Promise<void> =>
      putProvenance(tx, { origin, kind: KIND, key: source, item_id, digest })
    const adopting = same ?? adopt({ alt: '', wishedId: undefined, ...texts, bytes, source, author, note }, adoptImage)
    byContent.set(digest, adopting)
    const adopted = await adopting
    if (adopted.ok) return { ok: true, image: { item_id: adopted.id, digest }, isShared: same !== undefined }
    if (adopted.isLater === true) byContent.delete(digest)
    // What cuts it may do so twice in the same place.
    if (look >= looks || (look > 2 && digest === last)) return adopted
    last = digest
  }
}

/** Attempts to store an image while the server is too busy. */
const MOST_TRIES = 3

async function adopt(picture: ImageToAdopt, adoptImage: AdoptImage): Promise<Adopted> {
  for (let tried = 1; tried <= MOST_TRIES; tried += 1) {
    try {
      const adopted = await adoptImage(picture)
      if (adopted.ok) return adopted
      return { ok: false, why: withValues('import.problem.noImage', { reason: adopted.reason }) }
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'rest_unavailable') throw error
    }
  }
  return { ok: false, why: 'import.problem.busyForImage', isLater: true }
}
