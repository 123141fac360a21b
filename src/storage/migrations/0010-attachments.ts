import type { Migration } from './migration.ts'

/** What writers of calendars say of an image after they have uploaded it, and the slug by which they find it again. */
export const attachments: Migration = {
  id: 10,
  name: 'attachments',
  up: () => [
    'alter table media add column slug text',
    "alter table media add column caption text not null default ''",
    'alter table media add column post_id integer not null default 0',
    'alter table media add column modified_at text',
    'create index media_slug on media (slug)',
  ],
}
