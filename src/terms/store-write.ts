import { sql } from 'kysely'
import { forgetTarget } from '../event-store/target.ts'
import type { TermKey } from '../model/resource.ts'
import type { Transaction } from '../storage/engine.ts'
import { inList } from '../storage/statement-template.ts'
import { TAXONOMY_LINKS, TERM_COLUMNS, type Term } from './tables.ts'

/** Adds a term. */
export async function insertTerm(tx: Transaction, key: TermKey, term: Term): Promise<void> {
  await tx.run(tx.db.insertInto(key).values(term))
}

/** Replaces a term by its changed self. */
export async function updateTerm(tx: Transaction, key: TermKey, term: Term): Promise<void> {
  const { id, ...columns } = term
  await tx.run(tx.db.updateTable(key).set(columns).where('id', '=', id))
}

/** Removes a term with all its uses. */
export async function deleteTerm(tx: Transaction, key: TermKey, id: number): Promise<void> {
  const { links, target, linkKind } = TAXONOMY_LINKS[key]
  await tx.run(tx.db.deleteFrom(links).where(target, '=', id))
  await forgetTarget(tx, { kind: linkKind, id })
  await tx.run(tx.db.deleteFrom(key).where('id', '=', id))
}

/** Moves the children of a term under another parent (0: to the top) and returns them as they are now, by id. */
export async function moveChildren(
  tx: Transaction,
  key: TermKey,
  move: { readonly from: number; readonly to: number },
): Promise<Term[]> {
  const moved = await tx.all(
    tx.db
      .updateTable(key)
      .set((eb) => ({ parent: move.to, revision: eb('revision', '+', 1) }))
      .where('parent', '=', move.from)
      .returning(TERM_COLUMNS),
  )
  return moved.sort((a, b) => a.id - b.id)
}

/** Sets the number of published events that use each of the terms directly, where it differs. */
export async function recountTerms(tx: Transaction, key: TermKey, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const { links, target } = TAXONOMY_LINKS[key]
  const uses = sql<number>`(select count(*) from ${sql.table(links)} inner join event on event.id = ${sql.ref(`${links}.event_id`)}
    where ${sql.ref(`${links}.${target}`)} = ${sql.ref(`${key}.id`)} and event.status = 'publish')`
  await tx.run(
    tx.db
      .updateTable(key)
      .set({ count: uses })
      .where(inList(tx.engine, `${key}.id`, ids))
      .where(`${key}.count`, '!=', uses),
  )
}
