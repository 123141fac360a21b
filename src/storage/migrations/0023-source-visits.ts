import type { Migration } from './migration.ts'

/** What the visits of followed calendars came to, and since when one is being visited. */
export const sourceVisits: Migration = {
  id: 23,
  name: 'source-visits',
  up: () => [
    `create table source_visit (
      source_id integer not null, number integer not null, first_at text not null, last_at text not null,
      times integer not null, outcome text not null, created integer not null, updated integer not null,
      unchanged integer not null, trashed integer not null, skipped integer not null, kept integer not null,
      problem text not null, primary key (source_id, number))`,
    'alter table source add column visiting_since text',
  ],
}
