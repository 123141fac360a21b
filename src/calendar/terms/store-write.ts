import { type SqlBool, sql } from 'kysely'
import type { TermKey } from '../../model/resource.ts'
import type { Transaction } from '../../storage/engine.ts'
import { asStatement } from '../../storage/statement-builder.ts'
import { inList } from '../../storage/statement-template.ts'
import { deleteTarget, relist } from '../event-store/target.ts'
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
  await deleteTarget(tx, { kind: linkKind, id })
  await tx.run(tx.db.deleteFrom(key).where('id', '=', id))
}

/**
 * Moves the children of a term, or some of them, under another parent (0: the top) and returns them as they are now, by ID.
 */
export async function moveChildren(
  tx: Transaction,
  key: TermKey,
  { from, to, only }: { readonly from: number; readonly to: number; readonly only?: readonly number[] },
): Promise<Term[]> {
  const change = tx.db.updateTable(key).set((eb) => ({ parent: to, revision: eb('revision', '+', 1) }))
  const ofParent = change.where('parent', '=', from)
  const chosen = only === undefined ? ofParent : ofParent.where(inList(tx.engine, 'id', only))
  const moved = await tx.all(chosen.returning(TERM_COLUMNS))
  return moved.sort((a, b) => a.id - b.id)
}

/** A term, and events that are to have it. */
interface Uses {
  readonly id: number
  readonly events: readonly number[]
}

/** Gives a term to events that do not have it; those that are no more are left out. What lists read is left to others. */
export async function addUses(tx: Transaction, key: TermKey, { id, events }: Uses): Promise<void> {
  const { links, target } = TAXONOMY_LINKS[key]
  const [table, other] = [sql.table(links), sql.table('other')]
  await tx.run(
    asStatement(
      tx,
      sql`insert into ${table} (event_id, ${sql.ref(target)}, position)
      select event.id, cast(${id} as bigint),
        coalesce((select max(other.position) + 1 from ${table} as ${other} where other.event_id = event.id), 0)
      from event where ${inList(tx.engine, 'event.id', events)}`,
    ),
  )
}

/** Puts events that have a term directly on its lists, where none of them is yet, and into its totals. */
export async function listUses(tx: Transaction, key: TermKey, { id, events }: Uses): Promise<void> {
  const { linkKind } = TAXONOMY_LINKS[key]
  await relist(tx, { kind: linkKind, id }, { events, belongs: sql<SqlBool>`1 = 1` })
}

/** Sets the number of published events that use each of the terms directly, where it differs. */
export async function recountTerms(tx: Transaction, key: TermKey, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const { links, target } = TAXONOMY_LINKS[key]
  // A recurring event counts once with all its exceptions.
  const uses = sql<number>`(select count(distinct case when event.exception is null then event.id
      else (select series_date.series_id from series_date where series_date.exception_id = event.id) end)
    from ${sql.table(links)} inner join event on event.id = ${sql.ref(`${links}.event_id`)}
    where ${sql.ref(`${links}.${target}`)} = ${sql.ref(`${key}.id`)} and event.status = 'publish')`
  await tx.run(
    tx.db
      .updateTable(key)
      .set({ count: uses })
      .where(inList(tx.engine, `${key}.id`, ids))
      .where(`${key}.count`, '!=', uses),
  )
}
