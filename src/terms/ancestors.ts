import type { TermKey } from '../model/resource.ts'
import type { Reader } from '../storage/engine.ts'
import type { Ancestors } from './present.ts'
import type { Term } from './shape.ts'
import { withAncestors } from './store.ts'

/** The categories above these terms; empty for tags. */
export async function ancestorsOf(reader: Reader, key: TermKey, terms: readonly Term[]): Promise<Ancestors> {
  if (key === 'tag') return new Map()
  const parents = new Set(terms.map((term) => term.parent).filter((parent) => parent !== 0))
  return withAncestors(reader, [...parents])
}
