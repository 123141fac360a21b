import { nameKey } from '../../../base/text/name-key.ts'
import type { SourceTerm } from '../readers/json/read-term.ts'

/** Where a term belongs: at the top, below another term of the run, or below one that the run does not hold. */
export type PlannedParent =
  | { readonly at: 'top' }
  | { readonly at: 'below'; readonly path: string }
  | { readonly at: 'unknown' }

/** A term with its place in the tree. */
export interface PlannedTerm extends SourceTerm {
  /** Who it is: the slugs with the names from the top down (`/music Music/jazz Jazz`; `?/jazz Jazz` below an unknown parent), or how the run names it. */
  readonly path: string
  readonly parent: PlannedParent
}

/** The terms of a taxonomy. */
export interface PlannedTerms {
  /** Each once, parents before their children. */
  readonly terms: readonly PlannedTerm[]
  /** Path of the term that a ref names. */
  readonly pathOf: ReadonlyMap<string, string>
}

/**
 * Puts the terms of a run into their tree. Terms of different sites with the same slugs and names from the top down are one; the
 * last counts. A circle of parents is cut where it closes.
 */
export function planTerms(byRef: ReadonlyMap<string, SourceTerm>): PlannedTerms {
  const placed = new Map<string, PlannedTerm>()
  for (const ref of byRef.keys()) place(ref, { byRef, placed, open: new Set() })
  const byPath = new Map([...placed.values()].map((term) => [term.path, term]))
  return {
    terms: [...byPath.values()].sort((a, b) => depthOf(a) - depthOf(b)),
    pathOf: new Map([...placed].map(([ref, term]) => [ref, term.path])),
  }
}

interface Placing {
  readonly byRef: ReadonlyMap<string, SourceTerm>
  readonly placed: Map<string, PlannedTerm>
  /** Terms whose parents are being placed. */
  readonly open: Set<string>
}

function place(ref: string, placing: Placing): PlannedTerm | undefined {
  const { byRef, placed, open } = placing
  const known = placed.get(ref)
  const term = byRef.get(ref)
  if (known !== undefined || term === undefined || open.has(ref) || open.size > DEPTH_LIMIT) return known
  open.add(ref)
  const above = term.parentRef === '' ? undefined : place(term.parentRef, placing)
  open.delete(ref)
  const made = { ...term, ...standing(term, above) }
  placed.set(ref, made)
  return made
}

/** Deepest tree, which no calendar has. */
const DEPTH_LIMIT = 500

function standing(term: SourceTerm, above: PlannedTerm | undefined): Pick<PlannedTerm, 'path' | 'parent'> {
  if (term.isByName === true) return { path: term.ref, parent: { at: 'top' } }
  // Two sites may use one slug for different names.
  const own = `${term.slug} ${encodeURIComponent(nameKey(term.name))}`
  if (term.parentRef === '') return { path: `/${own}`, parent: { at: 'top' } }
  if (above === undefined) return { path: `?/${own}`, parent: { at: 'unknown' } }
  return { path: `${above.path}/${own}`, parent: { at: 'below', path: above.path } }
}

function depthOf(term: PlannedTerm): number {
  return term.path.split('/').length
}
