import { fail } from '../../base/errors.ts'
import { fold, sortKey } from '../../base/text/fold.ts'
import { textOfHtml } from '../../base/text/html.ts'
import { percentDecoded } from '../../base/text/slug.ts'
import { TERM_NAME_LIMIT } from '../../model/kinds/term-name.ts'
import type { Term } from './tables.ts'

/**
 * Refuses a name that is blank or longer than 200 characters (decisions: Text limits).
 * @throws empty_term_name, db_insert_error
 */
export function checkName(name: string): void {
  if (name === '') throw fail('empty_term_name')
  if ([...name].length > TERM_NAME_LIMIT) throw fail('db_insert_error')
}

/** Tags are not nested: whatever names a parent is refused (wire: rest 3.9). @throws rest_taxonomy_not_hierarchical */
export function checkNoParent(sent: unknown): void {
  const isNone = sent === undefined || sent === null || sent === '' || sent === false || sent === 0 || sent === '0'
  if (!isNone) throw fail('rest_taxonomy_not_hierarchical')
}

/** The parts of a term that people give it. */
export type TermText = Pick<Term, 'name' | 'slug' | 'description'>

/** The columns that follow from the wording: what terms are compared, sorted and searched by. */
export function derivedColumns(wording: TermText): Pick<Term, 'name_folded' | 'name_key' | 'search_text'> {
  const folded = fold(wording.name)
  return {
    name_folded: folded,
    name_key: sortKey(wording.name),
    // One field a line: no word or phrase can match across the border of two. Slugs as people read them: nobody
    // searches for the digits of `%d0%b6`.
    search_text: [folded, fold(percentDecoded(wording.slug)), fold(textOfHtml(wording.description))].join('\n'),
  }
}

const CHANGEABLE = ['name', 'slug', 'description', 'parent', 'color'] as const

/** The fields that an update may change. */
export type ChangeableFields = Pick<Term, (typeof CHANGEABLE)[number]>

/** A term after a change of the fields that were sent; undefined when nothing differs. */
export function changedTerm(
  term: Term,
  sent: { readonly [F in keyof ChangeableFields]?: ChangeableFields[F] | undefined },
): Term | undefined {
  const next: ChangeableFields = {
    name: sent.name ?? term.name,
    slug: sent.slug ?? term.slug,
    description: sent.description ?? term.description,
    parent: sent.parent ?? term.parent,
    color: sent.color ?? term.color,
  }
  const isSame = CHANGEABLE.every((one) => next[one] === term[one])
  return isSame ? undefined : { ...term, ...next, ...derivedColumns(next), revision: term.revision + 1 }
}
