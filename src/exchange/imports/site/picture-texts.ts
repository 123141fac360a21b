import { createHash } from 'node:crypto'
import { inlineHtml } from '../../../base/text/inline.ts'
import { plainText } from '../../../base/text/plain.ts'
import { slugify } from '../../../base/text/slug.ts'
import type { Storage, Transaction } from '../../../storage/engine.ts'
import { isObject } from '../json/members.ts'
import type { Asker } from './asker.ts'
import type { SiteApi } from './discover.ts'
import { forEachAtOnce } from './pace.ts'
import { idOf, objectsIn, type Raw } from './raw.ts'
import { keepTaken, putTaken, takenFrom } from './store.ts'

/** What a site is asked with for the texts of its images. */
export interface TextsParts {
  readonly asker: Asker
  readonly api: SiteApi
  readonly authorization: string | undefined
  readonly concurrency: number
}

/** What a site says of an image; absent members are not said. */
export interface PictureTexts {
  readonly alt?: string
  /** Plain. */
  readonly title?: string
  /** Inline HTML. */
  readonly caption?: string
  readonly slug?: string
}

/** An image that is here, of which the site says something else than before. */
export interface RetoldPicture {
  /** Its address at the site. */
  readonly address: string
  readonly id: number
  readonly texts: PictureTexts
  readonly digest: string
}

/** What the site said of its images before, and what becomes of it. */
export interface SaidBefore {
  /** Digests of what was said, by address. */
  readonly digests: ReadonlyMap<string, string>
  keep(said: readonly { readonly address: string; readonly digest: string }[]): Promise<void>
  /** Says of an image here what the site says now, and keeps that it does. */
  change(picture: RetoldPicture): Promise<void>
}

/** An image here of which its site says something else than before. */
interface RetoldHere {
  readonly id: number
  readonly source: string
  readonly texts: { readonly title?: string; readonly alt: string; readonly caption: string }
  readonly author: number
  note(tx: Transaction): Promise<void>
}

/** Says of an image here what its site says now, with a note in the same transaction. */
export type RetellPicture = (picture: RetoldHere) => Promise<void>

/** What the site said of its images at the imports before. */
export async function saidBefore(
  { storage, retellPicture }: { readonly storage: Storage; readonly retellPicture: RetellPicture },
  { origin, owner }: { readonly origin: string; readonly owner: number },
): Promise<SaidBefore> {
  const kind = 'picture-texts'
  const before = await takenFrom(storage, origin, kind)
  return {
    digests: new Map([...before].map(([address, { digest }]) => [address, digest])),
    keep: (said) =>
      keepTaken(
        storage,
        said.map(({ address, digest }) => ({ origin, kind, key: address, item_id: 0, digest })),
      ),
    change: ({ address, id, texts: { title, alt = '', caption = '' }, digest }) =>
      retellPicture({
        ...{ id, source: address, author: owner },
        texts: { ...(title !== undefined && { title }), alt, caption },
        note: (tx) => putTaken(tx, { origin, kind, key: address, item_id: 0, digest }),
      }),
  }
}

/** Images that are here: their ids here, and those there, by address. */
export interface HerePictures {
  readonly here: ReadonlyMap<string, number>
  readonly there: ReadonlyMap<string, number | undefined>
  /** Addresses of those that have come just now. */
  readonly fresh: ReadonlySet<string>
}

/** What a site says of its images, by id. */
export interface SaidTexts {
  readonly texts: ReadonlyMap<number, PictureTexts>
  /** Why not all of it could be read; '' where it was. */
  readonly problem: string
}

/** What stands instead of the digest of what could not be read: whatever the site says is new. */
const UNREAD = ''

