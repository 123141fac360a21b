import { fail } from '../../base/errors.ts'
import { fold } from '../../base/text/fold.ts'
import { SLUG_LIMIT, slugify } from '../../base/text/slug.ts'
import type { TermKey } from '../../model/resource.ts'
import type { Transaction } from '../../storage/engine.ts'
import { claimTermId, nextTermId } from '../../storage/identifiers.ts'
import { record } from '../../storage/journal/append.ts'
import type { JournalAction } from '../../storage/journal/entry.ts'
import { recordEventChanges } from '../event-store/record-changes.ts'
import { eventsBelow, regroup } from '../event-store/terms.ts'
import { freeSlug } from '../shared/slugs.ts'
import { keepTerm } from './removed-term.ts'
import { type ChangeableFields, changedTerm, checkName, derivedColumns } from './rules.ts'
import { idOfDuplicate, idOfSlug, rarestShade, termById, withAncestors } from './store.ts'
import { eventsWith } from './store-events.ts'
import { deleteTerm, insertTerm, moveChildren, updateTerm } from './store-write.ts'
import type { Term } from './tables.ts'

/** Who writes, and when. */
export interface Writer {
  /** User; null for the program itself. */
  readonly actor: number | null
  /** Moment of the write, UTC text. */
  readonly at: string
}

/** A term to create; its texts are sanitized already. */
export interface NewTerm {
  readonly name: string
  readonly description: string
  /** Wanted slug; undefined to make one of the name. */
  readonly slug: string | undefined
  /** An existing category, or 0. */
  readonly parent: number
  /** A color of the palette; '' for none. */
  readonly color: string
  /** ID from an import; if undefined or in use, the next one is taken. */
  readonly id?: number | undefined
  /** Unknown members of an import, JSON object; null when none. */
  readonly extra: string | null
}

/**
 * The existing term that a new one would duplicate: same name (folded) under the same parent, unless the new one has a
 * slug of its own that is free (wire: rest 3.9).
 */
export async function duplicateOf(tx: Transaction, key: TermKey, wish: NewTerm): Promise<number | undefined> {
  const duplicate = await idOfDuplicate(tx, key, { name: fold(wish.name), parent: wish.parent })
  if (duplicate === undefined || wish.slug === undefined) return duplicate
  return (await idOfSlug(tx, key, wish.slug)) === undefined ? undefined : duplicate
}

/** Creates a term; call `duplicateOf` first. @throws empty_term_name, db_insert_error */
export async function addTerm(tx: Transaction, key: TermKey, made: NewTerm & Writer): Promise<Term> {
  checkName(made.name)
  const { name, description, parent, color, extra } = made
  const claimed = made.id !== undefined && (await claimTermId(tx, key, made.id)) ? made.id : undefined
  const id = claimed ?? (await nextTermId(tx, key))
  // A name of punctuation only leaves no slug: then the ID serves, which no other term can have.
  const wanted = made.slug ?? (slugify(name) || String(id))
  const slug = await unusedSlug(tx, key, { slug: wanted, parent, id })
  const wording = { name, slug, description }
  const shade = key === 'category' ? await rarestShade(tx) : 0
  const term: Term = { id, ...wording, ...derivedColumns(wording), parent, color, shade, count: 0, extra, revision: 1 }
  await insertTerm(tx, key, term)
  recordTerm(tx, { key, term, action: 'create' }, made)
  return term
}

/** A free slug: the wanted one, or else with the slugs of the ancestors appended, or else with a number. */
async function unusedSlug(
  tx: Transaction,
  key: TermKey,
  wish: { readonly slug: string; readonly parent: number; readonly id: number },
): Promise<string> {
  if ((await idOfSlug(tx, key, wish.slug)) === undefined) return wish.slug
  let slug = wish.slug
  const above = wish.parent === 0 ? new Map<number, Term>() : await withAncestors(tx, [wish.parent])
  // The map has no cycles: a category is never moved below itself.
  for (let next = above.get(wish.parent); next !== undefined; next = above.get(next.parent)) {
    if (slug.length + 1 + next.slug.length > SLUG_LIMIT) break
    slug = `${slug}-${next.slug}`
    if ((await idOfSlug(tx, key, slug)) === undefined) return slug
  }
  return freeSlug(tx, { table: key, slug, id: wish.id })
}

