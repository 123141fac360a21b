import { type Expression, type RawBuilder, sql } from 'kysely'
import type { EngineName } from './engine.ts'
import { firstRowOf } from './entry-texts.ts'

/** Characters of a text among which its first line is sought: the longest title, folded. */
const FIRST_LINE = 4_000

const NEWLINE = sql`${sql.lit('\n')}`

/**
 * What stands between words of a folded text, as ranges of code points: all of ASCII that is neither letter nor digit,
 * and the punctuation of Latin-1, of all scripts, of East Asia, and its full-width forms.
 */
const BETWEEN_WORDS = [
  [0x01, 0x2f],
  [0x3a, 0x40],
  [0x5b, 0x60],
  [0x7b, 0xa9],
  [0xab, 0xb4],
  [0xb6, 0xb9],
  [0xbb, 0xbf],
  [0x2000, 0x206f],
  [0x3000, 0x3004],
  [0x3008, 0x3020],
  [0xff01, 0xff0f],
  [0xff1a, 0xff20],
] as const

const RANGES = BETWEEN_WORDS.map((range) => range.map((code) => String.fromCodePoint(code)).join('-')).join('')
const ESCAPED_RANGES = BETWEEN_WORDS.map((range) =>
  range.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('-'),
).join('')

/** The first line of the folded text of an entry: its title or name; null for an entry without text. */
export function entryFirstLine(engine: EngineName, id: Expression<unknown>): RawBuilder<string> {
  return sql<string>`(select ${firstLine(engine)} from entry_text as scored where ${firstRowOf(sql`scored.id`, id)})`
}

/**
 * How well the folded text of an entry answers a search, over all its words: 3 for one that stands in the first line,
 * 2 for one that is part of another there, 1 for one that stands elsewhere; of a long text the first row counts.
 */
export function textRank(engine: EngineName, id: Expression<unknown>, words: readonly string[]): RawBuilder<number> {
  // PostgreSQL has no text with a NUL, and refuses to compare with one.
  const ranks = words.filter((word) => !word.includes('\0')).map((word) => wordRank(engine, word))
  if (ranks.length === 0) return sql<number>`0`
  return sql<number>`(select ${sql.join(ranks, sql` + `)}
    from (select ${firstLine(engine)} as title, scored.body from entry_text as scored
      where ${firstRowOf(sql`scored.id`, id)}) as ranked)`
}

function wordRank(engine: EngineName, word: string): Expression<number> {
  return sql<number>`case when ${hasWholeWord(engine, sql`ranked.title`, word)} then 3
    when ${contains(engine, sql`ranked.title`, word)} then 2
    when ${hasWholeWord(engine, sql`ranked.body`, word)} then 1 else 0 end`
}

function firstLine(engine: EngineName): RawBuilder<string> {
  const start = sql`substr(scored.body, 1, ${sql.lit(FIRST_LINE)})`
  return engine === 'sqlite'
    ? sql<string>`substr(${start}, 1, instr(${start} || ${NEWLINE}, ${NEWLINE}) - 1)`
    : sql<string>`split_part(${start}, ${NEWLINE}, 1)`
}

function contains(engine: EngineName, text: Expression<unknown>, word: string): Expression<boolean> {
  return engine === 'sqlite' ? sql`instr(${text}, ${word}) > 0` : sql`strpos(${text}, ${word}) > 0`
}

/** Whether a word stands in a text with nothing but the ends of the text or what is between words beside it. */
function hasWholeWord(engine: EngineName, text: Expression<unknown>, word: string): Expression<boolean> {
  if (engine === 'postgres') {
    const literal = word.replace(/[^\p{L}\p{N}\p{M}]/gu, '\\$&')
    return sql`${text} ~ ${`(^|[${ESCAPED_RANGES}])${literal}([${ESCAPED_RANGES}]|$)`}`
  }
  const literal = word.replace(/[*?[]/g, '[$&]')
  // Glob has no ends of texts; what the text does not even contain is found out much sooner.
  return sql`(instr(${text}, ${word}) > 0 and ' ' || ${text} || ' ' glob ${`*[${RANGES}]${literal}[${RANGES}]*`})`
}
