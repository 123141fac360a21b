import { encodeText } from '../../text/entities.ts'
import { textOfHtml } from '../../text/html.ts'
import { presentImage } from '../picture.ts'
import { type EntryHead, filled, presentHead, presentLineage } from '../present.ts'
import type { LinkedShowing } from './lookup.ts'
import type { LinkedKey, LinkedRow } from './row.ts'

/** The members that begin every linked item: ids, state and dates, address of the page, name and texts, picture. */
export interface LinkedHead extends EntryHead {
  readonly id: number
  readonly description: string
  readonly excerpt: string
  readonly slug: string
  readonly image: false | Readonly<Record<string, unknown>>
}

/** Members of which those without content are undefined. */
type Filled<Members> = { readonly [Name in keyof Members]: Members[Name] | undefined }

/** The members that begin every linked item, the name under the key of the resource; those without content are undefined. */
export function presentLinkedHead(
  key: LinkedKey,
  row: LinkedRow,
  { viewer, picture }: LinkedShowing,
): Filled<LinkedHead> {
  const head = presentHead(key, row, viewer)
  return {
    id: row.id,
    author: row.author_id === 0 ? undefined : head.author,
    status: head.status,
    date: head.date,
    date_utc: head.date_utc,
    modified: head.modified,
    modified_utc: head.modified_utc,
    url: head.url,
    [key]: filled(encodeText(row.name)),
    description: filled(row.description),
    excerpt: filled(row.excerpt),
    slug: filled(row.slug),
    image: filled(presentImage(row, picture, viewer.urls)),
  }
}

/** `global_id` and its lineage, which end every linked item. */
export function presentLinkedIds(
  row: LinkedRow,
  { viewer, lineage }: LinkedShowing,
): { global_id: string; global_id_lineage: string[] } {
  return presentLineage(viewer.site.host, row.id, lineage)
}

/** The members that the schema.org object of every linked item begins with; plain text, empty ones included. */
export function jsonLdHead(
  type: 'Place' | 'Organization',
  row: LinkedRow,
  { viewer, picture }: LinkedShowing,
): Readonly<Record<string, unknown>> {
  const image = presentImage(row, picture, viewer.urls)
  return {
    '@type': type,
    name: row.name,
    description: textOfHtml(row.description).replace(/\s+/g, ' ').trim(),
    image: image === false ? '' : image['url'],
  }
}
