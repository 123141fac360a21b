import { type Expression, type SqlBool, sql } from 'kysely'
import type { Search } from '../base/text/search.ts'
import { isUnspacedPair, WHOLE_LENGTH } from '../base/text/unspaced.ts'
import type { EngineName } from './engine.ts'
import { areLong, entryOf, hasLong } from './entry-texts.ts'
import { hasText, isIndexed, phrase } from './expressions.ts'

/** Entries that a search finds, and what is left to check on them. */
export interface TextEntries {
  /** A subquery in parentheses: rows with the `id` of an entry, each entry once. */
  readonly entries: Expression<{ id: number }>
  /** What no index covers (`isIndexed`); undefined when that is nothing. */
  readonly rest: Search | undefined
}

/** A word, phrase or exclusion of a search, as the indexes of SQLite are asked for it. */
interface IndexedWord {
  readonly text: string
  /** In the query language of FTS5. */
  readonly phrase: string
  /** Whether it is two characters of a script without spaces, which the index of trigrams does not have. */
  readonly isPair: boolean
}

/** A search of which the indexes have all words. */
interface IndexedSearch {
  /** The longest first: it is likely to be the rarest. */
  readonly words: readonly IndexedWord[]
  readonly excluded: readonly IndexedWord[]
}

const LONG_ROW = areLong(sql`rowid`)
const LONG_BY_WORD = areLong(sql`entry_word_fts.rowid`)
const LONG_BY_TRIGRAM = areLong(sql`entry_text_fts.rowid`)
const LONG_SEARCHED = areLong(sql`searched.id`)
const ENTRY_OF_ID = entryOf(sql`id`)

/**
 * The entries whose folded text (`entry_text.body`) contains all words of a search and none of those that it excludes,
 * to start a query with. Undefined where no index finds them, because every word is too short.
 */
export function entriesWithText(engine: EngineName, { words, excluded }: Search): TextEntries | undefined {
  const { true: indexed = [], false: short = [] } = Object.groupBy(words, wordKind)
  const { true: out = [], false: shortOut = [] } = Object.groupBy(excluded, wordKind)
  if (indexed.length === 0) return undefined
  const rest = short.length + shortOut.length > 0 ? { words: short, excluded: shortOut } : undefined
  const longestFirst = indexed.sort((one, other) => other.length - one.length)
  if (engine === 'postgres') return { entries: byPatterns({ words: longestFirst, excluded: out }), rest }
  return { entries: byWords({ words: longestFirst.map(indexedWord), excluded: out.map(indexedWord) }), rest }
}

function wordKind(word: string): 'true' | 'false' {
  return isIndexed(word) ? 'true' : 'false'
}

