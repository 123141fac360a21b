import { plainText } from '../../../../base/text/html.ts'
import { inlineHtml } from '../../../../base/text/inline.ts'
import { slugify } from '../../../../base/text/slug.ts'
import { isObject } from '../json/members.ts'
import type { SiteApi } from './discover.ts'
import { forEachAtOnce } from './pace.ts'
import { idOf, objectsIn, type Raw } from './raw.ts'
import type { SiteClient } from './site-client.ts'

/** What a site is asked with for the texts of its images. */
export interface TextsDeps {
  readonly client: SiteClient
  readonly api: SiteApi
  readonly authorization: string | undefined
  readonly concurrency: number
}

/** The texts of an image on a site; absent ones are unknown. */
interface ImageTexts {
  readonly alt?: string
  /** Plain. */
  readonly title?: string
  /** Inline HTML. */
  readonly caption?: string
  readonly slug?: string
}

/** What a site says of its images, by ID. */
export interface StoredTexts {
  readonly texts: ReadonlyMap<number, ImageTexts>
  /** Why not all of it could be read; '' where it was. */
  readonly problem: string
}

/** Images that are asked for at once; a Kalends takes one ID. */
const PAGE = 100

/** What a site says of its images, by ID; a site that does not show them says nothing. */
export async function textsOf(ids: readonly number[], deps: TextsDeps): Promise<StoredTexts> {
  const { client, api, authorization, concurrency } = deps
  const texts = new Map<number, ImageTexts>()
  let problem = ''
  const read = async (path: string, query: Readonly<Record<string, string | number>> = {}): Promise<void> => {
    const isUsable = (json: unknown): boolean => typeof json === 'object'
    const asked = await client.ask(api.at(path, query, 'wp/v2'), { want: 'json', authorization, isUsable })
    if (!asked.ok) problem = asked.why
    else if (asked.response.status === 200)
      for (const picture of objectsIn(asked.json)) texts.set(idOf(picture) ?? 0, saidOf(picture))
  }
  if (api.isKalends) await forEachAtOnce(ids, concurrency, (id) => read(`/media/${id}`))
  else
    for (let start = 0; start < ids.length && problem === ''; start += PAGE)
      await read('/media', { include: ids.slice(start, start + PAGE).join(','), per_page: PAGE })
  return { texts, problem }
}

/** Characters: longest title that is stored, and longest text that is looked at. */
const LONGEST_TITLE = 2_000
const LONGEST_TEXT = 100_000

function saidOf(picture: Raw): ImageTexts {
  const alt = plainText(textIn(picture['alt_text']))
  const title = plainText(textIn(picture['title'])).slice(0, LONGEST_TITLE)
  const caption = inlineHtml(textIn(picture['caption']))
  const slug = slugify(textIn(picture['slug']))
  return Object.fromEntries(Object.entries({ alt, title, caption, slug }).filter(([, text]) => text !== ''))
}

/** A text as it stands, or as it is shown. */
function textIn(value: unknown): string {
  const text = isObject(value) ? value['rendered'] : value
  return typeof text === 'string' && text.length <= LONGEST_TEXT ? text : ''
}
