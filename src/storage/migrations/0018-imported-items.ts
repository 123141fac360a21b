import type { Migration } from './migration.ts'

/** What was taken over from other sites, so that a second time brings only what has changed. */
export const importedItems: Migration = {
  id: 18,
  name: 'imported-items',
  up: () => [
    `create table imported_item (
      origin text not null, kind text not null, key text not null, item_id integer not null, digest text not null,
      primary key (origin, kind, key))`,
  ],
}
