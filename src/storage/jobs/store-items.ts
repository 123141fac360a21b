import type { Reader, Transaction } from '../engine.ts'
import type { LongWorkItemTable } from '../schema.ts'

/** An item as it was chosen. */
export type ChosenRow = Pick<LongWorkItemTable, 'item_id' | 'status' | 'scope'>

/** How many items of some work are in each state. */
export interface ItemCounts {
  readonly waiting: number
  readonly done: number
  readonly same: number
  readonly refused: number
  /** All of them; 0 where none was chosen yet. */
  readonly all: number
}

/** Rows of one statement. */
const TOGETHER = 500

/** Notes all items of some work, in one transaction: whatever happens later, it is known what was not reached. */
export async function addItems(tx: Transaction, id: number, items: readonly ChosenRow[]): Promise<void> {
  const rows = items.map(({ item_id, status, scope }, position): LongWorkItemTable => {
    return { ...{ work_id: id, position, item_id, status, scope }, state: '', title: '', problem: null }
  })
  for (let done = 0; done < rows.length; done += TOGETHER)
    await tx.run(tx.db.insertInto('long_work_item').values(rows.slice(done, done + TOGETHER)))
}

/** Items of some work in a state in their order, the first `most`; '' is that of those that wait. */
export function itemsIn(
  reader: Reader,
  { id, state }: { readonly id: number; readonly state: string },
  most: number,
): Promise<LongWorkItemTable[]> {
  const query = reader.db.selectFrom('long_work_item').selectAll().where('work_id', '=', id).where('state', '=', state)
  return reader.all(query.orderBy('position').limit(most))
}

/** Notes what became of an item. */
export async function finishItem(
  tx: Transaction,
  { work_id, position }: Pick<LongWorkItemTable, 'work_id' | 'position'>,
  change: Pick<LongWorkItemTable, 'state'> & Partial<Pick<LongWorkItemTable, 'title' | 'problem'>>,
): Promise<void> {
  const update = tx.db.updateTable('long_work_item').set(change).where('work_id', '=', work_id)
  await tx.run(update.where('position', '=', position))
}

/** How many items of some work are in each state. */
export async function countItems(reader: Reader, id: number): Promise<ItemCounts> {
  const query = reader.db
    .selectFrom('long_work_item')
    .select(['state', (row) => row.fn.countAll().as('count')])
    .where('work_id', '=', id)
    .groupBy('state')
  const counts = new Map((await reader.all(query)).map(({ state, count }) => [state, Number(count)]))
  const of = (state: string): number => counts.get(state) ?? 0
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return { waiting: of(''), done: of('done'), same: of('same'), refused: of('refused'), all }
}
