import type { ChangeEffect } from '../journal/entry.ts'
import type { Reader } from '../storage/engine.ts'
import { inList } from '../storage/expressions.ts'
import type { EventLinks } from './event-row.ts'

/** What an event was linked to before a change, and is linked to after it, whoever may read it. */
export interface Relinking {
  readonly before: EventLinks
  readonly after: EventLinks
}

type Counted = ChangeEffect['recounted']

/**
 * The terms whose count an event alters, and those without a published event that it takes up or leaves: an event that
 * nobody else may read decides whether such a term is told to others (decisions: Term lists).
 *
 * @param recounted those whose count is altered
 */
export async function affectedTerms(reader: Reader, links: Relinking, recounted: Counted): Promise<Counted> {
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
