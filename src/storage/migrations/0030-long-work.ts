import type { Migration } from './migration.ts'

/** What goes on while nobody waits for it: imports, backups and bulk changes, with their progress and reports. */
export const longWork: Migration = {
  id: 30,
  name: 'long work',
  up: () => [
    `create table long_work (
      id integer primary key, kind text not null, lane text not null, state text not null, by_id integer not null,
      by_name text not null, about text not null, done integer not null, total integer not null,
      started_at text not null, seen_at text not null, ended_at text, is_stopping integer not null,
      follows integer not null, outcome text, problem text)`,
    'create index long_work_lane on long_work (lane, id)',
    `create table long_work_item (
      work_id integer not null, position integer not null, item_id integer not null, status text not null,
      scope text not null, state text not null, title text not null, problem text, primary key (work_id, position))`,
  ],
}
