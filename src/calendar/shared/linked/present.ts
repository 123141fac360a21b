import { encodeText } from '../../../base/text/entities.ts'
import { textOfHtml } from '../../../base/text/html.ts'
import { namesOf } from '../../../model/column.ts'
import type { AnyField } from '../../../model/kinds/field.ts'
import { filled, presentHead, presentLineage, shownAs, withExtra } from '../present.ts'
import { presentImage } from '../stored-image.ts'
import type { LinkedShowing } from './lookup.ts'
import type { LinkedRoom } from './room.ts'
import type { LinkedContent, LinkedRow } from './row.ts'

/** The members of a module that the representation needs. */
type RoomShown<Content extends LinkedContent> = Pick<
  LinkedRoom<readonly AnyField[], Content>,
  'key' | 'columns' | 'pairs' | 'jsonLd'
>

/** The representation of a linked item, member by member as the wire has it (wire: rest 1.1, 1.2); empty ones are left out. */
export function presentLinked<Content extends LinkedContent>(
  room: RoomShown<Content>,
  row: LinkedRow<Content>,
  showing: LinkedShowing,
): Readonly<Record<string, unknown>> {
  const { viewer, picture, lineage } = showing
  const head = presentHead(room.key, row, viewer)
  const ids = presentLineage(viewer.site.host, row.id, lineage)
  const content = contentOf(room, row)
  const shown = {
    id: row.id,
    author: row.author_id === 0 ? undefined : head.author,
    status: head.status,
    date: head.date,
    date_utc: head.date_utc,
    modified: head.modified,
    modified_utc: head.modified_utc,
    url: head.url,
    [room.key]: filled(encodeText(row.name)),
    description: filled(row.description),
    excerpt: filled(row.excerpt),
    slug: filled(row.slug),
    image: filled(presentImage(row, picture, viewer.urls)),
    ...content.texts,
    json_ld: showing.withJsonLd ? room.jsonLd(row, showing) : undefined,
    ...content.flags,
    global_id: ids.global_id,
    global_id_lineage: ids.global_id_lineage,
    ...content.last,
  }
  return withExtra(shown, row.extra)
}

/** The columns of a module as members; those without content are undefined, and both of a pair when one is. */
function contentOf<Content extends LinkedContent>({ columns, pairs }: RoomShown<Content>, row: LinkedRow<Content>) {
  const texts: Record<string, unknown> = {}
  const flags: Record<string, boolean> = {}
  const last: Record<string, unknown> = {}
  for (const name of namesOf(columns)) {
    const { kind } = columns[name]
    const value: unknown = row[name]
    if (kind === 'flag') flags[name] = value === 1
    else if (kind === 'language') last[name] = filled(value)
    else if (kind === 'mark') last[name] = value === 1 || undefined
    else if (name !== 'name' && name !== 'description')
      texts[name] = value === '' || value === null ? undefined : shownAs(kind, value)
  }
  for (const [one, other] of pairs) if (row[one] === null || row[other] === null) texts[one] = texts[other] = undefined
  return { texts, flags, last }
}

/** The members that the schema.org object of every linked item starts with; plain text, empty ones included. */
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
