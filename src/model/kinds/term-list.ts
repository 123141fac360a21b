import { wholeNumber } from './integer.ts'
import { BY_ID, type Kind, type ParseResult, refuse, schemaRef } from './kind.ts'
import { isOverlong, itemsOf, LIST_LIMIT } from './list.ts'

/**
 * A term named on write. `id`: it must exist. `text`: an ID if it is digits and such a term exists, else a slug or
 * name of an existing term, else the name of a new one (decisions: Link shapes).
 */
export type TermRef = { readonly by: 'id'; readonly id: number } | { readonly by: 'text'; readonly text: string }

const ONE = [...BY_ID, schemaRef('Term')]

/** Terms given to an event: IDs, slugs, names, term objects with `id`; array, CSV or a scalar. `[]` is none. */
export const termList: Kind<readonly TermRef[]> = {
  control: 'terms',
  declared: { type: 'array', items: { type: 'integer' } },
  schema: { anyOf: [...ONE, { type: 'array', items: { anyOf: ONE } }] },
  parse(value): ParseResult<readonly TermRef[]> {
    if (isOverlong(value)) return refuse('bad_list')
    if (value === 0 || value === '0' || value === false || value === '') return { ok: true, value: [] }
    const single = typeof value === 'object' && value !== null && !Array.isArray(value) && 'id' in value
    const items = single ? [value] : (namesOf(value) ?? itemsOf(value) ?? [])
    if (items.length > LIST_LIMIT) return refuse('bad_list')
    const refs = items.map(termRef)
    const known = refs.filter((ref) => ref !== undefined)
    return known.length === refs.length ? { ok: true, value: known } : refuse('bad_list')
  },
}

/** The items of an array as they are, blank ones left out: a name may hold a comma, only a text of its own is CSV. */
function namesOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item !== 'string' || item.trim() !== '') : undefined
}

function termRef(item: unknown): TermRef | undefined {
  if (typeof item === 'number') return Number.isSafeInteger(item) ? { by: 'id', id: item } : undefined
  // A term cannot be called 0 (wire: rest 3.9).
  if (typeof item === 'string') return item.trim() === '0' ? undefined : { by: 'text', text: item.toWellFormed() }
  if (typeof item !== 'object' || item === null || !('id' in item)) return undefined
  const id = wholeNumber(item.id)
  return id === undefined ? undefined : { by: 'id', id }
}
