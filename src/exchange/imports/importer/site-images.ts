import { createHash } from 'node:crypto'
import { Failure } from '../../../base/errors.ts'
import type { Transaction } from '../../../storage/engine.ts'
import { type StoredTexts, type TextsDeps, textsOf } from '../readers/site/image-texts.ts'
import { forEachAtOnce } from '../readers/site/pace.ts'
import type { Skipped } from '../types.ts'
import type { Provenance } from './store-items.ts'

/** An image of a site, whole. */
export interface ImageToAdopt {
  readonly bytes: Buffer
  readonly alt: string
  /** Plain; made from its address if absent. */
  readonly title?: string | undefined
  /** Inline HTML; none if absent. */
  readonly caption?: string | undefined
  /** Made from the title if absent. */
  readonly slug?: string | undefined
  /** Address that it was fetched from. */
  readonly source: string
  /** ID there, to keep where it is free. */
  readonly wishedId: number | undefined
  readonly author: number
  /** Keeps in the transaction that stores it that its image was imported. */
  note(tx: Transaction, id: number): Promise<void>
}

/** Takes in an image: its ID, or why it is none. */
export type AdoptImage = (
  picture: ImageToAdopt,
) => Promise<{ readonly ok: true; readonly id: number } | { readonly ok: false; readonly reason: string }>

/** What images are fetched with. */
export interface ImageDeps extends TextsDeps {
  readonly adopt: AdoptImage
  /** Most bytes of an image. */
  readonly limit: number
  readonly owner: number
  /** Images that were imported before, by their address there. */
  readonly provenance: ReadonlyMap<string, Provenance>
  /** Those that are still here. */
  isHere(ids: readonly number[]): Promise<ReadonlySet<number>>
  /** Keeps in its transaction that an image was imported. */
  note(tx: Transaction, address: string, provenance: Provenance): Promise<void>
  /** The same for an address whose content was here already. */
  keep(address: string, provenance: Provenance): Promise<void>
  /** Texts that stand for images, by their address, if the site does not have them; none if absent. */
  readonly alts?: ReadonlyMap<string, string>
  readonly isDryRun: boolean
  onImage(): void
}

/** The images of a site that are here now. */
export interface SiteImages {
  /** IDs here by their address there. */
  readonly ids: ReadonlyMap<string, number>
  readonly fetched: number
  /** Those whose content another one had. */
  readonly shared: number
  readonly known: number
  readonly skipped: readonly Skipped[]
}

/** Fetches images by their addresses, each content once; `wanted` has their IDs there. */
export async function fetchImages(
  wanted: ReadonlyMap<string, number | undefined>,
  deps: ImageDeps,
): Promise<SiteImages> {
  const { provenance, isDryRun } = deps
  const here = await deps.isHere([...provenance.values()].map(({ item_id }) => item_id))
  const ids = new Map<string, number>()
  const byContent = new Map<string, Promise<number | undefined>>()
  for (const [address, { item_id, digest }] of provenance) {
    if (!here.has(item_id)) continue
    if (wanted.has(address)) ids.set(address, item_id)
    byContent.set(digest, Promise.resolve(item_id))
  }
  const known = ids.size
  const missing = [...wanted].filter(([address]) => !ids.has(address))
  const said = await textsOf(isDryRun ? [] : [...new Set(missing.flatMap(([, id]) => id ?? []))], deps)
  const counts = { fetched: 0, shared: 0 }
  const skipped = untoldNotes(said)
  await forEachAtOnce(isDryRun ? [] : missing, deps.concurrency, async ([source, wishedId]) => {
    const picture = {
      source,
      wishedId,
      alt: deps.alts?.get(source) ?? '',
      ...said.texts.get(wishedId ?? 0),
      author: deps.owner,
    }
    const found = await fetchOne(picture, deps, byContent)
    deps.onImage()
    if (!found.ok) return void skipped.push({ what: `picture ${source}`, why: found.why })
    counts[found.isShared ? 'shared' : 'fetched'] += 1
    ids.set(source, found.id)
    if (found.isShared) await deps.keep(source, { item_id: found.id, digest: found.digest })
  })
  return { ids, ...counts, known, skipped }
}

function untoldNotes({ problem }: StoredTexts): Skipped[] {
  const why = `what the site says of some could not be read: ${problem}; those came without titles, captions and alternative texts`
  return problem === '' ? [] : [{ what: 'pictures', why }]
}

type FoundImage =
  | { readonly ok: true; readonly id: number; readonly digest: string; readonly isShared: boolean }
  | { readonly ok: false; readonly why: string }

/** Times that an image is fetched which cannot be read: it may have been cut. */
const MOST_LOOKS = 4

/** Fetches an image until it can be read, or comes twice the same. */
async function fetchOne(
  picture: Omit<ImageToAdopt, 'bytes' | 'note'>,
  { adopt, note, client, api, limit }: ImageDeps,
  byContent: Map<string, Promise<number | undefined>>,
): Promise<FoundImage> {
  let last = ''
  let why = ''
  const address = api.reach(picture.source)
  for (let look = 1; look <= MOST_LOOKS; look += 1) {
    const sent = await client.ask(address, { want: 'bytes', limit })
    if (!sent.ok) return { ok: false, why: sent.why }
    const { status, bytes } = sent.response
    if (status !== 200) return { ok: false, why: `the site answered ${status}` }
    const digest = createHash('sha256').update(bytes).digest('base64url')
    const same = byContent.get(digest)
    const noted = (tx: Transaction, id: number): Promise<void> => note(tx, picture.source, { item_id: id, digest })
    const made =
      same ??
      adopt({ ...picture, bytes, note: noted }).then(
        (adopted) => {
          if (!adopted.ok) why = `it is no image that can be kept: ${adopted.reason}`
          return adopted.ok ? adopted.id : undefined
        },
        (error: unknown) => {
          if (!(error instanceof Failure) || error.code !== 'rest_unavailable') throw error
          why = 'the server was too busy to read it: import again to get it'
          byContent.delete(digest)
          return undefined
        },
      )
    byContent.set(digest, made)
    const id = await made
    if (id !== undefined) return { ok: true, id, digest, isShared: same !== undefined }
    // What cuts it may do so twice in the same place.
    if (digest === last && look > 2) break
    last = digest
  }
  return { ok: false, why: why || 'it is no image that can be kept' }
}
