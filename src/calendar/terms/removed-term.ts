import { fold } from '../../base/text/fold.ts'
import type { TermKey } from '../../model/resource.ts'
import type { Transaction } from '../../storage/engine.ts'
import { keepRemoved } from '../../storage/removed-items.ts'
import { idsOfDuplicates } from './store.ts'
import type { Term } from './tables.ts'

/** A deleted term, and what lost it. */
export interface RemovedTerm {
  readonly term: Term
  /** IDs of the children, which moved to its parent. */
  readonly children: readonly number[]
  readonly events: readonly number[]
  /** IDs of the terms that had its name beside it, with slugs of their own. */
  readonly namesakes: readonly number[]
}

/** Stores a term that has just been deleted, so that `restoreTerm` can restore it. */
export async function keepTerm(
  tx: Transaction,
  key: TermKey,
  { term, actor, at, ...lost }: Omit<RemovedTerm, 'namesakes'> & { readonly actor: number | null; readonly at: string },
): Promise<void> {
  const namesakes = await idsOfDuplicates(tx, key, { name: fold(term.name), parent: term.parent })
  const kept: RemovedTerm = { term, ...lost, namesakes }
  await keepRemoved(tx, { kind: key, item_id: term.id, title: term.name, actor, at, kept })
}
