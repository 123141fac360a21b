import { plainText } from '../../../../base/text/html.ts'
import { inlineHtml } from '../../../../base/text/inline.ts'
import { slugify } from '../../../../base/text/slug.ts'
import { COLORS } from '../../../../model/color.ts'
import { TERM_NAME_LIMIT } from '../../../../model/kinds/term-name.ts'
import type { TermKey } from '../../../../model/resource.ts'
import type { Skipped } from '../../types.ts'
import { siteOf } from './identity.ts'
import { idAt, type Place, placeText, type SourceObject, textAt } from './members.ts'
import { unknownMembers } from './unknown.ts'

/** A category or tag as it was recorded, cleaned. */
export interface SourceTerm {
  readonly place: Place
  /** How items of the run name it: its site with its ID there, or its slug where it has no ID. */
  readonly ref: string
  /** How its parent is named; '' at the top. */
  readonly parentRef: string
  /** ID of the parent on its site; 0 at the top. */
  readonly parentId: number
  /** ID there, to keep where it is free. */
  readonly wishedId: number | undefined
  readonly slug: string
  /** Plain text. */
  readonly name: string
  /** Whether its name says which one it is, as in calendars and tables; absent where its slug does. */
  readonly isByName?: true
  /** Clean inline HTML. */
  readonly description: string
  /** A color of the palette; absent where none was recorded. */
  readonly color?: string
  /** Unknown members. */
  readonly extra: Readonly<Record<string, unknown>>
}

/** What was read of one item: the item, undefined when it is skipped, and the parts that were skipped. */
export interface Read<Item> {
  readonly item: Item | undefined
  readonly skipped: readonly Skipped[]
}

/** Reading of an item that is left out. */
export function leftOut(place: Place, why: string): { readonly item: undefined; readonly skipped: readonly Skipped[] } {
  return { item: undefined, skipped: [{ what: placeText(place), why }] }
}

/** Member under which a category at the top keeps the ID that its missing parent has where it was recorded. */
export const RECORDED_PARENT = 'recorded_parent'

const KNOWN: ReadonlySet<string> = new Set([
  ...['name', 'slug', 'term_group', 'term_taxonomy_id', 'taxonomy', 'description', 'parent', 'count', 'filter', 'id'],
  ...['meta', 'url', 'urls', '_links', 'color', RECORDED_PARENT],
])

/** How items of a run name a term that has an ID or slug; undefined for others. */
export function refOf(source: SourceObject, around: string): string | undefined {
  const { id, slug } = source.members
  const name = typeof id === 'number' ? id : typeof slug === 'string' ? slugify(slug) : ''
  return name === '' ? undefined : `${siteOf(source) || around} ${name}`
}

/** The color of a category where it is one of ours; undefined for others and for none. */
function colorAt({ members }: SourceObject): { readonly color: string } | undefined {
  const { color: sent } = members
  const name = COLORS.find((one) => one === sent)
  return name === undefined ? undefined : { color: name }
}

/**
 * Reads a category or tag, of a list of terms or of an event; one without a name, or with one too long, is left out.
 * @throws recorded_not_usable for members of a wrong type
 */
export function readTerm(key: TermKey, source: SourceObject, around: string): Read<SourceTerm> {
  const { place } = source
  const name = plainText(textAt(source, 'name'))
  if (name === '') return leftOut(place, 'it has no name')
  if ([...name].length > TERM_NAME_LIMIT) return leftOut(place, 'its name is too long')
  const wishedId = idAt(source, 'id')
  const slug = slugify(textAt(source, 'slug')) || slugify(name) || String(wishedId ?? '')
  if (slug === '') return leftOut(place, 'it has neither slug nor id')
  const site = siteOf(source) || around
  const parentId = key === 'tag' ? 0 : (idAt(source, 'parent') ?? 0)
  const skipped: Skipped[] = []
  // A color of another palette stays with the members that other programs had.
  const known = colorAt(source) === undefined ? [...KNOWN].filter((name) => name !== 'color') : KNOWN
  const item = {
    place,
    ref: `${site} ${wishedId ?? slug}`,
    parentRef: parentId === 0 ? '' : `${site} ${parentId}`,
    parentId,
    wishedId,
    slug,
    name,
    description: inlineHtml(textAt(source, 'description')),
    ...(key === 'category' && colorAt(source)),
    extra: unknownMembers(source, new Set(known), skipped),
  }
  return { item, skipped }
}
