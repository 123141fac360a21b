import { type Expression, sql } from 'kysely'
import type { Search } from '../text/search.ts'
import { phrase } from './expressions.ts'

/**
 * Words of the calendar that one searched for may be part of: with more of them the index of three characters is
 * quicker.
 */
const PARTS = 128

// A bound limit would have SQLite prepare the statement again each time.
const limit = sql.lit(PARTS + 1)

/** Bytes of a word from which on its index knows only the beginning. */
const LONGEST = 32_768

/**
 * A subquery in parentheses, for SQLite: one row with the `query` that asks `entry_word_fts` for the entries of a search,
 * or none where words are part of too many others. Undefined where something that is searched for has a space. The index
 * must know all words (`isIndexed`).
 */
export function planByWords({ words, excluded }: Search): Expression<unknown> | undefined {
  const asked = [...words, ...excluded]
  if (asked.some((word) => /\s/.test(word))) return undefined
  return sql`(with named (is_wanted, query) as materialized (
      select asked.key < ${words.length}, (
        select case when count(*) = ${limit} or max(octet_length(word)) >= ${sql.lit(LONGEST)} then null
          else coalesce(string_agg('"' || replace(word, '"', '""') || '"', ' OR '), '""') end
        from (select word from known_word_fts where known_word_fts match asked.value limit ${limit}))
      from json_each(${JSON.stringify(asked.map(phrase))}) as asked)
    select '(' || string_agg(query, ') AND (') filter (where is_wanted) || ')'
      || coalesce(' NOT (' || string_agg(query, ' OR ') filter (where not is_wanted) || ')', '') as query
    from named having count(*) = count(query))`
}
