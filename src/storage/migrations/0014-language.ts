import type { Migration } from './migration.ts'

/** The language in which an event, venue or organizer is written; '' when it is not known. */
export const language: Migration = {
  id: 14,
  name: 'language',
  up: () =>
    ['event', 'venue', 'organizer'].map((table) => `alter table ${table} add column language text not null default ''`),
}
