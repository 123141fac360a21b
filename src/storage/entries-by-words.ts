import { type Expression, sql } from 'kysely'
import type { Search } from '../text/search.ts'
import { isUnspacedPair, WHOLE_LENGTH } from '../text/unspaced.ts'
import { phrase } from './expressions.ts'
import { areLong } from './text-rows.ts'

/**
 * Words of the calendar that one searched for may be part of: with more of them the index of three characters is
 * quicker.
 */
const PARTS = 128

// A bound limit would have SQLite prepare the statement again each time.
const limit = sql.lit(PARTS + 1)

/** Whether the index of words finds a word, as any part of a word in the calendar. */
function isPartOfWord(word: string): boolean {
  return !/\s/.test(word) && [...word].length <= WHOLE_LENGTH
}

/**
 * Common table expressions, for SQLite: `named` has for each word of a search the `query` for `entry_word_fts`, null
 * where it is part of too many others; `by_words` has one row with the query of all of them, or none. Undefined where a
 * search term has a space or is very long. The index must know all words (`isIndexed`); it has none of long texts.
 */
export function planByWords({ words, excluded }: Search): Expression<unknown> | undefined {
  const asked = [...words, ...excluded]
  if (!asked.every(isPartOfWord)) return undefined
  const pairs = asked.filter(isUnspacedPair).map(phrase)
  const known = sql`(select case when count(*) = ${limit} then null
      else coalesce(string_agg('"' || replace(word, '"', '""') || '"', ' OR '), '""') end
    from (select word from known_word_fts where known_word_fts match asked.value limit ${limit}))`
  const query =
    pairs.length === 0 ? known : sql`case when asked.value in (${sql.join(pairs)}) then asked.value else ${known} end`
  return sql`named (key, is_wanted, query) as materialized (
      select asked.key, asked.key < ${words.length}, ${query} from json_each(${JSON.stringify(asked.map(phrase))}) as asked),
    by_words (query) as materialized (
      select '(' || string_agg(query, ') AND (') filter (where is_wanted) || ')'
        || coalesce(' NOT (' || string_agg(query, ' OR ') filter (where not is_wanted) || ')', '') as query
      from named having count(*) = count(query))`
}

/** A select of the entries that the plan of a search finds among the texts that are stored whole. */
export function selectByWords(): Expression<{ id: number }> {
  return sql`select entry_word_fts.rowid as id from by_words cross join entry_word_fts
    where entry_word_fts match by_words.query and not ${areLong(sql`entry_word_fts.rowid`)}`
}
