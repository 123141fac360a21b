import { fail } from '../../base/errors.ts'
import type { AddressGate } from '../../base/outgoing/addresses.ts'
import { plainAddress } from '../../base/outgoing/request.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import type { Storage, Transaction } from '../../storage/engine.ts'
import { isInsideTransaction } from '../../storage/reads.ts'
import { type FetchedImages, type ImageFetch, type Images, imageFailure } from '../shared/image.ts'
import { type ImageRow, imageIdBy } from '../shared/stored-image.ts'
import { boundedQueue } from './bounded-queue.ts'
import type { Decoder } from './decoder.ts'
import type { Developed, Developing } from './develop.ts'
import { fetchImage } from './fetch.ts'
import { destroyImage, type ImageRemoval, removeForgotten, removeUnnamed, restoreImage } from './file-keeping.ts'
import type { ImageFiles } from './image-files.ts'
import { fileNamed, titleOfAddress } from './rules.ts'
import { filesOf, insertImage, type NewImage } from './store.ts'

/** Dependencies of the service of images. */
export interface MediaServiceDeps {
  readonly storage: Storage
  readonly files: ImageFiles
  readonly decoder: Pick<Decoder, 'develop'>
  /** Which addresses images may be fetched from. */
  readonly gate: AddressGate
  /** Most bytes of an image as it is sent or fetched. */
  readonly limit: number
  /** Takes what went wrong with files when nobody waits for it any more. */
  report(error: unknown): void
}

/** An uploaded file and its texts. */
export interface SentFile {
  readonly bytes: Buffer
  readonly title: string
  readonly alt: string
  /** User who sends it. */
  readonly author: number
  /** Unix milliseconds. */
  readonly now: number
  /** Language of the message when it is no image. */
  readonly language: string
}

/** An image from an import. */
export interface AdoptedImage {
  readonly bytes: Buffer
  readonly alt: string
  /** Plain; the name of the file in its address if absent. */
  readonly title?: string | undefined
  /** Inline HTML; none if absent. */
  readonly caption?: string | undefined
  /** Made from the title if absent. */
  readonly slug?: string | undefined
  /** Address that it was fetched from. */
  readonly source: string
  readonly wishedId: number | undefined
  /** User who owns it. */
  readonly author: number
  /** Unix milliseconds. */
  readonly now: number
  /** Keeps in the transaction that makes its row where it came from: what ends between the two would make it twice. */
  note(tx: Transaction, id: number): Promise<void>
}

/**
 * Keeps rows and files of images together. Each row has files of its own, which come before it and go after it, so a
 * reader finds no row without files. What a crash leaves between the two is removed by the sweep.
 */
export interface MediaService {
  /** Takes in a file; `commit` runs the job that makes its row. @throws rest_invalid_param that names `file` when it is no image */
  add<T>(sent: SentFile, commit: (job: (tx: Transaction) => Promise<ImageRow>) => Promise<T>): Promise<T>
  /** Takes in an image of another site, with the ID that it is to have there if that is free. */
  adopt(adopted: AdoptedImage): Promise<{ readonly ok: true; readonly id: number } | Extract<Developing, { ok: false }>>
  /**
   * Runs the write that deletes the row of an image; its files follow, hidden where the write keeps the row with
   * `keepImage`. `now` is in Unix milliseconds.
   */
  remove<T>(row: ImageRow, now: number, write: () => Promise<T>): Promise<T>
  /**
   * Restores an image from the trash with its files and its ID.
   * @throws precondition_failed where it is no longer there or its files are gone, rest_forbidden
   */
  restore(removal: ImageRemoval): Promise<ImageRow>
  /** Deletes an image in the trash permanently. @throws precondition_failed, rest_forbidden */
  destroy(removal: ImageRemoval): Promise<void>
  /** What events, venues and organizers need. */
  readonly pictures: Images
}

/** Of the images that one write has fetched; times in milliseconds. What comes is held until the write is done. */
const FETCH = { patience: 15_000, allPatience: 60_000, addresses: 20, bytes: 32 * 1024 ** 2 } as const

/** Writes that fetch images at the same time, and those that wait for them. */
const FETCHING_WRITES = { places: 4, waiting: 16, weight: 16, patience: 30_000 } as const

