import { type Expression, type SqlBool, sql } from 'kysely'
import type { Search } from '../text/search.ts'
import { isUnspacedPair } from '../text/unspaced.ts'
import type { EngineName } from './engine.ts'
import { planByWords, selectByWords } from './entries-by-words.ts'
import { hasText, isIndexed, phrase } from './expressions.ts'
import { areLong, entryOf, hasLong } from './text-rows.ts'

/** Entries that a search finds, and what is left to check on them. */
export interface TextEntries {
  /** A subquery in parentheses: rows with the `id` of an entry, each entry once. */
  readonly entries: Expression<{ id: number }>
  /** What no index covers (`isIndexed`); undefined when that is nothing. */
  readonly rest: Search | undefined
}

/**
 * The entries whose folded text (`entry_text.body`) contains all words of a search and none of those that it excludes,
 * to start a query with. Undefined where no index finds them, because every word is too short.
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

/** PostgreSQL has its own statistics. A long text has several rows: those of each word are found separately. */
function byPatterns({ words, excluded }: Search): Expression<{ id: number }> {
  const body = sql.ref('searched.body')
  const conditions = [
    ...words.map((word) => hasText('postgres', body, word)),
    ...excluded.map((word) => sql<SqlBool>`not ${hasText('postgres', body, word)}`),
  ]
  const each = [...words, ...excluded].map(
    (word, key) => sql`select searched.id, ${sql.lit(key)} as key from entry_text as searched
      where ${hasLong} and ${areLong(sql`searched.id`)} and ${hasText('postgres', body, word)}`,
  )
  return sql`(select id from entry_text as searched
      where not ${areLong(sql`searched.id`)} and ${sql.join(conditions, sql` and `)}
    union all ${ofLong(sql`(${sql.join(each, sql` union all `)})`, words.length)})`
}

/** A select of the long texts among rows with an `id` and the `key` of a word: those that have all and none that is excluded. */
function ofLong(rows: Expression<unknown>, words: number): Expression<{ id: number }> {
  return sql`select ${entryOf(sql`id`)} as id from ${rows} as having_word
    group by 1 having count(distinct key) filter (where key < ${sql.lit(words)}) = ${sql.lit(words)}
      and count(*) filter (where key >= ${sql.lit(words)}) = 0`
}

/**
 * By the words of the calendar that contain the search terms; by trigrams where there are too many, and in long texts,
 * where each word is looked up separately.
 */
function byWords(known: Search): Expression<{ id: number }> {
  const plan = planByWords(known)
  const long = ofLong(longByTriples(known), known.words.length)
  if (plan === undefined) return sql`(${byTriples(known, sql`true`)} union all ${long})`
  const rest = sql<SqlBool>`not exists (select 1 from by_words)`
  return sql`(with ${plan} ${selectByWords()} union all ${byTriples(known, rest)} union all ${long})`
}

/** A select from the trigram index, and from that of words for terms of only two characters, of texts that are stored whole. */
function byTriples(known: Search, isAsked: Expression<SqlBool>): Expression<{ id: number }> {
  const long = { words: known.words.filter(isLong), excluded: known.excluded.filter(isLong) }
  const pairs = { words: known.words.filter(isUnspacedPair), excluded: known.excluded.filter(isUnspacedPair) }
  return long.words.length === 0 ? byPairs(known, isAsked) : byRarest({ long, pairs }, isAsked)
}

/** The same of rows of long texts, with the `key` of the word that each contains. */
function longByTriples({ words, excluded }: Search): Expression<unknown> {
  const each = [...words, ...excluded].map((word, key) => {
    const index = isLong(word) ? sql`entry_text_fts` : sql`entry_word_fts`
    return sql`select rowid as id, ${sql.lit(key)} as key from ${index}
      where ${hasLong} and ${index} match ${phrase(word)} and ${areLong(sql`rowid`)}`
  })
  return sql`(${sql.join(each, sql` union all `)})`
}

function isLong(word: string): boolean {
  return !isUnspacedPair(word)
}

/** Where all words are pairs of characters, and something long is excluded. */
function byPairs({ words, excluded }: Search, isAsked: Expression<SqlBool>): Expression<{ id: number }> {
  return sql`select rowid as id from entry_word_fts
    where ${isAsked} and entry_word_fts match ${words.map(phrase).join(' AND ')} and not ${areLong(sql`rowid`)}
      and not exists (select 1 from entry_text as searched where searched.id = entry_word_fts.rowid
        and (${sql.join(excludedIn(excluded), sql` or `)}))`
}

function excludedIn(excluded: readonly string[]): Expression<SqlBool>[] {
  return [sql<SqlBool>`false`, ...excluded.map((word) => hasText('sqlite', sql.ref('searched.body'), word))]
}

/**
 * Three characters in a row are rare when fewer entries have them than one in so many, and fewer than so many: these are
 * counted in no time.
 */
const RARE = 1_000

/** Trigrams that entries are found by: more of them hardly reduce the texts to check. */
const TRIPLES = 3

/** Triples that are counted, so that a search of many words does not spend its time on counting. */
const COUNTED = 64

/**
 * The index of SQLite finds a word by walking the lists of all its trigrams, with their positions in the text. Where
 * one of them is rare it is quicker to find what has the rarest ones, at any position, and to check these texts. A
 * conditional query is written as a statement that otherwise finds nothing.
 */
function byRarest(
  { long, pairs }: { readonly long: Search; readonly pairs: Search },
  isAsked: Expression<SqlBool>,
): Expression<{ id: number }> {
  const body = sql.ref('searched.body')
  const conditions = long.words.map((word) => hasText('sqlite', body, word))
  const without = excludedIn(long.excluded)
  const hasAll = sql<SqlBool>`exists (select 1 from entry_text as searched
    where searched.id = entry_text_fts.rowid and ${sql.join(conditions, sql` and `)}
      and not (${sql.join(without, sql` or `)}))`
  return sql`select entry_text_fts.rowid as id
    from ${planFor(long, isAsked)} as plan cross join entry_text_fts
    where entry_text_fts match plan.query and not ${areLong(sql`entry_text_fts.rowid`)} and (plan.is_whole or ${hasAll})
      ${pairConditions(pairs)}`
}

function pairConditions({ words, excluded }: Search): Expression<unknown> {
  const having = (query: string) =>
    sql`entry_text_fts.rowid in (select rowid from entry_word_fts where entry_word_fts match ${query})`
  const wanted = words.length === 0 ? sql`` : sql`and ${having(words.map(phrase).join(' AND '))}`
  return excluded.length === 0 ? wanted : sql`${wanted} and not ${having(excluded.map(phrase).join(' OR '))}`
}

/**
 * A subquery of one row: the query for the index, and whether that is the whole search. A single rare trigram is
 * combined with its neighbours.
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