/** Has images that are here say what the site says of them now, where that is something else than before. */
export async function followTexts(
  { here, there, fresh }: HerePictures,
  { texts, problem }: SaidTexts,
  { digests, keep, change }: SaidBefore,
): Promise<void> {
  const first: { readonly address: string; readonly digest: string }[] = []
  for (const [address, id] of here) {
    const idThere = there.get(address)
    const said = texts.get(idThere ?? 0)
    if (said === undefined) {
      if (problem !== '' && idThere !== undefined && fresh.has(address)) first.push({ address, digest: UNREAD })
      continue
    }
    const digest = createHash('sha256').update(JSON.stringify(said)).digest('base64url')
    const before = digests.get(address)
    if (before === undefined) first.push({ address, digest })
    else if (before !== digest) await change({ address, id, texts: said, digest })
  }
  await keep(first)
}

/** Characters: longest title that is kept, and longest text that is looked at. */
const LONGEST_TITLE = 2_000
const LONGEST_TEXT = 100_000

/** A text as it stands, or as it is shown. */
function textIn(value: unknown): string {
  const text = isObject(value) ? value['rendered'] : value
  return typeof text === 'string' && text.length <= LONGEST_TEXT ? text : ''
}

/** Images that are asked for at once. */
const PAGE = 100

/** Pages of images that are read of a Kalends at most. */
const PAGE_LIMIT = 1_000

/**
 * What a site says of its images, by id; a site that has no such list has none. Of a Kalends, whose list does not take
 * ids, each is asked for, or the whole list where there are many.
 */
export async function textsOf(ids: readonly number[], parts: TextsParts): Promise<SaidTexts> {
  const { asker, api, authorization, concurrency } = parts
  const texts = new Map<number, PictureTexts>()
  const take = (picture: Raw): void => void texts.set(idOf(picture) ?? 0, saidOf(picture))
  let problem = ''
  if (!api.isKalends) {
    for (let start = 0; start < ids.length; start += PAGE) {
      const read = await pageOf(parts, { include: ids.slice(start, start + PAGE).join(',') })
      if (read.pictures === undefined) return { texts, problem: read.problem }
      for (const picture of read.pictures) take(picture)
    }
  } else if (ids.length > PAGE) problem = await readWhole(parts, take)
  else
    await forEachAtOnce(ids, concurrency, async (id) => {
      const url = api.at(`/media/${id}`, {}, 'wp/v2')
      const asked = await asker.ask(url, { want: 'json', authorization, isUsable: isObject })
      if (!asked.ok) problem = asked.why
      else if (asked.response.status === 200 && isObject(asked.json)) take(asked.json)
    })
  return { texts, problem }
}

/** Takes all images that a Kalends shows: '', or why not all could be read. */
async function readWhole(parts: TextsParts, take: (picture: Raw) => void): Promise<string> {
  for (let page = 1; page <= PAGE_LIMIT; page += 1) {
    const { pictures = [], pages, problem } = await pageOf(parts, { page })
    if (problem !== '') return problem
    for (const picture of pictures) take(picture)
    if (page >= pages) break
  }
  return ''
}

/** A page of what a site says of its images: undefined where it does not show such a list, or where that cannot be read. */
async function pageOf(
  { asker, api, authorization }: TextsParts,
  query: Readonly<Record<string, string | number>>,
): Promise<{ readonly pictures: readonly Raw[] | undefined; readonly pages: number; readonly problem: string }> {
  const url = api.at('/media', { ...query, per_page: PAGE }, 'wp/v2')
  const asked = await asker.ask(url, { want: 'json', authorization, isUsable: (json) => typeof json === 'object' })
  if (!asked.ok) return { pictures: undefined, pages: 0, problem: asked.why }
  const isList = asked.response.status === 200 && Array.isArray(asked.json)
  const pages = Number(asked.response.headers['x-wp-totalpages'] ?? 1)
  return { pictures: isList ? objectsIn(asked.json) : undefined, pages, problem: '' }
}

function saidOf(picture: Raw): PictureTexts {
  const alt = plainText(textIn(picture['alt_text']))
  const title = plainText(textIn(picture['title'])).slice(0, LONGEST_TITLE)
  const caption = inlineHtml(textIn(picture['caption']))
  const slug = slugify(textIn(picture['slug']))
  return Object.fromEntries(Object.entries({ alt, title, caption, slug }).filter(([, text]) => text !== ''))
}
