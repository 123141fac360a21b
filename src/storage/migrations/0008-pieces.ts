import type { Migration } from './migration.ts'

/** Scripts without spaces, and pieces of long words, as the program of this migration has them (text/unspaced.ts). */
const RANGES = [
  [0x0e01, 0x0eff],
  [0x0f00, 0x0fff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
  [0xa9e0, 0xa9ff],
  [0xaa60, 0xaa7f],
  [0x3005, 0x3007],
  [0x3041, 0x30fa],
  [0x30fc, 0x312f],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0x20000, 0x3ffff],
] as const
const UNSPACED_CLASS = `[${RANGES.map((range) => range.map((code) => String.fromCodePoint(code)).join('-')).join('')}]`
const PIECE_LENGTH = 64
const PIECE_STEP = 32

/** The words of a folded text, which is all between spaces and newlines, as an argument of `json_each`. */
function listOf(body: string): string {
  return `'[' || replace(json_quote(replace(${body}, char(10), ' ')), ' ', '","') || ']'`
}

/** What `indexTerms` makes of a text, for those that were stored before. */
function termsOf(body: string): string {
  return `(select group_concat(term, ' ') from (
    with recursive piece (rest) as (
      select value from json_each(${listOf(body)})
      union all select substr(rest, ${PIECE_STEP + 1}) from piece where length(rest) > ${PIECE_LENGTH}),
    term (term) as (select substr(rest, 1, ${PIECE_LENGTH}) from piece),
    pair (rest) as (
      select term from term where term glob '*${UNSPACED_CLASS}${UNSPACED_CLASS}*'
      union all select substr(rest, 2) from pair where length(rest) > 2)
    select term from term union
    select substr(rest, 1, 2) from pair where substr(rest, 1, 2) glob '${UNSPACED_CLASS}${UNSPACED_CLASS}'))`
}

/** Whether a text has terms that are not its words. */
const IS_UNUSUAL = `(body glob '*${UNSPACED_CLASS}${UNSPACED_CLASS}*' or body glob '*${'[^ \n]'.repeat(PIECE_LENGTH + 1)}*')`

const OLD = 'coalesce(old.terms, old.body)'
const NEW = 'coalesce(new.terms, new.body)'

const FORGET = `insert into entry_word_fts (entry_word_fts, rowid, body) values ('delete', old.id, ${OLD});`

const NOTE = `insert into known_word_gone (terms) values (${OLD});`

const ADD = `insert into entry_word_fts (rowid, body) values (new.id, ${NEW});
  insert into known_word (word) select distinct part.value from json_each(${listOf(NEW)}) as part
    where length(part.value) >= 3 and not exists (select 1 from known_word where word = part.value);`

/** The entry that a row belongs to, and which rows are those of long texts (storage/text-rows.ts). */
const ENTRY = '(((id + 2147483648) & 4294967295) - 2147483648)'
const ARE_LONG = 'id >= 2147483648'

/** Characters of a row of a long text, and of those how many the next row does not repeat. */
const ROW = { length: 8_192, step: 7_168 }

/** Cuts long texts that were stored whole into rows, so that no statement has to index all of one. */
function cutLongTexts(): string[] {
  return [
    `insert into entry_text (id, body, terms)
      with recursive cut (id, place, body) as (
        select id, 1, body from entry_text where length(body) > ${ROW.length}
        union all select id, place + 1, substr(body, ${ROW.step + 1}) from cut where length(body) > ${ROW.length})
      select id + place * 4294967296, part, case when ${IS_UNUSUAL.replaceAll('body', 'part')} then ${termsOf('part')} end
      from (select id, place, substr(body, 1, ${ROW.length}) as part from cut)`,
    `delete from entry_text where id < 2147483648 and length(body) > ${ROW.length}`,
  ]
}

function sqlite(): string[] {
  return [
    `alter table entry_text add column terms text default null`,
    'create table known_word_gone (id integer primary key, terms text not null)',
    `create index entry_text_long on entry_text (${ENTRY}) where ${ARE_LONG}`,
    'create index event_protected on event (id) where password_hash is not null',
    `create trigger known_word_removed after delete on known_word begin
      insert into known_word_fts (known_word_fts, rowid, word) values ('delete', old.id, old.word); end`,
    ...['entry_text_changed', 'entry_word_added', 'entry_word_removed', 'entry_word_changed'].map(
      (name) => `drop trigger ${name}`,
    ),
    `create trigger entry_text_changed after update of body on entry_text begin
      insert into entry_text_fts (entry_text_fts, rowid, body) values ('delete', old.id, old.body);
      insert into entry_text_fts (rowid, body) values (new.id, new.body); end`,
    `create trigger entry_word_added after insert on entry_text begin ${ADD} end`,
    `create trigger entry_word_removed after delete on entry_text begin ${FORGET} ${NOTE} end`,
    `create trigger entry_word_changed after update of body, terms on entry_text begin ${FORGET} ${NOTE} ${ADD} end`,
    ...cutLongTexts(),
    `update entry_text set terms = ${termsOf('body')} where terms is null and ${IS_UNUSUAL}`,
    'delete from known_word_gone',
    // Words that no text has any more: what was too long for a key, and what earlier versions have left.
    'create virtual table if not exists temp.entry_word_list using fts5vocab(main, entry_word_fts, row)',
    'delete from known_word where word not in (select term from temp.entry_word_list)',
    // Otherwise the sixteenth write after this might merge all of it with the little that is new: seconds, at once.
    ...['entry_word_fts', 'known_word_fts', 'entry_text_fts'].map(
      (index) => `insert into ${index} (${index}) select 'optimize' where exists (
        select 1 from entry_text where terms is not null)`,
    ),
  ]
}

function postgres(): string[] {
  return [
    `alter table entry_text add column terms text default null`,
    `create index entry_text_long on entry_text (${ENTRY}) where ${ARE_LONG}`,
    'create index event_protected on event (id) where password_hash is not null',
    `create function entry_text_pairs (body text) returns text[] language sql immutable parallel safe as $$
      select coalesce(array_agg(distinct pair), '{}') from (
        select one || lead(one) over (order by place) as pair
        from unnest(string_to_array(body, null)) with ordinality as letter (one, place)) as pairs
      where pair ~ '^${UNSPACED_CLASS}{2}$' $$`,
    `update entry_text set terms = (select string_agg(distinct term, ' ') from (
        select substr(word, 1 + ${PIECE_STEP} * step, ${PIECE_LENGTH}) as term
        from unnest(string_to_array(replace(body, e'\\n', ' '), ' ')) as word,
          generate_series(0, greatest(0, (length(word) - ${PIECE_LENGTH} + ${PIECE_STEP - 1}) / ${PIECE_STEP})) as step
        union select unnest(entry_text_pairs(body))) as terms)
      where body ~ '${UNSPACED_CLASS}{2}|[^ \\n]{${PIECE_LENGTH + 1}}'`,
    'create index entry_text_paired on entry_text using gin (entry_text_pairs(body)) where terms is not null',
  ]
}

/**
 * Words of more than 64 characters are known by pieces that overlap, and two characters of a script without spaces are a
 * word. Which words went with a text is noted, so that those which no other text has can be forgotten.
 */
export const pieces: Migration = {
  id: 8,
  name: 'pieces',
  up: (dialect) => (dialect === 'sqlite' ? sqlite() : postgres()),
}
