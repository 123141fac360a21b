import { encodeText } from '../../../base/text/entities.ts'
import { fold } from '../../../base/text/fold.ts'
import { nameKey } from '../../../base/text/name-key.ts'
import { storedJson } from '../../../base/text/stored-json.ts'
import type { Term, TermLookup } from '../../../calendar/terms/index.ts'
import type { TermKey } from '../../../model/resource.ts'
import type { Transaction } from '../../../storage/engine.ts'
import { leaveRoom } from '../../../storage/identifiers.ts'
import { RECORDED_PARENT } from '../readers/json/read-term.ts'
import type { ImportContext, ImportedItem, Outcome } from './outcome.ts'
import { provenanceOf, putProvenance } from './store-items.ts'
import type { PlannedTerm } from './term-tree.ts'

/** Terms to import. */
export interface TermBatch {
  readonly key: TermKey
  readonly terms: readonly PlannedTerm[]
  /** IDs of the terms of the run that are stored, by path. */
  readonly ids: ReadonlyMap<string, number>
  readonly run: ImportContext
}

/** Imports terms, parents before children; how each came out. */
export async function importTerms(tx: Transaction, lookup: TermLookup, batch: TermBatch): Promise<ImportedItem[]> {
  const imported: ImportedItem[] = []
  const known = knownTerms(await lookup.all(tx))
  const recorded = await recordedTerms(tx, batch)
  const ids = new Map(batch.ids)
  const seen = new Set(ids.values())
  for (const planned of batch.terms) {
    const parent = planned.parent.at === 'below' ? (ids.get(planned.parent.path) ?? 0) : 0
    const before = recorded.get(planned.ref)
    const match = (before ? known.byId.get(before) : undefined) ?? matchOf(known, planned, parent)
    const isTaken = known.bySlug.has(planned.slug)
    // Names that differ in accents only would be taken for one where a slug is not free.
    const isAlike = match === undefined && known.byName.has(`${parent} ${fold(planned.name)}`)
    const slug = planned.isByName === true || isAlike ? freeSlugOf(known, planned.slug) : planned.slug
    const wanted = { ...planned, slug }
    const { term, outcome } = await importTerm(tx, lookup, {
      planned: wanted,
      parent,
      match,
      isTaken,
      seen,
      run: batch.run,
    })
    known.keep(term)
    const place = placeOfTerm(planned)
    if (place !== undefined && before !== term.id)
      await putProvenance(tx, { ...place, kind: batch.key, item_id: term.id, digest: '' })
    ids.set(planned.path, term.id)
    seen.add(term.id)
    imported.push({ name: planned.path, id: term.id, outcome })
  }
  return imported
}

/** Where a term of a file was recorded; undefined where no site is known, or its name says which one it is. */
function placeOfTerm({ ref, isByName }: PlannedTerm): { readonly origin: string; readonly key: string } | undefined {
  const at = ref.lastIndexOf(' ')
  return isByName === true || at < 1 ? undefined : { origin: ref.slice(0, at), key: ref.slice(at + 1) }
}

/** IDs here of the terms that were imported from the same place before, by their refs. */
async function recordedTerms(tx: Transaction, { key, terms }: TermBatch): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  const places = terms.flatMap((term) => placeOfTerm(term) ?? [])
  for (const site of new Set(places.map((place) => place.origin)))
    for (const [id, { item_id }] of await provenanceOf(tx, site, key)) found.set(`${site} ${id}`, item_id)
  return found
}

interface KnownTerms {
  readonly byId: Map<number, Term>
  readonly bySlug: Map<string, Term>
  readonly byName: Map<string, Term>
  keep(term: Term): void
}

function knownTerms(terms: readonly Term[]): KnownTerms {
  const byId = new Map<number, Term>()
  const bySlug = new Map<string, Term>()
  const byName = new Map<string, Term>()
  const keep = (term: Term): void => {
    const before = byId.get(term.id)
    if (before !== undefined && before.slug !== term.slug && bySlug.get(before.slug)?.id === term.id)
      bySlug.delete(before.slug)
    byId.set(term.id, term)
    bySlug.set(term.slug, term)
    byName.set(`${term.parent} ${term.name_folded}`, term)
  }
  for (const term of terms) keep(term)
  return { byId, bySlug, byName, keep }
}

/**
 * The stored term of the same name that a recorded one is: of the same slug under the same parent. Where the parent is not
 * in the run, or was not when the term was imported, the slug alone says it. A slug that another term has leaves the name.
 */
