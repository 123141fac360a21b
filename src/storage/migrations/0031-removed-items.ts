import type { Migration } from './migration.ts'

/** Sources and webhooks that were removed, as long as that can be undone. */
export const removedItems: Migration = {
  id: 31,
  name: 'removed items',
  up: () => [
    `create table removed_item (
      id integer primary key, kind text not null, item_id integer not null, at text not null, kept text not null)`,
  ],
}
