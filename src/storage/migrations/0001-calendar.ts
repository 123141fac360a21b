import type { Migration } from './migration.ts'

const ENTRY = `
  id integer primary key,
  author_id integer not null,
  status text not null,
  trashed_from text,
  slug text not null unique,
  published_at text not null,
  modified_at text not null,
  description text not null,
  excerpt text not null,
  image_id integer,
  image_recorded text,
  extra text,
  revision integer not null`

const LINKED = `
  name text not null,
  name_folded text not null,
  phone text not null,
  website text not null`

const TERM = `
  id integer primary key,
  name text not null,
  name_folded text not null,
  name_key text not null,
  slug text not null unique,
  description text not null,
  parent integer not null,
  count integer not null,
  search_text text not null,
  extra text,
  revision integer not null`

function identity(): string[] {
  return [
    'create table meta (key text primary key, value text not null)',
    'create table counter (name text primary key, value integer not null)',
    `insert into counter (name, value) values ('entry', 0), ('term', 0), ('user', 0), ('application_password', 0)`,
    'create table entry (id integer primary key, kind text not null)',
    'create table term (id integer primary key, taxonomy text not null)',
    `create table entry_lineage (
      entry_id integer not null, position integer not null, global_id text not null, primary key (entry_id, position))`,
    'create index entry_lineage_global on entry_lineage (global_id)',
  ]
}

function people(): string[] {
  return [
    `create table "user" (
      id integer primary key, name text not null, name_folded text not null unique, email text not null,
      email_folded text not null unique, role text not null, display_name text not null,
      created_at text not null, disabled_at text)`,
    `create table application_password (
      id integer primary key, user_id integer not null references "user" (id), name text not null,
      hash text not null, created_at text not null, revoked_at text)`,
    'create index application_password_user on application_password (user_id)',
  ]
}

function resources(): string[] {
  return [
    `create table event (${ENTRY},
      title text not null, all_day integer not null,
      start_local text not null, end_local text not null, start_utc text not null, end_utc text not null,
      timezone text not null, cost text not null, cost_symbol text not null, cost_position text not null,
      website text, show_map integer not null, show_map_link integer not null,
      hide_from_listings integer not null, sticky integer not null, featured integer not null,
      password_hash text, post_parent integer not null, tickets text, custom_fields text)`,
    'create index event_scheduled on event (status, published_at)',
    'create index event_author on event (author_id)',
    'create index event_parent on event (post_parent)',
    `create table venue (${ENTRY}, ${LINKED},
      address text not null, city text not null, country text not null, province text not null,
      state text not null, zip text not null, stateprovince text not null,
      show_map integer not null, show_map_link integer not null, geo_lat double precision, geo_lng double precision)`,
    `create table organizer (${ENTRY}, ${LINKED}, email text not null)`,
    ...['venue', 'organizer'].flatMap((table) => [
      `create index ${table}_page on ${table} (status, published_at, id)`,
      `create index ${table}_recent on ${table} (published_at, id)`,
      `create index ${table}_name on ${table} (name_folded, id)`,
    ]),
    ...['category', 'tag'].flatMap((table) => [
      `create table ${table} (${TERM})`,
      `create index ${table}_sorted on ${table} (name_key, id)`,
      `create index ${table}_name on ${table} (name_folded)`,
      `create index ${table}_parent on ${table} (parent)`,
    ]),
  ]
}

function relations(): string[] {
  return [
    ...['venue', 'organizer', 'category', 'tag'].flatMap((target) => [
      `create table event_${target} (
        event_id integer not null references event (id) on delete cascade,
        ${target}_id integer not null references ${target} (id) on delete cascade,
        position integer not null, primary key (event_id, ${target}_id))`,
      `create index event_${target}_target on event_${target} (${target}_id, event_id)`,
    ]),
    `create table occurrence (
      id integer primary key, event_id integer not null references event (id) on delete cascade,
      start_local text not null, end_local text not null, start_utc text not null, end_utc text not null,
      span integer not null, published_at text not null, status text not null, listed integer not null,
      author_id integer not null, featured integer not null)`,
    'create index occurrence_page on occurrence (listed, status, start_local, published_at, id, end_local)',
    'create index occurrence_any on occurrence (listed, start_local, published_at, id, status, author_id, end_local)',
    'create index occurrence_span on occurrence (listed, status, span, start_local, published_at, id, end_local)',
    'create index occurrence_end on occurrence (end_utc)',
    'create index occurrence_event on occurrence (event_id)',
  ]
}

function linkCopies(dialect: 'sqlite' | 'postgres'): string[] {
  const tail = dialect === 'sqlite' ? ' without rowid' : ''
  return [
    `create table occurrence_link (
      kind integer not null, target_id integer not null, listed integer not null, status text not null,
      start_local text not null, published_at text not null,
      occurrence_id integer not null references occurrence (id) on delete cascade, event_id integer not null,
      primary key (kind, target_id, listed, status, start_local, published_at, occurrence_id))${tail}`,
    'create index occurrence_link_occurrence on occurrence_link (occurrence_id)',
    'create index occurrence_link_event on occurrence_link (event_id)',
  ]
}

function text(dialect: 'sqlite' | 'postgres'): string[] {
  const table = 'create table entry_text (id integer primary key, body text not null)'
  if (dialect === 'postgres') return [table]
  return [
    table,
    `create virtual table entry_text_fts using fts5(
      body, content='entry_text', content_rowid='id', tokenize='trigram case_sensitive 1')`,
    `create trigger entry_text_added after insert on entry_text begin
      insert into entry_text_fts (rowid, body) values (new.id, new.body); end`,
    `create trigger entry_text_removed after delete on entry_text begin
      insert into entry_text_fts (entry_text_fts, rowid, body) values ('delete', old.id, old.body); end`,
    `create trigger entry_text_changed after update on entry_text begin
      insert into entry_text_fts (entry_text_fts, rowid, body) values ('delete', old.id, old.body);
      insert into entry_text_fts (rowid, body) values (new.id, new.body); end`,
  ]
}

function journal(): string[] {
  return [
    `create table journal (
      seq integer primary key, at text not null, actor integer, resource text not null, id integer not null,
      revision integer not null, action text not null, snapshot text)`,
    'create index journal_item on journal (resource, id, revision)',
    'create table journal_head (id integer primary key, seq integer not null)',
    'insert into journal_head (id, seq) values (1, 0)',
  ]
}

/** The calendar as it first stood: identity, people, the five resources, relations, occurrences, text and journal. */
export const calendar: Migration = {
  id: 1,
  name: 'calendar',
  up: (dialect) => [
    ...identity(),
    ...people(),
    ...resources(),
    ...relations(),
    ...linkCopies(dialect),
    ...text(dialect),
    ...journal(),
  ],
}
