import type { Migration } from './migration.ts'

/** Rows of long texts have ids from here on (storage/text-rows.ts). */
const FIRST_OF_LONG = 2_147_483_648

const IS_WHOLE = (id: string): string => `${id} < ${FIRST_OF_LONG}`

/** The words that a row is found by; none for a row of a long text whose words are those between its spaces. */
function termsOf(row: 'old' | 'new'): string {
  return `case when ${IS_WHOLE(`${row}.id`)} then coalesce(${row}.terms, ${row}.body) else ${row}.terms end`
}

/** The words of a row as an argument of `json_each`. */
function listOf(row: 'old' | 'new'): string {
  return `'[' || replace(json_quote(replace(${termsOf(row)}, char(10), ' ')), ' ', '","') || ']'`
}

const FORGET = `insert into entry_word_fts (entry_word_fts, rowid, body)
  select 'delete', old.id, terms from (select ${termsOf('old')} as terms) where terms is not null;`

const NOTE = `insert into known_word_gone (terms)
  select terms from (select ${termsOf('old')} as terms) where terms is not null;`

/** A change takes few words away: looking for others that have them takes much longer than storing it. */
const NOTE_LOST = `insert into known_word_gone (terms) select terms from (
    select string_agg(value, ' ') as terms from (
      select value from json_each(${listOf('old')}) except select value from json_each(${listOf('new')})))
  where terms is not null;`

const ADD = `insert into entry_word_fts (rowid, body)
    select new.id, terms from (select ${termsOf('new')} as terms) where terms is not null;
  insert into known_word (word) select distinct part.value
    from json_each(case when ${IS_WHOLE('new.id')} then ${listOf('new')} end) as part
    where length(part.value) >= 3 and not exists (select 1 from known_word where word = part.value);`

/**
 * The words of long texts are not known any more, so that a long text of many words changes fewer pages: the index
 * of three characters finds them. Its words that no other text has are forgotten in the background. A change notes
 * only the words that it takes away.
 */
export const longTexts: Migration = {
  id: 25,
  name: 'long-texts',
  up: (dialect) =>
    dialect === 'postgres'
      ? []
      : [
          ...['added', 'removed', 'changed'].map((what) => `drop trigger entry_word_${what}`),
          `create trigger entry_word_added after insert on entry_text begin ${ADD} end`,
          `create trigger entry_word_removed after delete on entry_text begin ${FORGET} ${NOTE} end`,
          `create trigger entry_word_changed after update of body, terms on entry_text begin ${FORGET} ${NOTE_LOST} ${ADD} end`,
          `insert into entry_word_fts (entry_word_fts, rowid, body) select 'delete', id, body from entry_text
            where id >= ${FIRST_OF_LONG} and terms is null`,
          `insert into known_word_gone (terms) select body from entry_text where id >= ${FIRST_OF_LONG} and terms is null`,
        ],
}
