import type { Reader, Transaction } from '../storage/engine.ts'
import { insertRow } from '../storage/row-writes.ts'
import type { LongWorkItemTable } from '../storage/schema.ts'

/** An item as it was chosen. */
export type ChosenRow = Pick<LongWorkItemTable, 'item_id' | 'status' | 'scope'>

/** How many items of some work are in each state. */
export interface ItemCounts {
  readonly waiting: number
  readonly done: number
  readonly same: number
  readonly refused: number
}

/** Appends items to those of some work, of which there are `count` already. */
export async function addItems(
  tx: Transaction,
  { id, count }: { readonly id: number; readonly count: number },
  items: readonly ChosenRow[],
): Promise<void> {
  for (const [index, { item_id, status, scope }] of items.entries()) {
    const chosen = { work_id: id, position: count + index, item_id, status, scope }
    await insertRow(tx, 'long_work_item', { ...chosen, state: '', title: '', problem: null })
  }
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
export async function settleItem(
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
  return { waiting: of(''), done: of('done'), same: of('same'), refused: of('refused') }
}
