import type { Migration } from './migration.ts'

/** The trash of what has no status: removed items with their title, owner and who removed them. */
export const trash: Migration = {
  id: 37,
  name: 'trash',
  up: () => [
    'drop table removed_item',
    `create table removed_item (
      id integer primary key, kind text not null, item_id integer not null, title text not null,
      author_id integer not null, actor integer, at text not null, kept text not null)`,
  ],
}
