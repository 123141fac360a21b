/** Work that continues while nobody waits for it: imports, backups and changes of many items. */

export { openLongWork } from './long-work.ts'
export { addItems, type ChosenRow, countItems, finishItem, type ItemCounts, itemsIn } from './store-items.ts'
export type { LongWork, LongWorkEntry, NewLongWork, WorkProblem } from './types.ts'
