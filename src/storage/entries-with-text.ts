import { type Expression, type SqlBool, sql } from 'kysely'
import type { Search } from '../text/search.ts'
import type { EngineName } from './engine.ts'
import { planByWords } from './entries-by-words.ts'
import { isIndexed, pattern, phrase } from './expressions.ts'

/** Entries that a search finds, and what it still asks of them. */
export interface TextEntries {
  /** A subquery in parentheses: rows with the `id` of an entry, each entry once. */
  readonly entries: Expression<{ id: number }>
  /** What no index knows: words under 3 characters; undefined when that is nothing. */
  readonly rest: Search | undefined
}

/**
 * The entries whose folded text (`entry_text.body`) contains all words of a search and none of those that it excludes,
 * to begin a query with. Undefined where no index leads to them, because every word has less than 3 characters.
 */
export function entriesWithText(engine: EngineName, { words, excluded }: Search): TextEntries | undefined {
  const known = { words: longestFirst(words.filter(isIndexed)), excluded: excluded.filter(isIndexed) }
  if (known.words.length === 0) return undefined
  const left = {
    words: words.filter((word) => !isIndexed(word)),
    excluded: excluded.filter((word) => !isIndexed(word)),
  }
  const rest = left.words.length + left.excluded.length > 0 ? left : undefined
  return { entries: engine === 'sqlite' ? byWords(known) : byPatterns(known), rest }
}

/** The longest word is likely to be the rarest. */
function longestFirst(words: readonly string[]): string[] {
  return words.toSorted((one, other) => other.length - one.length)
}

/** PostgreSQL has statistics of its own. */
function byPatterns({ words, excluded }: Search): Expression<{ id: number }> {
  const conditions = [
    ...words.map((word) => sql<SqlBool>`searched.body like ${pattern(word)}`),
    ...excluded.map((word) => sql<SqlBool>`searched.body not like ${pattern(word)}`),
  ]
  return sql`(select id from entry_text as searched where ${sql.join(conditions, sql` and `)})`
}

/** By the words of the calendar that those searched for are part of; by their triples where there are too many. */
function byWords(known: Search): Expression<{ id: number }> {
  const plan = planByWords(known)
  if (plan === undefined) return sql`(${byRarest(known, sql`true`)})`
  return sql`(with by_words (query) as materialized ${plan}
    select entry_word_fts.rowid as id from by_words cross join entry_word_fts
      where entry_word_fts match by_words.query
    union all ${byRarest(known, sql`not exists (select 1 from by_words)`)})`
}

/**
 * Three characters in a row are rare when fewer entries have them than one in so many, and fewer than so many: these are
 * counted in no time.
 */
const RARE = 1_000

/** Triples that entries are found by: with more of them hardly fewer texts are left to look into. */
const TRIPLES = 3

/** Triples that are counted, so that a search of many words does not spend its time on counting. */
const COUNTED = 64

/**
 * The index of SQLite finds a word by walking the lists of all its triples of characters, with their places in the text.
 * Where one of them is rare it is quicker to find what has the rarest ones, wherever they stand, and to look into these
 * texts. What is asked of it only under a condition is a statement that finds nothing otherwise.
 */
function byRarest({ words, excluded }: Search, isAsked: Expression<SqlBool>): Expression<{ id: number }> {
  const conditions = [
    ...words.map((word) => sql<SqlBool>`instr(searched.body, ${word}) > 0`),
    ...excluded.map((word) => sql<SqlBool>`instr(searched.body, ${word}) = 0`),
  ]
  const hasAll = sql<SqlBool>`exists (select 1 from entry_text as searched
    where searched.id = entry_text_fts.rowid and ${sql.join(conditions, sql` and `)})`
  return sql`select entry_text_fts.rowid as id
    from ${planFor({ words, excluded }, isAsked)} as plan cross join entry_text_fts
    where entry_text_fts match plan.query and (plan.is_whole or ${hasAll})`
}

/**
 * A subquery of one row: what to ask the index for, and whether that is the whole search. Beside a single rare triple
 * those that stand next to it are asked for.
 */
function planFor({ words, excluded }: Search, isAsked: Expression<SqlBool>): Expression<unknown> {
  const all = words.map(phrase).join(' AND ')
  const whole = excluded.length === 0 ? all : `(${all}) NOT (${excluded.map(phrase).join(' OR ')})`
  const triples = triplesOf(words).slice(0, COUNTED).map(phrase)
  const many = sql`(select many from bound)`
  return sql`(with
    bound (many) as (select min(${RARE}, 1 + coalesce(max(id), 0) / ${RARE}) from entry_text),
    counted (triple, place, entries) as materialized (
      select value, key, (select count(*) from (
        select 1 from entry_text_fts where entry_text_fts match asked.value limit ${many}))
      from json_each(${JSON.stringify(triples)}) as asked where ${isAsked}),
    rarest (triple, entries) as (
      select triple, entries from counted
      order by entries, abs(place - (select place from counted order by entries limit 1)) limit ${sql.lit(TRIPLES)})
    select
      min(entries) = ${many} as is_whole,
      case min(entries) when ${many} then ${whole} else string_agg(triple, ' AND ' order by entries) end as query
    from rarest having count(*) > 0)`
}

/** Each three characters in a row of some words, once. */
function triplesOf(words: readonly string[]): string[] {
  const triples = words.flatMap((word) => {
    const characters = [...word]
    return characters.slice(2).map((last, index) => `${characters[index]}${characters[index + 1]}${last}`)
  })
  return [...new Set(triples)]
}
