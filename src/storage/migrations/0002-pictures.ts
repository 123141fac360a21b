import type { Migration } from './migration.ts'

/** Images: one row each; the files lie in the media folder. Entries that name one are found by their own index. */
export const pictures: Migration = {
  id: 2,
  name: 'pictures',
  up: () => [
    `create table media (
      id integer primary key, author_id integer not null, created_at text not null,
      title text not null, alt text not null, mime text not null,
      width integer not null, height integer not null, filesize integer not null,
      file text not null, sizes text not null, source_url text, revision integer not null)`,
    'create index media_file on media (file)',
    'create index media_source on media (source_url) where source_url is not null',
    ...['event', 'venue', 'organizer'].map(
      (table) => `create index ${table}_image on ${table} (image_id) where image_id is not null`,
    ),
  ],
}
