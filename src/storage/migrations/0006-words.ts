import type { Migration } from './migration.ts'

/** Letters and digits are part of words anyway; U+0000 is in no text (decisions: text). */
const SIGNS = Array.from({ length: 127 }, (_none, code) => String.fromCharCode(code + 1)).filter(
  (sign) => !/[a-z0-9 \n]/i.test(sign),
)

/** An argument of FTS5 in quotes, which may be in quotes again. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
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

/**
 * Which words there are, found by any three characters, and which entries have them: a word that is searched for is part
 * of few words, and their lists are short. Words that no entry has any more stay known.
 */
export const words: Migration = {
  id: 6,
  name: 'words',
  up: (dialect) => {
    if (dialect === 'postgres') return []
    const tokenizer = quoted(`ascii tokenchars ${quoted(SIGNS.join(''))}`)
    const forget = `insert into entry_word_fts (entry_word_fts, rowid, body) values ('delete', old.id, old.body);`
    const add = `insert into entry_word_fts (rowid, body) values (new.id, new.body);
      ${learn('part.value', `json_each(${listOf('new.body')}) as part`)};`
    return [
      `create virtual table entry_word_fts using fts5(
        body, content='entry_text', content_rowid='id', columnsize=0, detail=none, tokenize=${tokenizer})`,
      'create table known_word (id integer primary key, word text not null unique)',
      `create virtual table known_word_fts using fts5(
        word, content='known_word', content_rowid='id', columnsize=0, tokenize='trigram case_sensitive 1')`,
      `create trigger known_word_added after insert on known_word begin
        insert into known_word_fts (rowid, word) values (new.id, new.word); end`,
      `create trigger entry_word_added after insert on entry_text begin ${add} end`,
      `create trigger entry_word_removed after delete on entry_text begin ${forget} end`,
      `create trigger entry_word_changed after update on entry_text begin ${forget} ${add} end`,
      ...fillWords(),
    ]
  },
}
