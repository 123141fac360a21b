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
  revision integer not null,
  language text not null default ''`

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
  color text not null default '',
  shade integer not null default 0,
  count integer not null,
  search_text text not null,
  extra text,
  revision integer not null`

/** Counters, IDs that entries and terms share, and what they were called before. */
export function identity(): string[] {
  return [
    'create table meta (key text primary key, value text not null)',
    'create table counter (name text primary key, value integer not null)',
    `insert into counter (name, value) values ('entry', 0), ('term', 0), ('user', 0), ('application_password', 0)`,
    'create table entry (id integer primary key, kind text not null)',
    'create table term (id integer primary key, taxonomy text not null)',
    `create table former_slug (
      entry_id integer not null, number integer not null, slug text not null, at text not null,
      primary key (entry_id, number))`,
    'create index former_slug_slug on former_slug (slug)',
  ]
}

/**
 * Events. What they recur by stands in their row, their dates in a table of their own, and a date that differs from the
 * others has a row of `event` that nobody sees by itself.
 */
export function events(): string[] {
  return [
    `create table event (${ENTRY},
      title text not null, all_day integer not null,
      start_local text not null, end_local text not null, start_utc text not null, end_utc text not null,
      timezone text not null, cost text not null, cost_symbol text not null, cost_position text not null,
      website text, show_map integer not null, show_map_link integer not null,
      hide_from_listings integer not null, sticky integer not null, featured integer not null,
      password_hash text, post_parent integer not null, tickets text, custom_fields text,
      recurrence text, exception text, address_start text,
      event_status text not null default 'scheduled', event_status_reason text not null default '',
      previous_start text, is_virtual integer not null default 0, virtual_url text not null default '',
      virtual_type text not null default '')`,
    'create index event_scheduled on event (status, published_at)',
    'create index event_author on event (author_id)',
    'create index event_parent on event (post_parent)',
    'create index event_protected on event (id) where password_hash is not null',
    'create index event_series on event (id) where recurrence is not null',
    // Costs of a length that fits every index.
    "create index event_cost on event (cost) where cost <> '' and length(cost) <= 300",
    "create index event_status on event (event_status) where event_status <> 'scheduled'",
    'create index event_virtual on event (id) where is_virtual = 1',
    "create index event_language on event (language) where language <> ''",
    `create table series_date (
      id integer primary key, series_id integer not null references event (id) on delete cascade,
      recurrence_id text not null, position integer not null, of_day integer not null, exception_id integer,
      address text)`,
    'create index series_date_start on series_date (series_id, recurrence_id)',
    'create index series_date_exception on series_date (series_id) where exception_id is not null',
    'create index series_date_address on series_date (address) where address is not null',
    'create index series_date_shows on series_date (exception_id) where exception_id is not null',
    `create table ticket (
      id integer primary key, event_id integer not null references event (id) on delete cascade,
      position integer not null)`,
    'create index ticket_event on ticket (event_id, position)',
    `create table submission (
      event_id integer primary key, name text not null, email text not null, created_at text not null,
      language text not null default '', state text not null default 'waiting', reason text not null default '',
      decided_at text, link text not null default '',
      sealed_link text not null default '', question text not null default '', answer text not null default '',
      into_id integer)`,
    "create unique index submission_link on submission (link) where link <> ''",
    'create table decline_reason (id integer primary key, reason text not null)',
  ]
}

/** What events are linked to: venues, organizers and terms, and images. */
export function linked(): string[] {
  return [
    `create table venue (${ENTRY}, ${LINKED},
      address text not null, city text not null, country text not null, province text not null,
      state text not null, zip text not null, stateprovince text not null,
      show_map integer not null, show_map_link integer not null, geo_lat double precision, geo_lng double precision,
      exclusive integer not null default 0)`,
    'create index venue_exclusive on venue (id) where exclusive = 1',
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
    ...['venue', 'organizer', 'category', 'tag'].flatMap((target) => [
      `create table event_${target} (
        event_id integer not null references event (id) on delete cascade,
        ${target}_id integer not null references ${target} (id) on delete cascade,
        position integer not null, primary key (event_id, ${target}_id))`,
      `create index event_${target}_target on event_${target} (${target}_id, event_id)`,
    ]),
    ...images(),
  ]
}

/** The rows of images; their files are in the media folder. */
function images(): string[] {
  return [
    `create table media (
      id integer primary key, author_id integer not null, created_at text not null,
      title text not null, alt text not null, mime text not null,
      width integer not null, height integer not null, filesize integer not null,
      file text not null, sizes text not null, source_url text, revision integer not null,
      slug text, caption text not null default '', post_id integer not null default 0, modified_at text)`,
    'create index media_file on media (file)',
    'create index media_source on media (source_url) where source_url is not null',
    'create index media_slug on media (slug)',
    ...['event', 'venue', 'organizer'].map(
      (table) => `create index ${table}_image on ${table} (image_id) where image_id is not null`,
    ),
  ]
}

/** What lists read: a narrow copy of events, copies in the order of lists under what they are linked to, and counters. */
export function lists(dialect: 'sqlite' | 'postgres'): string[] {
  const tail = dialect === 'sqlite' ? ' without rowid' : ''
  return [
    `create table occurrence (
      id integer primary key, event_id integer not null references event (id) on delete cascade,
      start_local text not null, end_local text not null, start_utc text not null, end_utc text not null,
      span integer not null, published_at text not null, status text not null, listed integer not null,
      author_id integer not null, featured integer not null)`,
    'create index occurrence_page on occurrence (listed, status, start_local, published_at, id, end_local)',
    'create index occurrence_any on occurrence (listed, start_local, published_at, id, status, author_id, end_local)',
    'create index occurrence_span on occurrence (listed, status, span, start_local, published_at, id, end_local)',
    ...(dialect === 'sqlite' ? [BRIEF] : ENDS),
    `create table occurrence_link (
      kind integer not null, target_id integer not null, listed integer not null, status text not null,
      start_local text not null, published_at text not null,
      occurrence_id integer not null references occurrence (id) on delete cascade, event_id integer not null,
      primary key (kind, target_id, listed, status, start_local, published_at, occurrence_id))${tail}`,
    'create index occurrence_link_occurrence on occurrence_link (occurrence_id)',
    'create index occurrence_link_event on occurrence_link (event_id)',
    `create table event_count (
      kind integer not null, target_id integer not null, status text not null, level integer not null,
      period text not null, starts integer not null, ends integer not null,
      primary key (kind, target_id, status, level, period))${tail}`,
  ]
}

/**
 * What a search asks of each event that has its words, in so few bytes that hundreds of thousands of them are soon read
 * from the disk: moments as numbers of four bytes (six before 1902 and from 2038 on) instead of texts of nineteen. It
 * starts with the event, so that SQLite needs no other index of it: each date of a series costs a page of every index
 * that is ordered by time, and one commit writes them all.
 */
const BRIEF = `create index occurrence_brief on occurrence (event_id, listed, status, author_id, featured,
  unixepoch(start_local), unixepoch(end_local), unixepoch(published_at))`

const ENDS = [
  'create index occurrence_end on occurrence (end_utc)',
  'create index occurrence_event on occurrence (event_id)',
]
