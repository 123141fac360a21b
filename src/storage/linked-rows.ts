import { sql } from 'kysely'
import type { Columns } from '../model/column.ts'
import type { Compilable, Reader, Transaction } from './engine.ts'
import { changeRow, insertRow } from './row-writes.ts'
import { LINKED_COLUMNS, type LinkedColumns } from './schema.ts'
import { idsTemplate } from './statement-template.ts'

/** The tables of linked items. */
type LinkedTable = 'venue' | 'organizer'

/** A statement that reads the rows with some IDs with all their columns, in no order; unknown IDs are left out. */
export function linkedRows<Row extends LinkedColumns>(
  table: LinkedTable,
  content: Columns,
): (reader: Reader, ids: readonly number[]) => Promise<Row[]> {
  const names = [...new Set<string>([...LINKED_COLUMNS, ...Object.keys(content)])]
  const rowsWith = idsTemplate<Row>((reader, hasId) => {
    const query = reader.db.selectFrom(table).where(hasId(`${table}.id`))
    return query.select(names.map((name) => sql.ref(name).as(name))) as unknown as Compilable<Row>
  })
  return (reader, ids) => reader.all(rowsWith(reader, ids))
}

/** Adds a row with all the columns of its table. */
export function insertLinked(tx: Transaction, table: LinkedTable, row: LinkedColumns): Promise<void> {
  return insertRow(tx, table, row as Parameters<typeof insertRow<LinkedTable>>[2])
}

/** Stores every column of a row. */
export function updateLinked(tx: Transaction, table: LinkedTable, row: LinkedColumns): Promise<void> {
  return changeRow(tx, table, row)
}
