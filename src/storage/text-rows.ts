import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { LONGEST_TERM } from '../base/text/search.ts'
import { indexTerms } from '../base/text/unspaced.ts'
import type { Database } from './schema.ts'

/**
 * A text of more UTF-16 units is stored in rows of so many, so that no single statement has to index much more. One that
 * is stored whole has the id of its entry, the rows of others are `entry + n * 2^32` for n = 1, 2, 3 ...
 */
const ROW_LENGTH = 8_192

/** UTF-16 units that consecutive rows share: any search term lies within one of them. */
const OVERLAP = LONGEST_TERM + 24

const NEXT_ROW = 2 ** 32

/** Rows of long texts have ids from here on; a literal, because a partial index is matched by it. */
const FIRST_OF_LONG = 2 ** 31

type TextRow = Database['entry_text']

/** What a row holds of a folded text; its id as above. */
export type TextPart = Pick<TextRow, 'id' | 'body'>

/** The parts that a folded text is stored in, one unless it is long; rows are made of them when they are stored, because all of a long one take tens of milliseconds. */
export function partsOfText({ id, body }: TextPart): TextPart[] {
  if (body.length <= ROW_LENGTH) return [{ id, body }]
  const parts: TextPart[] = []
  for (let start = 0; ; ) {
    const end = boundary(body, start + ROW_LENGTH)
    parts.push({ id: id + (parts.length + 1) * NEXT_ROW, body: body.slice(start, end) })
    if (end >= body.length) return parts
    start = boundary(body, end - OVERLAP)
  }
}

/** The parts of some texts by the ids of their entries, without those that are null. */
export function partsOfTexts(texts: ReadonlyMap<number, string | null>): TextPart[] {
  return [...texts].flatMap(([id, body]) => (body === null ? [] : partsOfText({ id, body })))
}

/** The row of a part, with the terms by which it is found. */
export function rowOfPart({ id, body }: TextPart): TextRow {
  return { id, body, terms: indexTerms(body) }
}

/** A place that does not part a pair of surrogates. */
function boundary(body: string, place: number): number {
  const code = body.charCodeAt(place)
  return code >= 0xdc00 && code <= 0xdfff ? place - 1 : place
}

/** The entry that a row of `entry_text` belongs to, from its id. */
export function entryOf(id: Expression<unknown>): RawBuilder<number> {
  return sql<number>`((${id} + ${sql.lit(FIRST_OF_LONG)}) & ${sql.lit(NEXT_ROW - 1)}) - ${sql.lit(FIRST_OF_LONG)}`
}

/** Whether a row of `entry_text` with an id is the first of those of an entry: the only one, unless its text is long. */
export function firstRowOf(id: Expression<unknown>, entry: Expression<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`${id} in (${entry}, ${entry} + ${sql.lit(NEXT_ROW)})`
}

/** Whether the row with an id is one of a long text. */
export function areLong(id: Expression<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${id} >= ${sql.lit(FIRST_OF_LONG)})`
}

/** Whether rows are those of texts that are stored whole. */
export function areWhole(rows: readonly Pick<TextRow, 'id'>[]): boolean {
  return rows.every(({ id }) => id < FIRST_OF_LONG)
}

/** Whether there is a long text at all: most calendars have none, and need not search them. */
export const hasLong = sql<SqlBool>`exists (select 1 from entry_text where ${areLong(sql`id`)})`
