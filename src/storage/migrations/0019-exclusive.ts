import type { Migration } from './migration.ts'

/** Venues at which no two events take place at the same time. */
export const exclusive: Migration = {
  id: 19,
  name: 'exclusive',
  up: () => [
    'alter table venue add column exclusive integer not null default 0',
    'create index venue_exclusive on venue (id) where exclusive = 1',
  ],
}
