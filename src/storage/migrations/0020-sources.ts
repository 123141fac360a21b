import type { Migration } from './migration.ts'

/** Calendars elsewhere that are followed, and what an import said of each event, so that changes made here are told from it. */
export const sources: Migration = {
  id: 20,
  name: 'sources',
  up: () => [
    `create table source (
      id integer primary key, name text not null, url text not null, every integer not null, status text not null,
      categories text not null, zone text not null, paused integer not null, etag text not null,
      last_modified text not null, digest text not null, refresh integer not null, next_at text not null,
      checked_at text, synced_at text, failures integer not null, problem text not null, report text,
      created_at text not null)`,
    'create unique index source_url on source (url)',
    `create table source_event (
      id integer primary key, source_id integer not null, name text not null, said text not null,
      is_gone integer not null)`,
    'create index source_event_name on source_event (name)',
    'create index source_event_source on source_event (source_id)',
  ],
}
