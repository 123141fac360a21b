import type { TermKey } from '../../model/resource.ts'
import { LINK_KIND, type TermTable } from '../../storage/schema.ts'

/** A stored category or tag. */
export type Term = TermTable

/**
 * Where the uses of a taxonomy are stored: the relation table, its column for the term, and the kind of the copies for
 * lists. The terms themselves are in the table named by the key.
 */
export const TAXONOMY_LINKS = {
  category: { links: 'event_category', target: 'category_id', linkKind: LINK_KIND.category },
  tag: { links: 'event_tag', target: 'tag_id', linkKind: LINK_KIND.tag },
} as const satisfies Record<TermKey, { links: string; target: string; linkKind: number }>

/** All columns of a term, in the order of the table. */
export const TERM_COLUMNS = [
  'id',
  'name',
  'name_folded',
  'name_key',
  'slug',
  'description',
  'parent',
  'color',
  'shade',
  'count',
  'search_text',
  'extra',
  'revision',
] as const satisfies readonly (keyof Term)[]
