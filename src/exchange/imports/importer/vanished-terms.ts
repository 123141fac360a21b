import type { TermLookup } from '../../../calendar/terms/index.ts'
import type { TermKey } from '../../../model/resource.ts'
import type { Storage, Transaction } from '../../../storage/engine.ts'
import type { Skipped } from '../types.ts'
import { deleteProvenance, madeKind, provenanceOf } from './store-items.ts'

/** The categories and tags here. */
export type TermLookups = Readonly<Record<TermKey, TermLookup>>

/** A category or tag that a site has no more, by its key there and its ID here. */
export interface VanishedTerm {
  readonly kind: TermKey
  readonly key: string
  readonly id: number
}

/** What terms are removed with. */
export interface RemovalDeps {
  readonly storage: Storage
  /** Address of the API of the site. */
  readonly origin: string
  readonly lookups: TermLookups
  readonly cause: { readonly actor: number; readonly at: string }
}

/**
 * Deletes categories and tags that imports of the site created and that nothing here uses, children before their
 * parents; what stays, and why. Nothing that was here before the site was imported goes.
 */
export async function removeTerms(deps: RemovalDeps, gone: readonly VanishedTerm[]): Promise<readonly Skipped[]> {
  const skipped: Skipped[] = []
  for (const kind of ['category', 'tag'] as const) {
    const made = new Map<number, string>()
    for (const [key, { item_id }] of await provenanceOf(deps.storage, deps.origin, madeKind(kind)))
      made.set(item_id, key)
    const provenance = await provenanceOf(deps.storage, deps.origin, kind)
    let remaining = gone.filter((term) => term.kind === kind)
    for (const { key } of remaining) provenance.delete(key)
    const others = new Set([...provenance.values()].map(({ item_id }) => item_id))
    const stay = (term: VanishedTerm, why: string): void => void skipped.push({ what: `${kind} ${term.key}`, why })
    // Where another one of the site has become the same here, the term is still wanted.
    for (const { key } of remaining.filter(({ id }) => others.has(id)))
      await deleteProvenance(deps.storage, { origin: deps.origin, kind, keys: [key] })
    remaining = remaining.filter(({ id }) => !others.has(id))
    for (const term of remaining.filter(({ id }) => !made.has(id)))
      stay(term, 'it was here before the site was imported, so it stays')
    remaining = remaining.filter(({ id }) => made.has(id))
    for (let isFirst = true, before = 0; isFirst || remaining.length < before; isFirst = false) {
      before = remaining.length
      const still: VanishedTerm[] = []
      for (const term of remaining) {
        const madeKey = made.get(term.id) ?? term.key
        if ((await removeUnused(deps, { ...term, madeKey })) === 'used') still.push(term)
      }
      remaining = still
    }
    for (const term of remaining) stay(term, 'events or categories here use it, so it stays')
  }
  return skipped
}

async function removeUnused(
  { storage, origin, lookups, cause }: RemovalDeps,
  { kind, key, id, madeKey }: VanishedTerm & { readonly madeKey: string },
): Promise<'used' | 'gone'> {
  const isGone = await storage.write(async (tx) => {
    if (await isUsed(tx, kind, id)) return false
    await lookups[kind].remove(tx, { id, ...cause })
    return true
  })
  if (!isGone) return 'used'
  await deleteProvenance(storage, { origin, kind, keys: [key] })
  await deleteProvenance(storage, { origin, kind: madeKind(kind), keys: [madeKey] })
  return 'gone'
}

/** Whether an event outside the trash has a term, or a category stands below it. */
async function isUsed(tx: Transaction, kind: TermKey, id: number): Promise<boolean> {
  const child = await tx.first(tx.db.selectFrom(kind).select('id').where('parent', '=', id).limit(1))
  if (child !== undefined) return true
  const related =
    kind === 'category'
      ? tx.db.selectFrom('event_category').select('event_id').where('category_id', '=', id)
      : tx.db.selectFrom('event_tag').select('event_id').where('tag_id', '=', id)
  const event = tx.db.selectFrom('event').select('id').where('id', 'in', related).where('status', '!=', 'trash')
  return (await tx.first(event.limit(1))) !== undefined
}
