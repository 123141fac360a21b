import type { Migration } from './migration.ts'

/** What has become of an event, and whether it takes place online. */
export const attendance: Migration = {
  id: 13,
  name: 'attendance',
  up: () => [
    "alter table event add column event_status text not null default 'scheduled'",
    "alter table event add column event_status_reason text not null default ''",
    'alter table event add column previous_start text',
    'alter table event add column is_virtual integer not null default 0',
    "alter table event add column virtual_url text not null default ''",
    "alter table event add column virtual_type text not null default ''",
  ],
}
