import type { ChangeEffect } from '../journal/entry.ts'
import type { Reader } from '../storage/engine.ts'
import { inList } from '../storage/statement-template.ts'
import type { EventLinks } from './event-row.ts'

/** The links of an event before and after a change, whoever may read it. */
export interface LinkChange {
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
