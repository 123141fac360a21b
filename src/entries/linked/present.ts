import { encodeText } from '../../text/entities.ts'
import { textOfHtml } from '../../text/html.ts'
import { presentImage } from '../picture.ts'
import { type EntryHead, presentHead, presentLineage } from '../present.ts'
import type { LinkedKey, LinkedRow } from './row.ts'
import type { LinkedShowing } from './shelf.ts'

/** The members that begin every linked item: ids, state and dates, address of the page, name and texts, picture. */
export interface LinkedHead extends EntryHead {
  readonly id: number
  readonly description: string
  readonly excerpt: string
  readonly slug: string
  readonly image: false | Readonly<Record<string, unknown>>
}

/** The members that begin every linked item, the name under the key of the resource, empty ones included. */
export function presentLinkedHead(
  key: LinkedKey,
  row: LinkedRow,
  { viewer, picture }: LinkedShowing,
): Partial<LinkedHead> {
  const { author, ...state } = presentHead(key, row, viewer)
  return {
    id: row.id,
    ...(row.author_id !== 0 && { author }),
    ...state,
    [key]: encodeText(row.name),
    description: row.description,
    excerpt: row.excerpt,
    slug: row.slug,
    image: presentImage(row, picture, viewer.urls),
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
  type: 'Place' | 'Person',
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
