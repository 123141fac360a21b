import { nameKey } from '../../../base/text/name-key.ts'
import { slugify } from '../../../base/text/slug.ts'
import type { TermLookup } from '../../../calendar/terms/index.ts'
import type { TermKey } from '../../../model/resource.ts'
import type { Reader } from '../../../storage/engine.ts'
import type { SourceTerm } from '../readers/json/read-term.ts'
import type { LinkedPlan } from './plan-linked.ts'

/** The name of a category or tag within a run, the same in every spelling. */
export function termName(name: string): string {
  return `CATEGORIES ${nameKey(name)}`
}

/** The categories or tags of a file, and those that every event gets, which may be given by slug or ID as well. */
export interface NamesToPlan {
  readonly key: TermKey
  readonly lookup: TermLookup
  readonly names: readonly string[]
  readonly wished: readonly string[]
  readonly file: string
}

/** The terms of events: stored ones by name, and those to create. */
export async function planNames(
  reader: Reader,
  { key, lookup, names, wished, file }: NamesToPlan,
): Promise<LinkedPlan<SourceTerm>> {
  const known = new Map<string, number>()
  const made = new Map<string, SourceTerm>()
  if (names.length + wished.length === 0) return { known, made }
  const stored = new Map<string, number>()
  for (const { id, name } of (await lookup.all(reader)).toReversed()) stored.set(termName(name), id)
  const sought = await lookup.seek(reader, wished)
  for (const name of [...wished, ...names]) {
    const ref = termName(name)
    const id = stored.get(ref) ?? sought.get(name)
    if (known.has(ref) || made.has(ref)) continue
    if (id !== undefined) known.set(ref, id)
    else made.set(ref, newTerm(ref, { name, file, key }))
  }
  return { known, made }
}

function newTerm(ref: string, { name, file, key }: { name: string; file: string; key: TermKey }): SourceTerm {
  return {
    place: { file, path: key },
    ref,
    parentRef: '',
    parentId: 0,
    wishedId: undefined,
    slug: slugify(name),
    name,
    isByName: true,
    description: '',
    extra: {},
  }
}
