import type { Migration } from './migration.ts'

/** What events and dates were called before, for their old addresses. */
export const formerSlugs: Migration = {
  id: 27,
  name: 'former-slugs',
  up: () => [
    `create table former_slug (
      entry_id integer not null, number integer not null, slug text not null, at text not null,
      primary key (entry_id, number))`,
    'create index former_slug_slug on former_slug (slug)',
  ],
}