function matchOf(known: KnownTerms, planned: PlannedTerm, parent: number): Term | undefined {
  if (planned.isByName === true) return namedLike(known, planned.name)
  const hasName = (one: Term | undefined): boolean => one !== undefined && nameKey(one.name) === nameKey(planned.name)
  const term = known.bySlug.get(planned.slug)
  if (term === undefined) return undefined
  const wasUnknown = term.parent === 0 && extraOf(term)[RECORDED_PARENT] === planned.parentId
  if (hasName(term) && (planned.parent.at === 'unknown' || term.parent === parent || wasUnknown)) return term
  const named = known.byName.get(`${parent} ${fold(planned.name)}`)
  return hasName(named) ? named : undefined
}

/** The stored term with a name; someone may have added it since the import was planned. */
function namedLike({ byId }: KnownTerms, name: string): Term | undefined {
  const [folded, key] = [fold(name), nameKey(name)]
  return [...byId.values()].find((term) => term.name_folded === folded && nameKey(term.name) === key)
}

/** A free slug for a new term: names that differ only in accents suggest the same one. */
function freeSlugOf({ bySlug }: KnownTerms, slug: string): string {
  let free = slug
  for (let number = 2; bySlug.has(free); number += 1) free = `${slug}-${number}`
  return free
}

interface Question {
  readonly planned: PlannedTerm
  readonly parent: number
  readonly match: Term | undefined
  /** Whether a term has its slug. */
  readonly isTaken: boolean
  /** Terms that the run has dealt with: the first record of one counts. */
  readonly seen: ReadonlySet<number>
  readonly run: ImportContext
}

async function importTerm(
  tx: Transaction,
  lookup: TermLookup,
  question: Question,
): Promise<{ term: Term; outcome: Outcome }> {
  const { planned, parent, match, isTaken, seen, run } = question
  const writer = { actor: run.owner, at: run.at }
  if (match === undefined) {
    await leaveRoom(tx, 'term', run.wished.term)
    const { slug, description, color, wishedId } = planned
    const extra = extraAt(planned, {}, parent)
    const isPlain = Object.keys(extra).length === 0
    const wish = {
      ...writer,
      name: encodeText(planned.name),
      slug,
      description,
      parent,
      ...(color !== undefined && { color }),
      ...(!isPlain && { extra }),
    }
    const term = await lookup.create(tx, { ...wish, ...(wishedId !== undefined && { id: wishedId }) })
    return { term, outcome: 'created' }
  }
  if (seen.has(match.id)) return { term: match, outcome: 'unchanged' }
  const place = planned.parent.at === 'unknown' ? match.parent : await parentOf(tx, lookup, { match, parent })
  const extra = extraAt(planned, extraOf(match), place)
  const { description, color = match.color } = planned
  // Another spelling of a name is no change.
  const name = nameKey(match.name) === nameKey(planned.name) ? match.name : planned.name
  // One that was imported before may have got another slug there.
  const slug = isTaken || match.slug === planned.slug ? match.slug : planned.slug
  const change = { ...writer, name, slug, description, color, parent: place, extra: jsonOf(extra) }
  const term = await lookup.replace(tx, match, change)
  return { term, outcome: term === match ? 'unchanged' : 'updated' }
}

/** The wanted parent, unless the term would come to stand below itself. */
async function parentOf(
  tx: Transaction,
  lookup: TermLookup,
  { match, parent }: { readonly match: Term; readonly parent: number },
): Promise<number> {
  if (parent === match.parent || parent === 0) return parent
  return (await lookup.descendants(tx, [match.id])).includes(parent) ? match.parent : parent
}

type Extra = Readonly<Record<string, unknown>>

function extraOf(term: Term): Extra {
  return term.extra === null ? {} : storedJson(term.extra)
}

/** The unknown members: events know some of a term that lists of terms do not, so those of before stay. */
function extraAt(planned: PlannedTerm, before: Extra, parent: number): Extra {
  const { [RECORDED_PARENT]: _was, ...others } = { ...before, ...planned.extra }
  const isMissing = planned.parent.at === 'unknown' && parent === 0
  return isMissing ? { ...others, [RECORDED_PARENT]: planned.parentId } : others
}

function jsonOf(extra: Extra): string | null {
  return Object.keys(extra).length === 0 ? null : JSON.stringify(extra)
}
