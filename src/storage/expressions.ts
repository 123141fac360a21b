import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Search } from '../base/text/search.ts'
import { hasUnspacedLetters, isUnspacedPair } from '../base/text/unspaced.ts'
import type { EngineName } from './engine.ts'
import { areLong, entryOf } from './entry-texts.ts'
import { type ColumnRef, reference } from './statement-template.ts'

/** What each engine writes in its own way. */
interface Written {
  containsText(id: Expression<unknown>, word: string): Expression<SqlBool>
  hasText(body: Expression<unknown>, word: string): Expression<SqlBool>
  asJsonArray(column: Expression<unknown>): RawBuilder<string>
}

/**
 * The condition that the folded text of an entry (`entry_text.body`) contains a word anywhere. `id` is the column with
 * the entry's ID; `word` must be folded like the text (`fold`), and every character of it counts literally. An entry
 * without a text row contains nothing; the empty word is contained in every text.
 *
 * An index covers the words that it knows (`isIndexed`): cheap for rare ones, but tens of milliseconds in a large
 * calendar for common ones. Shorter words scan the texts of the rows that match the other conditions. Declare such
 * queries `offloaded`.
 */
export function containsText(engine: EngineName, id: ColumnRef, word: string): Expression<SqlBool> {
  return WRITTEN[engine].containsText(reference(id), word)
}

/**
 * The condition that the body of a row of `entry_text`, which is named `searched`, contains an indexed word: by that
 * index where there is one for single conditions.
 */
export function hasText(engine: EngineName, body: Expression<unknown>, word: string): Expression<SqlBool> {
  return WRITTEN[engine].hasText(body, word)
}

/** The condition that a row of the text of an entry contains a word, by reading them. */
function textOf(engine: EngineName, id: Expression<unknown>, word: string): Expression<SqlBool> {
  const found = hasText(engine, sql.ref('searched.body'), word)
  return sql<SqlBool>`(exists (select 1 from entry_text as searched where searched.id = ${id} and ${found})
    or exists (select 1 from entry_text as searched
      where ${areLong(sql`searched.id`)} and ${entryOf(sql`searched.id`)} = ${id} and ${found}))`
}

/**
 * The same condition with a hint that few rows meet it. Without statistics SQLite takes the index that was made first
 * (https://www.sqlite.org/lang_corefunc.html#unlikely); PostgreSQL has statistics.
 */
export function rarely(engine: EngineName, condition: Expression<SqlBool>): Expression<SqlBool> {
  return engine === 'sqlite' ? sql<SqlBool>`unlikely(${condition})` : condition
}

/**
 * The same condition, without an index on SQLite, for rows that another condition has found. Otherwise it may start
 * with a list in `in (...)` for each row of a preceding table.
 */
export function afterwards(engine: EngineName, condition: Expression<SqlBool>): Expression<SqlBool> {
  return engine === 'sqlite' ? sql<SqlBool>`(${condition}) is true` : condition
}

/** The values of a column in all rows of a query as the text of a JSON array, in any order; `[]` where there is no row. */
export function asJsonArray(engine: EngineName, column: ColumnRef): RawBuilder<string> {
  return WRITTEN[engine].asJsonArray(reference(column))
}

// The text row has its own name inside: the surrounding query may select from `entry_text` itself.
const WRITTEN: Record<EngineName, Written> = {
  sqlite: {
    containsText: (id, word) => {
      if (!isIndexed(word)) return textOf('sqlite', id, word)
      const index = isUnspacedPair(word) ? sql`entry_word_fts` : sql`entry_text_fts`
      return sql<SqlBool>`${id} in (select ${entryOf(sql`rowid`)} from ${index} where ${index} match ${phrase(word)})`
    },
    hasText: (body, word) => sql<SqlBool>`instr(${body}, ${word}) > 0`,
    asJsonArray: (column) => sql<string>`json_group_array(${column})`,
  },
  postgres: {
    containsText: (id, word) => {
      // PostgreSQL has no text with a NUL and refuses to compare with one.
      if (word.includes('\0')) return sql<SqlBool>`false`
      if (!isIndexed(word)) return textOf('postgres', id, word)
      const found = hasText('postgres', sql.ref('searched.body'), word)
      return sql<SqlBool>`${id} in (select ${entryOf(sql`searched.id`)} from entry_text as searched where ${found})`
    },
    hasText: (body, word) => {
      const contains = sql<SqlBool>`${body} like ${pattern(word)}`
      // pg_trgm does not index pairs; a scan finds the same.
      return isUnspacedPair(word)
        ? sql<SqlBool>`(searched.terms is not null and entry_text_pairs(${body}) @> array[${word}]::text[])`
        : contains
    },
    asJsonArray: (column) => sql<string>`coalesce(json_agg(${column}), '[]')::text`,
  },
}

/**
 * Whether the indexes of texts lead to a word: from three letters or digits on, and two of scripts without spaces. That
 * of PostgreSQL has nothing else, so a word of other characters would read all texts; FTS5 reads a phrase only up to a NUL.
 */
export function isIndexed(word: string): boolean {
  const letters = word.match(LETTER)?.length ?? 0
  return (letters >= 3 || isUnspacedPair(word) || hasUnspacedLetters(word)) && !word.includes('\0')
}

/** Vowel signs count, as for the C library, by which PostgreSQL knows them. */
const LETTER = /[\p{Alphabetic}\p{Nd}]/gu

/** Whether an index of texts finds what has the words of a search, because it covers one of them. */
export function hasIndexedWord({ words }: Pick<Search, 'words'>): boolean {
  return words.some(isIndexed)
}

/** A word as a string of the FTS5 query language (https://www.sqlite.org/fts5.html#fts5_strings). */
export function phrase(word: string): string {
  return `"${word.replaceAll('"', '""')}"`
}

/** The LIKE pattern of PostgreSQL for a word anywhere. */
function pattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`
}
