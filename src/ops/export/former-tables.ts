import type { Reader } from '../../storage/engine.ts'
import { LINEAGE, placeInLineage } from '../../storage/entry-texts.ts'
import { pagesOf } from '../../storage/export/rows.ts'
import type { Row } from '../../storage/export/tables.ts'
import { lineOf } from './rows.ts'

/** Tables of former versions whose rows are in the table of provenance today. */
const FORMER = ['imported_item', 'source_event', 'entry_lineage'] as const

/** The name of such a table. */
export type FormerTable = (typeof FORMER)[number]

/** Whether a table of an export is one of former versions. */
export function isFormer(table: string): table is FormerTable {
  return FORMER.some((one) => one === table)
}

/** The row of provenance for a row of such a table. */
export function provenanceFrom(table: FormerTable, row: Row): Row {
  if (table === 'entry_lineage') return fromLineage(row)
  return table === 'imported_item' ? fromItem(row) : fromEvent(row)
}

/** Rows of which events that had one name in one origin are one: the last. */
export function lastOfEach(rows: readonly Row[]): readonly Row[] {
  const keyOf = (row: Row): string => JSON.stringify([row['origin'], row['kind'], row['external_id']])
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}

function fromItem({ origin = null, kind = null, key: external_id = null, item_id = null, digest = null }: Row): Row {
  return { origin, kind, external_id, item_id, digest, is_gone: 0 }
}

function fromEvent({ id: item_id = null, source_id, name: external_id = null, said: digest = null, ...row }: Row): Row {
  const origin = source_id === 0 ? 'files' : `subscription ${source_id}`
  return { origin, kind: 'uid', external_id, item_id, digest, is_gone: row['is_gone'] ?? 0 }
}

function fromLineage({ entry_id: item_id = null, position, global_id: external_id = null }: Row): Row {
  const origin = `entry ${item_id}`
  return { origin, kind: LINEAGE, external_id, item_id, digest: placeInLineage(Number(position)), is_gone: 0 }
}

/** Whether the table of provenance has these rows. */
export async function hasAll(reader: Reader, rows: readonly Row[]): Promise<boolean> {
  const wanted = new Set(rows.map((row) => lineOf('provenance', row)))
  for await (const page of pagesOf(reader, 'provenance'))
    for (const row of page) wanted.delete(lineOf('provenance', row))
  return wanted.size === 0
}
