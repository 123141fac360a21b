/** Scripts without spaces, two characters of which are found like a word (base/text/unspaced.ts). */
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

/** Rows of long texts have IDs from here on (storage/entry-texts.ts). */
const FIRST_OF_LONG = 2_147_483_648

/** Letters and digits are part of words anyway; U+0000 is in no text (decisions: text). */
const SIGNS = Array.from({ length: 127 }, (_none, code) => String.fromCharCode(code + 1)).filter(
  (sign) => !/[a-z0-9 \n]/i.test(sign),
)

/** An argument of FTS5 in quotes, which may be in quotes again. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The texts that searches read. */
export function texts(dialect: 'sqlite' | 'postgres'): string[] {
  return [
    'create table entry_text (id integer primary key, body text not null, terms text)',
    `create index entry_text_long on entry_text ((((id + 2147483648) & 4294967295) - 2147483648))
      where id >= ${FIRST_OF_LONG}`,
    ...(dialect === 'sqlite' ? [...trigrams(), ...words()] : pairs()),
  ]
}

/** Any three characters of a text; PostgreSQL gets its index of them when it starts, because the server may lack pg_trgm. */
function trigrams(): string[] {
  const forget = `insert into entry_text_fts (entry_text_fts, rowid, body) values ('delete', old.id, old.body);`
  const add = 'insert into entry_text_fts (rowid, body) values (new.id, new.body);'
  return [
    `create virtual table entry_text_fts using fts5(
      body, content='entry_text', content_rowid='id', tokenize='trigram case_sensitive 1')`,
    `create trigger entry_text_added after insert on entry_text begin ${add} end`,
    `create trigger entry_text_removed after delete on entry_text begin ${forget} end`,
    `create trigger entry_text_changed after update of body on entry_text begin ${forget} ${add} end`,
  ]
}

/** Pairs of characters of scripts without spaces. */
function pairs(): string[] {
  return [
    `create function entry_text_pairs (body text) returns text[] language sql immutable parallel safe as $$
      select coalesce(array_agg(distinct pair), '{}') from (
        select one || lead(one) over (order by place) as pair
        from unnest(string_to_array(body, null)) with ordinality as letter (one, place)) as pairs
      where pair ~ '^${UNSPACED_CLASS}{2}$' $$`,
    'create index entry_text_paired on entry_text using gin (entry_text_pairs(body)) where terms is not null',
  ]
}

/** The words that a row is found by; none for a row of a long text whose words are those between its spaces. */
function termsOf(row: 'old' | 'new'): string {
  return `case when ${row}.id < ${FIRST_OF_LONG} then coalesce(${row}.terms, ${row}.body) else ${row}.terms end`
}

/** The words of a new row, which are all between spaces and newlines, as an argument of `json_each`. */
const WORDS = `'[' || replace(json_quote(replace(${termsOf('new')}, char(10), ' ')), ' ', '","') || ']'`

const FORGET = `insert into entry_word_fts (entry_word_fts, rowid, body)
  select 'delete', old.id, terms from (select ${termsOf('old')} as terms) where terms is not null;`

const ADD = `insert into entry_word_fts (rowid, body)
    select new.id, terms from (select ${termsOf('new')} as terms) where terms is not null;
  insert into known_word (word) select distinct part.value
    from json_each(case when new.id < ${FIRST_OF_LONG} then ${WORDS} end) as part
    where length(part.value) >= 3 and not exists (select 1 from known_word where word = part.value);`

/**
 * Which words there are, found by any three characters, and which entries have them: a word that is searched for is part
 * of few words, and their lists are short. Words of long texts are not known: the index of three characters finds them.
 * A word stays known when no text has it any longer: looking for others that have it takes much longer than storing a change.
 */
function words(): string[] {
  const tokenizer = quoted(`ascii tokenchars ${quoted(SIGNS.join(''))}`)
  return [
    `create virtual table entry_word_fts using fts5(
      body, content='entry_text', content_rowid='id', columnsize=0, detail=none, tokenize=${tokenizer})`,
    'create table known_word (id integer primary key, word text not null unique)',
    `create virtual table known_word_fts using fts5(
      word, content='known_word', content_rowid='id', columnsize=0, tokenize='trigram case_sensitive 1')`,
    `create trigger known_word_added after insert on known_word begin
      insert into known_word_fts (rowid, word) values (new.id, new.word); end`,
    `create trigger known_word_removed after delete on known_word begin
      insert into known_word_fts (known_word_fts, rowid, word) values ('delete', old.id, old.word); end`,
    `create trigger entry_word_added after insert on entry_text begin ${ADD} end`,
    `create trigger entry_word_removed after delete on entry_text begin ${FORGET} end`,
    `create trigger entry_word_changed after update of body, terms on entry_text begin ${FORGET} ${ADD} end`,
  ]
}
