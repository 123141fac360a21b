import { type SqlBool, sql } from 'kysely'
import type { TermKey } from '../../model/resource.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import type { ChangeEffect } from '../../storage/journal/entry.ts'
import { LINK_KIND } from '../../storage/schema.ts'
import { type GivenAll, idsTemplate, inList, operand, statementTemplate } from '../../storage/statement-template.ts'
import type { EventLinks } from './event-row.ts'
import { relist } from './target.ts'

/** The links of an event before and after a change, whoever may read it. */
interface LinkChange {
  readonly before: EventLinks
  readonly after: EventLinks
}

type Counted = ChangeEffect['recounted']

/**
 * The terms whose count an event changes, and those without a published event that it gains or loses: an event that
 * only its writers may read decides whether such a term is shown to others (decisions: Term lists).
 * @param recounted the terms whose count changes
 */
export async function affectedTerms(reader: Reader, links: LinkChange, recounted: Counted): Promise<Counted> {
  const all = [...recounted]
  for (const resource of ['category', 'tag'] as const) {
    const isKnown = (id: number): boolean => recounted.some((one) => one.resource === resource && one.id === id)
    const [had, has] = [links.before[resource], links.after[resource]]
    const moved = [...had.filter((id) => !has.includes(id)), ...has.filter((id) => !had.includes(id))]
    const ids = moved.filter((id) => !isKnown(id))
    if (ids.length === 0) continue
    const { db, engine } = reader
    const unseen = db
      .selectFrom(resource)
      .select('id')
      .where('count', '=', 0)
      .where(inList(engine, 'id', ids))
    all.push(...(await reader.all(unseen)).map(({ id }) => ({ resource, id })))
  }
  return all
}

/**
 * Adjusts the counts of the terms that an event gained or lost; returns these terms with all that `affectedTerms` names.
 * @param counted the links of the event that count, before and after its change
 */
export async function recountTerms(tx: Transaction, counted: LinkChange, links: LinkChange): Promise<Counted> {
  return affectedTerms(tx, links, await adjustCounts(tx, counted))
}

/** Adjusts the counts of the terms that an event gained or lost; returns these terms. */
export async function adjustCounts(tx: Transaction, { before, after }: LinkChange): Promise<Counted> {
  const recounted: { resource: string; id: number }[] = []
  for (const table of ['category', 'tag'] as const) {
    const gained = after[table].filter((id) => !before[table].includes(id))
    const lost = before[table].filter((id) => !after[table].includes(id))
    for (const [ids, step] of [
      [gained, 1],
      [lost, -1],
    ] as const) {
      for (const id of ids) {
        recounted.push({ resource: table, id })
        await tx.run(countUp(tx, { shape: table, values: { id, step } }))
      }
    }
  }
  return recounted
}

const countUp = statementTemplate(
  (reader: Reader, table: TermKey, { id, step }: GivenAll<{ readonly id: number; readonly step: 1 | -1 }>) =>
    reader.db
      .updateTable(table)
      .set((row) => ({ count: row('count', '+', operand(step)) }))
      .where('id', '=', operand(id)),
)

/** The categories with these IDs and all above them, each once, by ID; unknown IDs are left out. */
export async function categoriesUpFrom(reader: Reader, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  return (await reader.all(upFrom(reader, ids))).map((row) => row.id)
}

const upFrom = idsTemplate((reader, hasId) =>
  reader.db
    .withRecursive('above', (db) =>
      db
        .selectFrom('category')
        .select(['id', 'parent'])
        .where(hasId('category.id'))
        .union(
          db
            .selectFrom('category')
            .innerJoin('above', 'above.parent', 'category.id')
            .select(['category.id', 'category.parent']),
        ),
    )
    .selectFrom('above')
    .select('id')
    .orderBy('id'),
)

/** The categories with these IDs and all below them, each once, by ID; unknown IDs are left out. */
export async function categoriesDownFrom(reader: Reader, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const query = reader.db
    .withRecursive('below', (db) =>
      db
        .selectFrom('category')
        .select('id')
        .where(inList(reader.engine, 'category.id', ids))
        .union(db.selectFrom('category').innerJoin('below', 'below.id', 'category.parent').select('category.id')),
    )
    .selectFrom('below')
    .select('id')
    .orderBy('id')
  return (await reader.all(query)).map((row) => row.id)
}

/** Categories that got another parent or were deleted, and the events that this affects. */
interface CategoryMove {
  /** Parents before and after, 0 for none. */
  readonly parents: readonly number[]
  readonly events: readonly number[]
}

/** Lists show an event under its categories and all their ancestors: updates that after the tree has changed. */
export async function regroup(tx: Transaction, { parents, events }: CategoryMove): Promise<void> {
  const paths: number[][] = []
  for (const parent of parents) paths.push(await categoriesUpFrom(tx, [parent]))
  const all = new Set(paths.flat())
  // An ancestor of all of them had these events before and still has them.
  const shared = (id: number): boolean => paths.length > 1 && paths.every((path) => path.includes(id))
  for (const id of [...all].filter((one) => !shared(one)).sort((one, other) => one - other)) {
    const below = await categoriesDownFrom(tx, [id])
    const belongs = sql<SqlBool>`exists (select 1 from event_category
      where event_category.event_id = occurrence.event_id and ${inList(tx.engine, 'event_category.category_id', below)})`
    await relist(tx, { kind: LINK_KIND.category, id }, { events, belongs })
  }
}

/** The events with these categories or with one below them, whatever their status, by ID. */
export async function eventsBelow(reader: Reader, ids: readonly number[]): Promise<number[]> {
  const below = await categoriesDownFrom(reader, ids)
  const query = reader.db
    .selectFrom('event_category')
    .select('event_id')
    .distinct()
    .where(inList(reader.engine, 'event_category.category_id', below))
    .orderBy('event_id')
  return (await reader.all(query)).map((row) => row.event_id)
}
