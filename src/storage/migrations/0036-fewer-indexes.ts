import type { Migration } from './migration.ts'

/**
 * No statement finds anything by `occurrence_end`, and `occurrence_brief` begins as `occurrence_event` does. With SQLite
 * each date of a series costs a page of every index that is ordered by time, and one commit writes them all.
 */
export const fewerIndexes: Migration = {
  id: 36,
  name: 'fewer indexes',
  up: (dialect) => (dialect === 'postgres' ? [] : ['drop index occurrence_end', 'drop index occurrence_event']),
}
