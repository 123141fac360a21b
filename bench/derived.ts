// What the program derives of events one by one as they are stored, for all of them at once.

/** Kind of the copies of categories. */
const CATEGORY = 3

/** The statement that lists what stands under categories under all those above them, too. */
export function listUnderAncestors(): string {
  return `insert into occurrence_link
      (kind, target_id, listed, status, start_local, published_at, occurrence_id, event_id)
    with recursive above (category_id, ancestor_id) as (
      select id, parent from category where parent <> 0
      union
      select above.category_id, category.parent from above
        inner join category on category.id = above.ancestor_id where category.parent <> 0)
    select distinct ${CATEGORY}, above.ancestor_id, listed, status, start_local, published_at, occurrence_id, event_id
    from above inner join occurrence_link on occurrence_link.target_id = above.category_id
    where occurrence_link.kind = ${CATEGORY}
    on conflict do nothing`
}

/** The words of a folded text, which is all between spaces and newlines, as an argument of `json_each`. */
function listOf(body: string): string {
  return `'[' || replace(json_quote(replace(${body}, char(10), ' ')), ' ', '","') || ']'`
}

/** Adds words to those that are known; under three characters nobody asks for them. */
function learn(word: string, from: string): string {
  return `insert into known_word (word) select distinct ${word} from ${from}
    where length(${word}) >= 3 and not exists (select 1 from known_word where word = ${word})`
}

/** Bytes of a word from which on FTS5 cuts it off. */
const LONGEST = 32_768

/** Memory of the index of words while it is made, in bytes; then the default of SQLite again. */
const HASH = { large: 32 * 1024 * 1024, usual: 1024 * 1024 }

/** The statements that index the words of all texts again and learn those that are not known yet; for SQLite. */
export function fillWords(): string[] {
  const setting = (name: string, value: number): string =>
    `insert into entry_word_fts (entry_word_fts, rank) values ('${name}', ${value})`
  return [
    setting('hashsize', HASH.large),
    `insert into entry_word_fts (entry_word_fts) values ('rebuild')`,
    // Otherwise the sixteenth write after this would merge all of it with the little that is new: seconds, at once.
    `insert into entry_word_fts (entry_word_fts) values ('optimize')`,
    setting('hashsize', HASH.usual),
    // Of the connection, and gone with it.
    'create virtual table if not exists temp.entry_word_list using fts5vocab(main, entry_word_fts, row)',
    `${learn('term', 'temp.entry_word_list')} and octet_length(term) < ${LONGEST}`,
    `${learn('part.value', `entry_text, json_each(${listOf('entry_text.body')}) as part`)}
      and octet_length(part.value) >= ${LONGEST} and octet_length(entry_text.body) >= ${LONGEST}`,
    `insert into known_word_fts (known_word_fts) values ('optimize')`,
  ]
}
