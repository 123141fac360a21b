import { type SqlBool, sql } from 'kysely'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { LINK_KIND } from '../../storage/schema.ts'
import { idsTemplate, inList } from '../../storage/statement-template.ts'
import { relist } from './target.ts'

/** The categories with these ids and all above them, each once, by id; unknown ids are left out. */
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

/** The categories with these ids and all below them, each once, by id; unknown ids are left out. */
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
export interface CategoryMove {
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

/** The events with these categories or with one below them, whatever their status, by id. */
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
