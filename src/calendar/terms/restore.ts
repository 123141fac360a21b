import { fail } from '../../base/errors.ts'
import { fold } from '../../base/text/fold.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { type Caller, forbidden } from '../../http/auth/rights.ts'
import type { TermKey } from '../../model/resource.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { deleteRemoved, lastRemoval, removedItem } from '../../storage/removed-items.ts'
import { recordEventChanges } from '../event-store/record-changes.ts'
import { inSlices } from '../event-store/series/slices.ts'
import { eventsBelow, regroup } from '../event-store/terms.ts'
import type { RemovedTerm } from './removed-term.ts'
import { MAY_WRITE } from './routes.ts'
import { derivedColumns } from './rules.ts'
import { idOfSlug, idsOfDuplicates, termById } from './store.ts'
import { eventsWith } from './store-events.ts'
import { addUses, insertTerm, listUses, moveChildren, recountTerms } from './store-write.ts'
import type { Term } from './tables.ts'
import { recordTerm } from './write.ts'

/** Which deletion to undo, for whom and when. */
export interface TermRestoration {
  /** Number of the removal. */
  readonly removal: number
  readonly caller: Caller
  /** Unix milliseconds. */
  readonly now: number
}

/**
 * Restores a term with its ID, texts and place, the children that moved to its parent and are still there, and all events
 * that lost it, whatever else was changed of them since. If its parent is gone, it gets the one that the children of that
 * got.
 * @throws rest_forbidden, precondition_failed where it is no longer in the trash, duplicate_term_slug and term_exists where
 * its slug or name is in use
 */
export async function restoreTerm(tx: Transaction, key: TermKey, restoration: TermRestoration): Promise<Term> {
  const { removal, caller, now } = restoration
  if (!MAY_WRITE[key](caller.role)) throw forbidden(caller)
  const kept = await removedItem<RemovedTerm>(tx, { id: removal, kind: key, now })
  if (kept === undefined || (await termById(tx, key, kept.term.id)) !== undefined) throw fail('precondition_failed')
  const { term: was } = kept
  const { id, slug } = was
  if ((await idOfSlug(tx, key, slug)) !== undefined) throw fail('duplicate_term_slug', { slug })
  const parent = await placeLeft(tx, was.parent, now)
  const agent = { actor: caller.id, at: utcFromMillis(now) }
  const children = await moveChildren(tx, key, { from: parent, to: id, only: kept.children })
  const sameName = await idsOfDuplicates(tx, key, { name: fold(was.name), parent })
  if (sameName.some((one) => !kept.namesakes.includes(one))) throw fail('term_exists')
  // Deleting it was a revision, too.
  const term = { ...was, ...derivedColumns(was), parent, count: 0, revision: was.revision + 2 }
  await insertTerm(tx, key, term)
  recordTerm(tx, { key, term, action: 'restore' }, agent)
  for (const child of children) recordTerm(tx, { key, term: child, action: 'update' }, agent)
  await inSlices(tx, kept.events, {
    step: async (ids) => {
      await addUses(tx, key, { id, events: ids })
      await recordEventChanges(tx, ids, agent)
    },
  })
  await recountTerms(tx, key, [id])
  if (key === 'category') await regroup(tx, { parents: [id], events: await eventsBelow(tx, [id]) })
  else await listUses(tx, key, { id, events: await eventsWith(tx, key, id) })
  await deleteRemoved(tx, removal)
  return term
}

/** The category, or 0, that replaces a parent: of a deleted one, the one that its children moved to. */
async function placeLeft(reader: Reader, parent: number, now: number): Promise<number> {
  if (parent === 0 || (await termById(reader, 'category', parent)) !== undefined) return parent
  const removal = await lastRemoval(reader, { kind: 'category', itemId: parent })
  if (removal === undefined) return 0
  const kept = await removedItem<RemovedTerm>(reader, { id: removal, kind: 'category', now })
  // Each was there when the one before was deleted, so this ends.
  return kept === undefined ? 0 : placeLeft(reader, kept.term.parent, now)
}
