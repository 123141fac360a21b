import { storedJson } from '../../base/text/stored-json.ts'
import { type Caller, mayCreateEntries, mayUpload, requireScope } from '../../http/auth/rights.ts'
import { refusedFailure } from '../../http/params.ts'
import type { ImageRef } from '../../model/kinds/image.ts'
import type { Reason } from '../../model/kinds/kind.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import type { EntryColumns } from '../../storage/schema.ts'
import { imageIdBy, imagesById } from './stored-image.ts'

/** An image of another site that a write names, and the parameter that names it. */
export interface WantedImage {
  readonly param: string
  readonly url: string
}

/** Who writes, and when. */
interface Cause {
  readonly caller: Caller
  /** UTC text. */
  readonly at: string
}

/** Images that were fetched for a write: their rows are made inside its transaction. */
export interface FetchedImages {
  /** The ID of the image with this address: an existing one, or else a new one. */
  place(tx: Transaction, url: string, cause: Cause): Promise<number>
}

/** What events, venues and organizers need of the media module. */
export interface Images {
  /** Name of the full-size file that an address of ours names, whether or not there is one; undefined for others. */
  fileOf(url: string): string | undefined
  /** The normalized address under which a fetched image is stored; undefined when nothing can be fetched from it. */
  sourceOf(url: string): string | undefined
  /**
   * Fetches the images and runs the write with them. Images that turn out not to be needed, because the write failed or
   * another one was first, are removed again.
   * @throws rest_invalid_param naming the parameter when one cannot be fetched or is not an image
   */
  fetchFor<T>(fetch: ImageFetch, write: (fetched: FetchedImages) => Promise<T>): Promise<T>
}

/** The images to fetch for a write. */
export interface ImageFetch {
  readonly wanted: readonly WantedImage[]
  /** Language of the message when that fails. */
  readonly language: string
}

/** The image named by a write, before anything is fetched. */
interface ImageQuestion {
  readonly ref: ImageRef
  /** The stored entry; undefined on create. */
  readonly row: Pick<EntryColumns, 'image_recorded'> | undefined
  readonly caller: Caller
  readonly pictures: Images
}

/** The values of a write that names an image, and of whom. */
export interface ImageChoice<Values> extends Omit<ImageQuestion, 'ref'> {
  /** The image that was sent; it is among the values as well. */
  readonly image: ImageRef
  readonly values: Values & { readonly image?: ImageRef }
}

/**
 * The values of a write with the image to store in place of the one that was sent: none, the ID of an existing one, or an
 * address to fetch; without any where that changes nothing. `refused` for an ID that is not an image and for an address that
 * the caller may not have fetched: naming addresses of other sites needs the right to upload (wire: events 8.2).
 * @throws insufficient_scope
 */
export async function withChosenImage<Values extends object>(
  reader: Reader,
  { image: ref, values, ...question }: ImageChoice<Values>,
): Promise<(Omit<Values, 'image'> & { readonly image?: ImageRef }) | 'refused'> {
  const { image: _sent, ...others } = values
  const image = await chooseImage(reader, { ref, ...question })
  return image === 'refused' ? image : { ...others, ...(image !== undefined && { image }) }
}

async function chooseImage(
  reader: Reader,
  { ref, row, caller, pictures }: ImageQuestion,
): Promise<ImageRef | undefined | 'refused'> {
  if (ref.by === 'none') return ref
  if (isRecorded(ref, row)) return undefined
  if (ref.by === 'id') return (await isImage(reader, ref.id)) ? ref : 'refused'
  const file = pictures.fileOf(ref.url)
  const own = file === undefined ? undefined : await imageIdBy(reader, { file })
  if (own !== undefined) return { by: 'id', id: own }
  // Callers who may not write get that answer, not what is wrong with the address.
  if (!mayUpload(caller.role)) return mayCreateEntries(caller.role) ? 'refused' : undefined
  const source_url = pictures.sourceOf(ref.url)
  if (source_url === undefined) return 'refused'
  const known = await imageIdBy(reader, { source_url })
  if (known !== undefined) return { by: 'id', id: known }
  requireScope(caller, 'media:write')
  return { by: 'url', url: source_url }
}

/** The images to be fetched for values that were chosen, each with its parameter. */
export function wantedImages(
  chosen: readonly (readonly [param: string, image: ImageRef | undefined])[],
): readonly WantedImage[] {
  return chosen.flatMap(([param, image]) => (image?.by === 'url' ? [{ param, url: image.url }] : []))
}

/** The columns of an entry that say which image it has. */
export type ImageColumns = Pick<EntryColumns, 'image_id' | 'image_recorded'>

/** The image columns for a chosen image. @throws rest_invalid_param when it was deleted meanwhile */
export async function imageColumns(
  tx: Transaction,
  image: ImageRef,
  cause: Cause & { readonly fetched?: FetchedImages },
): Promise<ImageColumns> {
  if (image.by === 'none') return { image_id: null, image_recorded: null }
  if (image.by === 'id') {
    if (!(await isImage(tx, image.id))) throw imageFailure('image', 'bad_image')
    return { image_id: image.id, image_recorded: null }
  }
  if (cause.fetched === undefined) throw new Error('an image is named that was not fetched')
  return { image_id: await cause.fetched.place(tx, image.url, cause), image_recorded: null }
}

/** The 400 for an image that cannot be used, in a language. */
export function imageFailure(param: string, reason: Reason, language = 'en'): Error {
  return refusedFailure([{ name: param, code: 'rest_invalid_param', reason }], [param], language)
}

/** Fetches nothing: for parts of the program that are opened without the media module. */
export const NO_IMAGES: Images = {
  fileOf: () => undefined,
  sourceOf: () => undefined,
  fetchFor: (_fetch, write) => write({ place: () => Promise.reject(new Error('nothing was fetched')) }),
}

/** Whether an image is the one that an import recorded for the entry, by its ID or address there. */
function isRecorded(ref: ImageRef, row: Pick<EntryColumns, 'image_recorded'> | undefined): boolean {
  if ((row?.image_recorded ?? null) === null || row === undefined) return false
  const image = storedJson<Readonly<Record<string, unknown>>>(row.image_recorded ?? '')
  if (ref.by === 'id') return Number(image['id']) === ref.id
  return ref.by === 'url' && image['url'] === ref.url
}

async function isImage(reader: Reader, id: number): Promise<boolean> {
  return (await imagesById(reader, [id])).has(id)
}
