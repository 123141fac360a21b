import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { fold } from '../../../base/text/fold.ts'
import type { TermKey } from '../../../model/resource.ts'
import type { Reader } from '../../../storage/engine.ts'
import { entriesWithText } from '../../../storage/entries-with-text.ts'
import { isIndexed, phrase } from '../../../storage/expressions.ts'
import { asStatement } from '../../../storage/statement-builder.ts'
import type { LinkedKey } from '../linked/row.ts'

/** What has a name that a search looks at beside events. */
export interface NamedRow {
  readonly id: number
  readonly name: string
  readonly slug: string
  /** Address of a venue, one part each; `[]` for everything else. */
  readonly place: readonly string[]
  /** What words are looked for in, folded. */
  readonly searched: string
}

/** Rows of each kind that a word leads to, those with the word in their name first. */
const MOST = 1_000

const PLACE = ['address', 'city', 'zip', 'province', 'state', 'country'] as const

/** Published venues or organizers that may have a word, which is folded, in name or address. */
export async function linkedWith(reader: Reader, key: LinkedKey, word: string): Promise<NamedRow[]> {
  const entries = entriesWithText(reader.engine, { words: [word], excluded: [] })?.entries
  if (entries === undefined) return []
  const columns = key === 'venue' ? PLACE : []
  const query = sql<Row>`select id, name, slug ${columnsOf(columns)} from ${sql.table(key)}
    where status = 'publish' and id in (select id from ${entries} as found)
    order by case when ${isNamed(word)} then 0 else 1 end, id limit ${sql.lit(MOST)}`
  return (await rowsOf(reader, query)).map((row) => {
    const place = columns.map((column) => row[column] ?? '').filter((part) => part !== '')
    return { id: row.id, name: row.name, slug: row.slug, place, searched: fold([row.name, ...place].join('\n')) }
  })
}

type Row = Readonly<Pick<NamedRow, 'id' | 'name' | 'slug'>> & Readonly<Partial<Record<(typeof PLACE)[number], string>>>

function columnsOf(names: readonly string[]): Expression<unknown> {
  return names.length === 0 ? sql`` : sql`, ${sql.join(names.map((name) => sql.ref(name)))}`
}

function isNamed(word: string): Expression<SqlBool> {
  return sql<SqlBool>`name_folded like ${`%${escaped(word)}%`} escape '\\'`
}

/** Categories or tags with a word, which is folded, in their name. */
export async function termsWith(reader: Reader, key: TermKey, word: string): Promise<NamedRow[]> {
  const query = sql<Row & { name_folded: string }>`select id, name, slug, name_folded from ${sql.table(key)}
    where ${isNamed(word)} order by count desc, id limit ${sql.lit(MOST)}`
  return (await rowsOf(reader, query)).map(({ name_folded: searched, ...row }) => ({
    ...{ id: row.id, name: row.name, slug: row.slug },
    place: [],
    searched,
  }))
}

/** Whether a text that anyone may read has a word, which is folded: of a published event, venue or organizer. */
export async function isPublished(reader: Reader, word: string): Promise<boolean> {
  const entries = entriesWithText(reader.engine, { words: [word], excluded: [] })?.entries
  if (entries === undefined) return true
  const query = sql<{ id: number }>`select found.id from ${entries} as found
    where exists (select 1 from occurrence
        where occurrence.event_id = found.id and occurrence.listed = 1 and occurrence.status = 'publish')
      or exists (select 1 from venue where venue.id = found.id and venue.status = 'publish')
      or exists (select 1 from organizer where organizer.id = found.id and organizer.status = 'publish') limit 1`
  return (await rowsOf(reader, query)).length > 0
}

/** Words that are compared with one that was mistyped. */
const COMPARED = 3_000

/**
 * Words of the calendar that a word of five letters or more may have been meant to be, among others: those that begin or
 * end like it, because one error leaves either the first two letters or the last three as they are.
 */
export async function wordsLike(reader: Reader, word: string): Promise<readonly string[]> {
  const letters = [...word]
  const written = reader.engine === 'sqlite' ? knownLike(letters) : writtenLike(letters)
  const names = sql<{ word: string }>`select name_folded as word from category union select name_folded from tag
    limit ${sql.lit(COMPARED)}`
  const rows = [...(await rowsOf(reader, written)), ...(await rowsOf(reader, names))]
  return [...new Set(rows.flatMap((row) => row.word.split(/\s+/)))]
}

function knownLike(letters: readonly string[]): RawBuilder<{ word: string }> {
  const [first = '', second = '', third = ''] = letters
  const most = sql.lit(COMPARED)
  const isNear = sql`length(word) between ${sql.lit(letters.length - 1)} and ${sql.lit(letters.length + 1)}`
  // In a word of five letters a swap of the second and the third touches its beginning and its end.
  const begun = [first + second, first + third].map(
    (
      start,
    ) => sql`select word from (select word from known_word where word >= ${start} and word < ${`${start}\u{10ffff}`}
      and ${isNear} limit ${most})`,
  )
  const end = letters.slice(-3).join('')
  return sql`${sql.join(begun, sql` union `)}
    union select word from (select word from known_word_fts where known_word_fts match ${phrase(end)}
      and ${isNear} limit ${most})`
}

/** PostgreSQL has no list of words: it finds them in texts, by the letters that each error leaves. */
function writtenLike(letters: readonly string[]): RawBuilder<{ word: string }> {
  const at = (index: number, middle: string, skipped: number): string =>
    letters.slice(0, index).join('') + middle + letters.slice(index + skipped).join('')
  const shapes = letters.flatMap((_letter, index) => [at(index, '_', 1), at(index, '_', 0), at(index, '', 1)])
  const swapped = letters.slice(1).map((letter, index) => at(index, letter + (letters[index] ?? ''), 2))
  // The index of PostgreSQL needs three letters in a row; without them it reads every text.
  const all = [...new Set([...shapes, ...swapped])].filter((shape) => /[^_]{3}/u.test(shape))
  const patterns = all.map((shape) => `%${shape}%`)
  const expression = `\\m(${all.map((shape) => shape.replace('_', '.')).join('|')})\\M`
  return sql`select distinct part[1] as word
    from (select body from entry_text where body like any(${patterns}::text[]) limit 200) as near,
      regexp_matches(near.body, ${expression}, 'g') as part limit ${sql.lit(COMPARED)}`
}

function escaped(word: string): string {
  return word.replace(/[\\%_]/g, '\\$&')
}

function rowsOf<Found>(reader: Reader, query: RawBuilder<Found>): Promise<Found[]> {
  return reader.all(asStatement(reader, query), 'offloaded')
}

/** Words that an index leads to, the only ones that names are looked for by. */
export function lookedFor(words: readonly string[]): readonly string[] {
  return words.filter(isIndexed)
}
