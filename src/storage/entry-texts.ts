import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { LONGEST_TERM } from '../base/text/search.ts'
import { indexTerms } from '../base/text/unspaced.ts'
import type { Reader, StoreStep, Transaction } from './engine.ts'
import { deleteRows, insertRows, putRows } from './row-writes.ts'
import type { Database } from './schema.ts'
import { idsTemplate, inList } from './statement-template.ts'

/** The ID of the text of a protected event that only searches of its editors cover. */
export function hiddenId(id: number): number {
  return -id
}

/** Replaces the search text of an entry: folded, one field a line. */
export function setSearchText(
  tx: Transaction,
  { id, body }: { readonly id: number; readonly body: string },
): Promise<void> {
  return tx.deferBatch({ id, value: body, store: storeTexts })
}

/** Removes the search text of an entry. */
export function deleteSearchText(tx: Transaction, id: number): Promise<void> {
  return tx.deferBatch({ id, value: null, store: storeTexts })
}

/** The rows of long texts of some entries. */
const rowsOfLong = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('entry_text')
    .select('id')
    .where(areLong(sql.ref('entry_text.id')))
    .where(hasId(entryOf(sql.ref('entry_text.id')))),
)

/**
 * Rows of long texts in one step. On SQLite each takes milliseconds of the process that also answers; PostgreSQL works for
 * itself, and 140 rows of a megabyte one after the other would wait for it 140 times.
 */
const ROWS_OF_STEP = { sqlite: 1, postgres: 16 } as const

// Each statement with texts makes a segment of the index of SQLite, and the segments have to be merged.
async function storeTexts(tx: Transaction, texts: ReadonlyMap<number, string | null>): Promise<readonly StoreStep[]> {
  const ids = [...texts.keys()]
  const parts = partsOfTexts(texts)
  const stored = new Set(parts.map(({ id }) => id))
  const before = (await tx.all(rowsOfLong(tx, ids))).map(({ id }) => id)
  const gone = [...ids, ...before].filter((id) => !stored.has(id))
  if (before.length === 0 && areWhole(parts)) {
    for (const id of gone) await deleteRows(tx, 'entry_text', { column: 'id', value: id })
    await putRows(tx, 'entry_text', parts.map(rowOfPart))
    return []
  }
  const size = ROWS_OF_STEP[tx.engine]
  return [
    ...inChunks(gone, size).map(
      (some): StoreStep =>
        (open) =>
          deleteTexts(open, some),
    ),
    ...inChunks(parts, size).map(
      (some): StoreStep =>
        (open) =>
          putRows(open, 'entry_text', some.map(rowOfPart)),
    ),
  ]
}

function inChunks<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_none, chunk) => items.slice(chunk * size, (chunk + 1) * size))
}

async function deleteTexts(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.run(tx.db.deleteFrom('entry_text').where(inList(tx.engine, 'entry_text.id', ids)))
}

/** Kind of the global IDs of entries on other sites in the table of provenance; their `digest` is their place, see `placeInLineage`. */
export const LINEAGE = 'lineage'

/** The place of a global ID among those of an entry, 0 for the one under which it was imported: text that sorts. */
export function placeInLineage(position: number): string {
  return String(position).padStart(4, '0')
}

/** Replaces the global IDs of an entry on other sites, in order. */
export async function setLineage(
  tx: Transaction,
  { id, globalIds }: { readonly id: number; readonly globalIds: readonly string[] },
): Promise<void> {
  await tx.run(tx.db.deleteFrom('provenance').where('kind', '=', LINEAGE).where('item_id', '=', id))
  const row = { origin: `entry ${id}`, kind: LINEAGE, item_id: id, is_gone: 0 }
  const rows = globalIds.map((external_id, position) => ({ ...row, external_id, digest: placeInLineage(position) }))
  await insertRows(tx, 'provenance', rows)
}

const lineagesWith = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('provenance')
    .select(['item_id', 'external_id'])
    .where('kind', '=', LINEAGE)
    .where(hasId('provenance.item_id'))
    .orderBy('item_id')
    .orderBy('digest'),
)

/** The global IDs of other sites by entry, in order; entries without any are absent. */
export async function lineagesOf(
  reader: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await reader.all(lineagesWith(reader, ids))
  const groups = Map.groupBy(rows, (row) => row.item_id)
  return new Map([...groups].map(([id, group]) => [id, group.map((row) => row.external_id)]))
}

/**
 * A text of more UTF-16 units is stored in rows of so many, so that no single statement has to index much more. One that
 * is stored whole has the ID of its entry, the rows of others are `entry + n * 2^32` for n = 1, 2, 3 ...
 */
const ROW_LENGTH = 8_192

/** UTF-16 units that consecutive rows share: any search term lies within one of them. */
const OVERLAP = LONGEST_TERM + 24

const NEXT_ROW = 2 ** 32

/** Rows of long texts have IDs from here on; a literal, because a partial index is matched by it. */
const FIRST_OF_LONG = 2 ** 31

type TextRow = Database['entry_text']

/** What a row holds of a folded text; its ID as above. */
type TextPart = Pick<TextRow, 'id' | 'body'>

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

/** The parts of some texts by the IDs of their entries, without those that are null. */
function partsOfTexts(texts: ReadonlyMap<number, string | null>): TextPart[] {
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

/** The entry that a row of `entry_text` belongs to, from its ID. */
export function entryOf(id: Expression<unknown>): RawBuilder<number> {
  return sql<number>`((${id} + ${sql.lit(FIRST_OF_LONG)}) & ${sql.lit(NEXT_ROW - 1)}) - ${sql.lit(FIRST_OF_LONG)}`
}

/** Whether a row of `entry_text` with an ID is the first of those of an entry: the only one, unless its text is long. */
export function firstRowOf(id: Expression<unknown>, entry: Expression<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`${id} in (${entry}, ${entry} + ${sql.lit(NEXT_ROW)})`
}

/** Whether the row with an ID is one of a long text. */
export function areLong(id: Expression<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${id} >= ${sql.lit(FIRST_OF_LONG)})`
}

/** Whether rows are those of texts that are stored whole. */
function areWhole(rows: readonly Pick<TextRow, 'id'>[]): boolean {
  return rows.every(({ id }) => id < FIRST_OF_LONG)
}

/** Whether there is a long text at all: most calendars have none, and need not search them. */
export const hasLong = sql<SqlBool>`exists (select 1 from entry_text where ${areLong(sql`id`)})`