function indexedWord(text: string): IndexedWord {
  return { text, phrase: phrase(text), isPair: isUnspacedPair(text) }
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
      where ${hasLong} and ${LONG_SEARCHED} and ${hasText('postgres', body, word)}`,
  )
  return sql`(select id from entry_text as searched
      where not ${LONG_SEARCHED} and ${sql.join(conditions, sql` and `)}
    union all ${ofLong(sql`(${sql.join(each, sql` union all `)})`, words.length)})`
}

/** A select of the long texts among rows with an `id` and the `key` of a word: those that have all and none that is excluded. */
function ofLong(rows: Expression<unknown>, words: number): Expression<{ id: number }> {
  return sql`select ${ENTRY_OF_ID} as id from ${rows} as having_word
    group by 1 having count(distinct key) filter (where key < ${sql.lit(words)}) = ${sql.lit(words)}
      and count(*) filter (where key >= ${sql.lit(words)}) = 0`
}

/**
 * By the words of the calendar that contain the search terms; by trigrams where there are too many, and in long texts,
 * where each word is looked up separately.
 */
function byWords(known: IndexedSearch): Expression<{ id: number }> {
  const plan = planByWords(known)
  const long = ofLong(longByTriples(known), known.words.length)
  if (plan === undefined) return sql`(${byTriples(known, sql`true`)} union all ${long})`
  const rest = sql<SqlBool>`not exists (select 1 from by_words)`
  return sql`(with ${plan} ${selectByWords()} union all ${byTriples(known, rest)} union all ${long})`
}

/**
 * Words of the calendar that one searched for may be part of: with more of them the index of three characters is
 * quicker.
 */
const PARTS = 128

// A bound limit would have SQLite prepare the statement again each time.
const limit = sql.lit(PARTS + 1)

/** Whether the index of words finds a word, as any part of a word in the calendar. */
function isPartOfWord({ text }: IndexedWord): boolean {
  return !/\s/.test(text) && [...text].length <= WHOLE_LENGTH
}

/**
 * Common table expressions, for SQLite: `named` has for each word of a search the `query` for `entry_word_fts`, null
 * where it is part of too many others; `by_words` has one row with the query of all of them, or none. Undefined where a
 * search term has a space or is very long. The index must know all words (`isIndexed`); it has none of long texts.
 */
function planByWords({ words, excluded }: IndexedSearch): Expression<unknown> | undefined {
  const asked = [...words, ...excluded]
  if (!asked.every(isPartOfWord)) return undefined
  const pairs = asked.filter(({ isPair }) => isPair).map(phraseOf)
  const known = sql`(select case when count(*) = ${limit} then null
      else coalesce(string_agg('"' || replace(word, '"', '""') || '"', ' OR '), '""') end
    from (select word from known_word_fts where known_word_fts match asked.value limit ${limit}))`
  const query =
    pairs.length === 0 ? known : sql`case when asked.value in (${sql.join(pairs)}) then asked.value else ${known} end`
  return sql`named (key, is_wanted, query) as materialized (
      select asked.key, asked.key < ${words.length}, ${query} from json_each(${JSON.stringify(asked.map(phraseOf))}) as asked),
    by_words (query) as materialized (
      select '(' || string_agg(query, ') AND (') filter (where is_wanted) || ')'
        || coalesce(' NOT (' || string_agg(query, ' OR ') filter (where not is_wanted) || ')', '') as query
      from named having count(*) = count(query))`
}

/** A select of the entries that the plan of a search finds among the texts that are stored whole. */
function selectByWords(): Expression<{ id: number }> {
  return sql`select entry_word_fts.rowid as id from by_words cross join entry_word_fts
    where entry_word_fts match by_words.query and not ${LONG_BY_WORD}`
}

function phraseOf(word: IndexedWord): string {
  return word.phrase
}

/** A select from the trigram index, and from that of words for terms of only two characters, of texts that are stored whole. */
function byTriples(known: IndexedSearch, isAsked: Expression<SqlBool>): Expression<{ id: number }> {
  const ofKind = (wanted: boolean): IndexedSearch => ({
    words: known.words.filter(({ isPair }) => isPair === wanted),
    excluded: known.excluded.filter(({ isPair }) => isPair === wanted),
  })
  const [long, pairs] = [ofKind(false), ofKind(true)]
  return long.words.length === 0 ? byPairs(known, isAsked) : byRarest({ long, pairs }, isAsked)
}

/** The same of rows of long texts, with the `key` of the word that each contains. */
function longByTriples({ words, excluded }: IndexedSearch): Expression<unknown> {
  const each = [...words, ...excluded].map((word, key) => {
    const index = word.isPair ? sql`entry_word_fts` : sql`entry_text_fts`
    return sql`select rowid as id, ${sql.lit(key)} as key from ${index}
      where ${hasLong} and ${index} match ${word.phrase} and ${LONG_ROW}`
  })
  return sql`(${sql.join(each, sql` union all `)})`
}

/** Where all words are pairs of characters, and something long is excluded. */
function byPairs({ words, excluded }: IndexedSearch, isAsked: Expression<SqlBool>): Expression<{ id: number }> {
  return sql`select rowid as id from entry_word_fts
    where ${isAsked} and entry_word_fts match ${words.map(phraseOf).join(' AND ')} and not ${LONG_ROW}
      and not exists (select 1 from entry_text as searched where searched.id = entry_word_fts.rowid
        and (${sql.join(excludedIn(excluded), sql` or `)}))`
}

function excludedIn(excluded: readonly IndexedWord[]): Expression<SqlBool>[] {
  return [sql<SqlBool>`false`, ...excluded.map(({ text }) => hasText('sqlite', sql.ref('searched.body'), text))]
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
  { long, pairs }: { readonly long: IndexedSearch; readonly pairs: IndexedSearch },
  isAsked: Expression<SqlBool>,
): Expression<{ id: number }> {
  const body = sql.ref('searched.body')
  const conditions = long.words.map(({ text }) => hasText('sqlite', body, text))
  const without = excludedIn(long.excluded)
  const hasAll = sql<SqlBool>`exists (select 1 from entry_text as searched
    where searched.id = entry_text_fts.rowid and ${sql.join(conditions, sql` and `)}
      and not (${sql.join(without, sql` or `)}))`
  return sql`select entry_text_fts.rowid as id
    from ${planFor(long, isAsked)} as plan cross join entry_text_fts
    where entry_text_fts match plan.query and not ${LONG_BY_TRIGRAM} and (plan.is_whole or ${hasAll})
      ${pairConditions(pairs)}`
}

function pairConditions({ words, excluded }: IndexedSearch): Expression<unknown> {
  const having = (query: string) =>
    sql`entry_text_fts.rowid in (select rowid from entry_word_fts where entry_word_fts match ${query})`
  const wanted = words.length === 0 ? sql`` : sql`and ${having(words.map(phraseOf).join(' AND '))}`
  return excluded.length === 0 ? wanted : sql`${wanted} and not ${having(excluded.map(phraseOf).join(' OR '))}`
}

/**
 * A subquery of one row: the query for the index, and whether that is the whole search. A single rare trigram is
 * combined with its neighbors.
 */
function planFor({ words, excluded }: IndexedSearch, isAsked: Expression<SqlBool>): Expression<unknown> {
  const all = words.map(phraseOf).join(' AND ')
  const whole = excluded.length === 0 ? all : `(${all}) NOT (${excluded.map(phraseOf).join(' OR ')})`
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
function triplesOf(words: readonly IndexedWord[]): string[] {
  const triples = words.flatMap(({ text }) => {
    const characters = [...text]
    return characters.slice(2).map((last, index) => `${characters[index]}${characters[index + 1]}${last}`)
  })
  return [...new Set(triples)]
}
