import type { Migration } from './migration.ts'

/** Who sent the events that wait for review, for those who review them and for nobody else. */
export const submissions: Migration = {
  id: 26,
  name: 'submissions',
  up: () => [
    `create table submission (
      event_id integer primary key, name text not null, email text not null, created_at text not null)`,
  ],
}