/** Opens the service; one for each process. */
export function openMediaService(deps: MediaServiceDeps): MediaService {
  const inTurn = boundedQueue(FETCHING_WRITES)
  return {
    add: async ({ bytes, title, alt, author, now, language }, commit) => {
      const image = await develop(deps.decoder, bytes, { param: 'file', language })
      const facts = { title, alt, author_id: author, created_at: utcFromMillis(now), source_url: null }
      return withFiles(deps, [image], () => commit((tx) => insertImage(tx, columnsOf(image, facts))))
    },
    adopt: async ({ bytes, alt, title, source, author, now, note, ...there }) => {
      const made = await deps.decoder.develop(bytes)
      if (!made.ok) return made
      const facts = { title: title ?? titleOfAddress(source), alt, author_id: author, source_url: source }
      const columns = columnsOf(made.picture, { ...facts, created_at: utcFromMillis(now) })
      const row = await withFiles(deps, [made.picture], () =>
        deps.storage.write(async (tx) => {
          const inserted = await insertImage(tx, columns, there)
          await note(tx, inserted.id)
          return inserted
        }),
      )
      return { ok: true, id: row.id }
    },
    remove: async (row, now, write) => {
      const done = await write()
      await removeUnnamed(deps, [filesOf(row)])
      await removeForgotten(deps, now)
      return done
    },
    restore: (removal) => restoreImage(deps, removal),
    destroy: (removal) => destroyImage(deps, removal),
    pictures: {
      fileOf: fileNamed,
      sourceOf: plainAddress,
      fetchFor: async (fetch, write) => {
        refuseSurplus(fetch)
        if (fetch.wanted.length === 0) return write(fetchedImages(new Map()))
        if (isInsideTransaction()) throw fail('batch_without_media')
        return inTurn(1, async () => {
          const images = await fetchAll(fetch, deps)
          return withFiles(deps, [...images.values()], () => write(fetchedImages(images)))
        })
      },
    },
  }
}

async function develop(
  decoder: MediaServiceDeps['decoder'],
  bytes: Buffer,
  { param, language }: { readonly param: string; readonly language: string },
): Promise<Developed> {
  const made = await decoder.develop(bytes)
  if (!made.ok) throw imageFailure(param, made.reason, language)
  return made.picture
}

/** Puts the files of new images in place and runs the write; afterwards those that no row names are removed again. */
async function withFiles<T>(deps: MediaServiceDeps, images: readonly Developed[], write: () => Promise<T>) {
  try {
    for (const { files } of images) for (const { name, bytes } of files) await deps.files.put(name, bytes)
    return await write()
  } finally {
    await removeUnnamed(
      deps,
      images.map(({ files }) => files.map(({ name }) => name)),
    )
  }
}

/** Fetches and decodes what a write names, one after the other, by address. @throws rest_invalid_param that names the parameter */
async function fetchAll(
  { wanted, language }: ImageFetch,
  { gate, limit, decoder }: MediaServiceDeps,
): Promise<ReadonlyMap<string, Developed>> {
  const images = new Map<string, Developed>()
  const signal = AbortSignal.timeout(FETCH.allPatience)
  let held = 0
  for (const { param, url } of wanted) {
    if (images.has(url)) continue
    const fetched = await fetchImage(url, { gate, limit, patience: FETCH.patience, signal })
    if (!fetched.ok) throw imageFailure(param, fetched.reason, language)
    const image = await develop(decoder, fetched.bytes, { param, language })
    held += image.files.reduce((sum, { bytes }) => sum + bytes.length, 0)
    if (held > FETCH.bytes && images.size > 0) throw imageFailure(param, 'too_many_bytes', language)
    images.set(url, image)
  }
  return images
}

/** @throws rest_invalid_param that names the parameter with the first address too many */
function refuseSurplus({ wanted, language }: ImageFetch): void {
  const urls = new Set<string>()
  for (const { param, url } of wanted) {
    if (urls.add(url).size > FETCH.addresses) throw imageFailure(param, 'too_many_addresses', language)
  }
}

/** Rows of fetched images are made in the transaction of what names them: if it fails, there are none. */
function fetchedImages(images: ReadonlyMap<string, Developed>): FetchedImages {
  return {
    place: async (tx, url, { caller, at }) => {
      const known = await imageIdBy(tx, { source_url: url })
      if (known !== undefined) return known
      const image = images.get(url)
      if (image === undefined) throw new Error('this image was not fetched')
      const facts = { title: titleOfAddress(url), alt: '', author_id: caller.id, source_url: url }
      return (await insertImage(tx, columnsOf(image, { ...facts, created_at: at }))).id
    },
  }
}

type Facts = Pick<NewImage, 'title' | 'alt' | 'author_id' | 'created_at' | 'source_url'>

function columnsOf({ files, mime, width, height, sizes }: Developed, facts: Facts): NewImage {
  const [full] = files
  if (full === undefined) throw new Error('an image has at least one file')
  const { name: file, bytes } = full
  return { ...facts, mime, width, height, filesize: bytes.length, file, sizes: JSON.stringify(sizes) }
}
