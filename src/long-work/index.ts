/** Work that goes on while nobody waits for it: imports, backups and changes of many items. */

export { openLongWork } from './long-work.ts'
export type { LongWork, LongWorkEntry, NewLongWork, WorkProblem } from './types.ts'
