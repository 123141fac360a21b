import type { TermKey } from '../../model/resource.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import type { ChangeEffect } from '../../storage/journal/entry.ts'
import { type GivenAll, inList, operand, statementTemplate } from '../../storage/statement-template.ts'
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
