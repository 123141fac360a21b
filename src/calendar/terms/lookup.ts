import { fold } from '../../base/text/fold.ts'
import { plainText } from '../../base/text/html.ts'
import { inlineHtml } from '../../base/text/inline.ts'
import { slugify } from '../../base/text/slug.ts'
import type { Urls } from '../../http/address.ts'
import type { Caller } from '../../http/auth/rights.ts'
import { HIGHEST_ID } from '../../model/id.ts'
import type { TermKey } from '../../model/resource.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { categoriesDownFrom } from '../event-store/terms.ts'
import { type EmbeddedTerm, presentEmbedded, presentTerm, type TermView } from './present.ts'
import { checkName } from './rules.ts'
import {
  allTerms,
  ancestorsOf,
  idsSeen,
  isSeen,
  type Names,
  termById,
  termBySlug,
  termsByIds,
  termsNamed,
  usedTerms,
} from './store.ts'
import { recountTerms } from './store-write.ts'
import type { Term } from './tables.ts'
import { termViewerOf } from './term-viewer.ts'
import { addTerm, duplicateOf, removeTerm, replaceTerm, type TermReplacement, type Writer } from './write.ts'

/** A term that another module needs; its texts are as sent and sanitized here, once. */
export interface TermWish extends Writer {
  readonly name: string
  /** An existing category; absent or 0 for none. */
  readonly parent?: number
  readonly description?: string
  /** A color of the palette; absent for none. */
  readonly color?: string
  readonly slug?: string
  /** ID to keep from an import; the next free one if it is in use. */
  readonly id?: number
  /** Unknown members of an import. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** What other modules may do with the categories, or with the tags. */
export interface TermLookup {
  /** IDs of terms by how they were named: by ID first, then slug, then name. Names of nothing are absent. */
  find(reader: Reader, refs: readonly string[]): Promise<Map<string, number>>
  /** As `find`, and what names nothing so may be written like a slug would be: for filters. */
  seek(reader: Reader, refs: readonly string[]): Promise<Map<string, number>>
  /** The terms with these IDs, sorted by name; unknown IDs are left out. */
  byIds(reader: Reader, ids: readonly number[]): Promise<Term[]>
  /** The term with exactly this slug (see `slugify`); undefined if there is none. */
  bySlug(reader: Reader, slug: string): Promise<Term | undefined>
  /** Whether a caller may see a term: one that only unreadable events use is hidden. */
  isSeenBy(reader: Reader, term: Term, caller: Caller): Promise<boolean>
  /** Of the IDs of terms that exist, those of terms that a caller may see. */
  seenBy(reader: Reader, ids: readonly number[], caller: Caller): Promise<ReadonlySet<number>>
  /** The IDs that exist and, for categories, those of all terms below them; by number, each once. */
  descendants(reader: Reader, ids: readonly number[]): Promise<number[]>
  /**
   * The new term of a write, or the existing one of the same name under the same parent unless a slug was wished for.
   * @throws empty_term_name, db_insert_error
   */
  create(tx: Transaction, wish: TermWish): Promise<Term>
  /** All terms, by ID: for imports, which find terms by their place in the tree. */
  all(reader: Reader): Promise<Term[]>
  /** The terms that published events have, by name; at most `limit`. */
  used(reader: Reader, limit: number): Promise<readonly Term[]>
  /** Stores a term with other name, description (both clean), parent or unknown members; nothing when none differs. */
  replace(tx: Transaction, term: Term, change: TermReplacement): Promise<Term>
  /** Deletes a term permanently: its children move to its parent, its events lose it. Nothing if there is none. */
  remove(tx: Transaction, removal: Writer & { readonly id: number }): Promise<void>
  /** Counts the published events of each term again; to be called after the relations have changed. */
  recount(tx: Transaction, ids: readonly number[]): Promise<void>
  /** The term as events embed it. */
  present(term: Term, urls: Urls): EmbeddedTerm
  /** The terms as their own endpoints list them, in the order given. */
  shownOf(reader: Reader, terms: readonly Term[], urls: Urls): Promise<TermView[]>
}

/** Opens the categories or the tags to other modules. */
export function lookupOf(key: TermKey): TermLookup {
  return {
    find: (reader, refs) => findTerms(reader, key, refs),
    seek: (reader, refs) => seekTerms(reader, key, refs),
    byIds: (reader, ids) => termsByIds(reader, key, ids),
    bySlug: (reader, slug) => termBySlug(reader, key, slug),
    isSeenBy: (reader, term, caller) => isSeen(reader, key, { term, by: termViewerOf(caller) }),
    seenBy: (reader, ids, caller) => idsSeen(reader, key, { ids, by: termViewerOf(caller) }),
    descendants: async (reader, ids) =>
      key === 'category'
        ? categoriesDownFrom(reader, ids)
        : (await termsByIds(reader, key, ids)).map((one) => one.id).sort((a, b) => a - b),
    create: (tx, wish) => createWished(tx, key, wish),
    all: (reader) => allTerms(reader, key),
    used: (reader, limit) => usedTerms(reader, key, limit),
    replace: (tx, term, change) => replaceTerm(tx, key, { ...change, term }),
    remove: async (tx, removal) => void (await removeTerm(tx, key, removal)),
    recount: (tx, ids) => recountTerms(tx, key, ids),
    present: (term, urls) => presentEmbedded(key, term, urls),
    shownOf: async (reader, terms, urls) => {
      const ancestors = await ancestorsOf(reader, key, terms)
      return terms.map((term) => presentTerm({ key, term, ancestors, urls }))
    },
  }
}

/** IDs of terms by how they were named: by ID first, then slug, then name (decisions: tags). */
async function findTerms(reader: Reader, key: TermKey, refs: readonly string[]): Promise<Map<string, number>> {
  return meant(refs, await knownBy(reader, key, refs))
}

/**
 * Like `findTerms`, but a reference that matches nothing also means the term whose slug it would make (wire: events
 * 3.7).
 */
export async function seekTerms(reader: Reader, key: TermKey, refs: readonly string[]): Promise<Map<string, number>> {
  const known = await knownBy(reader, key, refs)
  const loose = refs.flatMap((ref) => {
    const id = known.bySlug.get(slugify(ref))
    return id === undefined ? [] : [[ref, id] as const]
  })
  return new Map([...loose, ...meant(refs, known)])
}

/** Terms that some references may mean, by each way of referring to them. */
interface Known {
  readonly ids: ReadonlySet<number>
  readonly bySlug: ReadonlyMap<string, number>
  readonly byName: ReadonlyMap<string, number>
}

async function knownBy(reader: Reader, key: TermKey, refs: readonly string[]): Promise<Known> {
  const rows = await termsNamed(reader, key, refs.map(namesOf))
  return {
    ids: new Set(rows.map((row) => row.id)),
    bySlug: new Map(rows.map((row) => [row.slug, row.id])),
    // Rows are sorted by ID: of several terms with one name the first is meant.
    byName: new Map(rows.toReversed().map((row) => [row.name_folded, row.id])),
  }
}

function meant(refs: readonly string[], { ids, bySlug, byName }: Known): Map<string, number> {
  const found = new Map<string, number>()
  for (const ref of refs) {
    const { id, name } = namesOf(ref)
    const term = ids.has(id) ? id : (bySlug.get(asSlug(ref)) ?? byName.get(name))
    if (term !== undefined) found.set(ref, term)
  }
  return found
}

function namesOf(ref: string): Names {
  const text = ref.trim()
  const number = /^\d+$/.test(text) ? Number(text) : 0
  return {
    id: number <= HIGHEST_ID ? number : 0,
    slugs: [asSlug(ref), slugify(text)],
    name: fold(plainText(text)),
  }
}

/** A slug must match literally: `Cee++` is a name, although its slug would be that of `Cee`. */
function asSlug(ref: string): string {
  return ref.trim().toLowerCase()
}

async function createWished(tx: Transaction, key: TermKey, wish: TermWish): Promise<Term> {
  const made = {
    name: plainText(wish.name),
    description: inlineHtml(wish.description ?? ''),
    slug: slugify(wish.slug ?? '') || undefined,
    parent: wish.parent ?? 0,
    color: wish.color ?? '',
    id: wish.id,
    extra: wish.extra === undefined ? null : JSON.stringify(wish.extra),
    actor: wish.actor,
    at: wish.at,
  }
  checkName(made.name)
  const duplicate = await duplicateOf(tx, key, made)
  const existing = duplicate === undefined ? undefined : await termById(tx, key, duplicate)
  return existing ?? addTerm(tx, key, made)
}
