import type { Migration } from './migration.ts'

/**
 * What a search asks of each event that has its words, in so few bytes that hundreds of thousands of them are soon read
 * from the disk: moments as numbers of four bytes (six before 1902 and from 2038 on) instead of texts of nineteen.
 * `occurrence_event` begins as this index does, and goes with `fewerIndexes`.
 */
export const brief: Migration = {
  id: 7,
  name: 'brief',
  up: (dialect) =>
    dialect === 'postgres'
      ? []
      : [
          `create index occurrence_brief on occurrence (event_id, listed, status, author_id, featured,
            unixepoch(start_local), unixepoch(end_local), unixepoch(published_at))`,
        ],
}
