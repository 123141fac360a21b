import { sql } from 'kysely'
import type { Reader, StoreStep, Transaction } from './engine.ts'
import { deleteRows, putRows } from './row-writes.ts'
import { idsTemplate, inList } from './statement-template.ts'
import { areLong, areWhole, entryOf, partsOfTexts, rowOfPart } from './text-rows.ts'

/** The id of the text of a protected event that only searches of its editors cover. */
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
export function forgetSearchText(tx: Transaction, id: number): Promise<void> {
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

/** Replaces the global ids of an entry on other sites, in order. */
export async function setLineage(
  tx: Transaction,
  entry: { readonly id: number; readonly globalIds: readonly string[] },
): Promise<void> {
  await tx.run(tx.db.deleteFrom('entry_lineage').where('entry_id', '=', entry.id))
  for (const [position, global_id] of entry.globalIds.entries()) {
    await tx.run(tx.db.insertInto('entry_lineage').values({ entry_id: entry.id, position, global_id }))
  }
}

const lineagesWith = idsTemplate((reader, hasId) =>
  reader.db
    .selectFrom('entry_lineage')
    .select(['entry_id', 'global_id'])
    .where(hasId('entry_lineage.entry_id'))
    .orderBy('entry_id')
    .orderBy('position'),
)

/** The global ids of other sites by entry, in order; entries without any are absent. */
export async function lineagesOf(
  reader: Reader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await reader.all(lineagesWith(reader, ids))
  const groups = Map.groupBy(rows, (row) => row.entry_id)
  return new Map([...groups].map(([id, group]) => [id, group.map((row) => row.global_id)]))
}
