import type { Caller } from '../auth/caller.ts'
import { mayCreateEntries, mayUpload } from '../auth/rights.ts'
import type { ImageRef } from '../fields/image.ts'
import { REASONS, type Reason } from '../fields/kind.ts'
import { refusedFailure } from '../http/params.ts'
import { translate } from '../i18n/translate.ts'
import type { Reader, Transaction } from '../storage/engine.ts'
import type { EntryColumns } from '../storage/schema.ts'
import { storedJson } from '../text/stored-json.ts'
import { pictureIdBy, picturesById } from './store-picture.ts'

/** A picture of another site that a write names, and the parameter that names it. */
export interface WantedPicture {
  readonly param: string
  readonly url: string
}

/** Who writes, and when. */
interface Cause {
  readonly caller: Caller
  /** Unix milliseconds. */
  readonly now: number
}

/** Pictures that were fetched for a write: their rows are made inside its transaction. */
export interface FetchedPictures {
  /** The id of the picture of an address: of the one that is there already, else of a new one. */
  place(tx: Transaction, url: string, cause: Cause): Promise<number>
}

/** What events, venues and organizers need of the media room. */
export interface Pictures {
  /** Name of the full-size file that an address of ours names, whether or not there is one; undefined for others. */
  fileOf(url: string): string | undefined
  /** The address as it is remembered of a fetched picture; undefined when nothing can be fetched from it. */
  sourceOf(url: string): string | undefined
  /**
   * Fetches the pictures and runs the write with them. What was fetched in vain, because the write failed or another
   * one came first, is taken away again.
   * @throws rest_invalid_param that names the parameter when one cannot be fetched or is no picture
   */
  bring<T>(errand: PictureFetch, write: (brought: FetchedPictures) => Promise<T>): Promise<T>
}

/** What is to be fetched for a write. */
export interface PictureFetch {
  readonly wanted: readonly WantedPicture[]
  /** Language of the message when that fails. */
  readonly language: string
}

/** What a picture that was named on a write is, before anything is fetched. */
export interface ImageQuestion {
  readonly ref: ImageRef | undefined
  /** The entry as it is; undefined on create. */
  readonly row: Pick<EntryColumns, 'image_recorded'> | undefined
  readonly caller: Caller
  readonly pictures: Pictures
}

/**
 * What is to be stored: no picture, the id of one that is here, or an address that is still to be fetched; undefined
 * for no change. `refused` for an id that is no picture and for an address that the caller may not have fetched; only
 * those with the right to upload name addresses of other sites (wire: events 8.2).
 */
export async function chooseImage(
  reader: Reader,
  { ref, row, caller, pictures }: ImageQuestion,
): Promise<ImageRef | undefined | 'refused'> {
  if (ref === undefined || ref.by === 'none') return ref
  if (isRecorded(ref, row)) return undefined
  if (ref.by === 'id') return (await isPicture(reader, ref.id)) ? ref : 'refused'
  const file = pictures.fileOf(ref.url)
  const own = file === undefined ? undefined : await pictureIdBy(reader, { file })
  if (own !== undefined) return { by: 'id', id: own }
  // Callers who may not write anyway are told so, and not what is wrong with the address.
  if (!mayUpload(caller.role)) return mayCreateEntries(caller.role) ? 'refused' : undefined
  const source_url = pictures.sourceOf(ref.url)
  if (source_url === undefined) return 'refused'
  const known = await pictureIdBy(reader, { source_url })
  return known === undefined ? { by: 'url', url: source_url } : { by: 'id', id: known }
}

/** Values of a write with the picture that was chosen in place of the one that was sent. */
export function withImage<Values extends { readonly image?: ImageRef }>(
  { image: _sent, ...others }: Values,
  chosen: ImageRef | undefined,
): Omit<Values, 'image'> & { readonly image?: ImageRef } {
  return { ...others, ...(chosen !== undefined && { image: chosen }) }
}

/** The pictures to be fetched for a value that was chosen. */
export function wantedPicture(param: string, image: ImageRef | undefined): readonly WantedPicture[] {
  return image?.by === 'url' ? [{ param, url: image.url }] : []
}

/** The columns of an entry that say which picture it has. */
export type ImageColumns = Pick<EntryColumns, 'image_id' | 'image_recorded'>

/** The columns that a chosen picture comes to; `{}` where none was sent. @throws rest_invalid_param when it has gone meanwhile */
export async function imageColumns(
  tx: Transaction,
  image: ImageRef | undefined,
  cause: Cause & { readonly brought?: FetchedPictures },
): Promise<Partial<ImageColumns>> {
  if (image === undefined) return {}
  if (image.by === 'none') return { image_id: null, image_recorded: null }
  if (image.by === 'id') {
    if (!(await isPicture(tx, image.id))) throw imageFailure('image', 'bad_image')
    return { image_id: image.id, image_recorded: null }
  }
  if (cause.brought === undefined) throw new Error('a picture was named that nobody has fetched')
  return { image_id: await cause.brought.place(tx, image.url, cause), image_recorded: null }
}

/** The 400 of a picture that cannot be taken, in a language. */
export function imageFailure(param: string, reason: Reason, language = 'en'): Error {
  const text = (key: Reason): string => translate(language, REASONS[key])
  return refusedFailure([{ name: param, code: 'rest_invalid_param', reason }], [param], text)
}

/** Brings nothing: for parts of the program that are opened without the media room. */
export const NO_PICTURES: Pictures = {
  fileOf: () => undefined,
  sourceOf: () => undefined,
  bring: (_errand, write) => write({ place: () => Promise.reject(new Error('nothing was brought')) }),
}

/** Whether a picture is the one that an import recorded for the entry, by its id or address there. */
function isRecorded(ref: ImageRef, row: Pick<EntryColumns, 'image_recorded'> | undefined): boolean {
  if ((row?.image_recorded ?? null) === null || row === undefined) return false
  const image = storedJson<Readonly<Record<string, unknown>>>(row.image_recorded ?? '')
  if (ref.by === 'id') return Number(image['id']) === ref.id
  return ref.by === 'url' && image['url'] === ref.url
}

async function isPicture(reader: Reader, id: number): Promise<boolean> {
  return (await picturesById(reader, [id])).has(id)
}