/**
 * Changes the given fields of a term; returns the term, undefined when it does not exist. Writes nothing when nothing
 * differs.
 * @throws duplicate_term_slug, empty_term_name, db_insert_error
 */
export async function changeTerm(
  tx: Transaction,
  key: TermKey,
  change: Writer & {
    readonly id: number
    readonly sent: { readonly [F in keyof ChangeableFields]?: ChangeableFields[F] | undefined }
  },
): Promise<Term | undefined> {
  const { id, sent } = change
  const term = await termById(tx, key, id)
  if (term === undefined) return undefined
  if (sent.name !== undefined) checkName(sent.name)
  if (sent.slug !== undefined && ((await idOfSlug(tx, key, sent.slug)) ?? id) !== id) {
    throw fail('duplicate_term_slug', { slug: sent.slug })
  }
  const changed = changedTerm(term, sent)
  if (changed === undefined) return term
  await storeChange(tx, key, { before: term, after: changed })
  recordTerm(tx, { key, term: changed, action: 'update' }, change)
  return changed
}

/** What an import changes of a term; its slug is free, or its own. */
export type TermReplacement = Writer & Pick<Term, 'name' | 'slug' | 'description' | 'parent' | 'color' | 'extra'>

/** Stores a term as an import has it, texts sanitized already; writes nothing when nothing differs. */
export async function replaceTerm(
  tx: Transaction,
  key: TermKey,
  { term, actor, at, extra, ...sent }: TermReplacement & { readonly term: Term },
): Promise<Term> {
  const worded = changedTerm(term, sent)
  if (worded === undefined && extra === term.extra) return term
  const changed = { ...(worded ?? term), extra, revision: term.revision + 1 }
  await storeChange(tx, key, { before: term, after: changed })
  recordTerm(tx, { key, term: changed, action: 'update' }, { actor, at })
  return changed
}

/** Stores a changed term; a category that has another parent takes its events along. */
async function storeChange(
  tx: Transaction,
  key: TermKey,
  { before, after }: { readonly before: Term; readonly after: Term },
): Promise<void> {
  await updateTerm(tx, key, after)
  if (key === 'tag' || before.parent === after.parent) return
  await regroup(tx, { parents: [before.parent, after.parent], events: await eventsBelow(tx, [after.id]) })
}

/**
 * Deletes a term: its children move to its parent and its events lose it (wire: rest 3.10). `restoreTerm` restores it. The
 * term as it was, undefined if there is none with the ID.
 */
export async function removeTerm(
  tx: Transaction,
  key: TermKey,
  removal: Writer & { readonly id: number },
): Promise<Term | undefined> {
  const { id, actor, at } = removal
  const term = await termById(tx, key, id)
  if (term === undefined) return undefined
  const moved = await moveChildren(tx, key, { from: id, to: term.parent })
  const users = await eventsWith(tx, key, id)
  await deleteTerm(tx, key, id)
  if (key === 'category') await regroup(tx, { parents: [term.parent], events: users })
  record(tx, { actor, at, resource: key, id, revision: term.revision + 1, action: 'delete', snapshot: null })
  for (const child of moved) recordTerm(tx, { key, term: child, action: 'update' }, removal)
  await recordEventChanges(tx, users, { actor, at })
  await keepTerm(tx, key, { term, children: moved.map((child) => child.id), events: users, actor, at })
  return term
}

/** Reports a change of a term, which has its new revision. */
export function recordTerm(
  tx: Transaction,
  change: { readonly key: TermKey; readonly term: Term; readonly action: JournalAction },
  { actor, at }: Writer,
): void {
  const { key, term, action } = change
  record(tx, { actor, at, resource: key, id: term.id, revision: term.revision, action, snapshot: term })
}
