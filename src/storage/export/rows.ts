import { type RawBuilder, sql } from 'kysely'
import type { Compilable, Reader, Transaction } from '../engine.ts'
import { asStatement, written } from '../statement-builder.ts'
import { type Row, TABLE_KEYS, type TableName } from './tables.ts'

/** Rows that are read and written at a time: a row with the longest description has a few megabytes. */
const PAGE = 200

/** All rows of a table in the order of its key, a page at a time; no page is empty. */
export async function* pagesOf(reader: Reader, table: TableName): AsyncGenerator<readonly Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await reader.all(page(reader, table, last))
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
    last = rows.at(-1)
  }
}

function page(reader: Reader, table: TableName, after: Row | undefined): Compilable<Row> {
  const keys = TABLE_KEYS[table]
  const names = sql.join(keys.map((name) => sql.ref(name)))
  const values = sql.join(keys.map((name) => after?.[name] ?? null))
  const rest = after === undefined ? sql`` : sql`where (${names}) > (${values})`
  return asStatement(reader, sql`select * from ${sql.table(table)} ${rest} order by ${names} limit ${PAGE}`)
}

/** Whether a table has rows. */
export async function hasRows(reader: Reader, table: TableName): Promise<boolean> {
  return (
    (await reader.first(asStatement(reader, sql`select 1 as found from ${sql.table(table)} limit 1`))) !== undefined
  )
}

/** Removes all rows; first remove those of tables that refer to it. */
export async function clearTable(tx: Transaction, table: TableName): Promise<void> {
  await tx.run(asStatement(tx, sql`delete from ${sql.table(table)}`))
}

/** Inserts rows as they were read; all have the same columns in the same order. */
export async function insertRows(tx: Transaction, table: TableName, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  if (tx.engine === 'postgres') {
    await tx.run(asStatement(tx, asOneValue(table, rows)))
    return
  }
  const { sql: text } = one(table, first).compile(tx.db)
  for (const row of rows) await tx.run(written(text, Object.values(row)))
}

/** Over a network each statement takes a while. */
function asOneValue(table: TableName, rows: readonly Row[]): RawBuilder<unknown> {
  const name = sql.table(table)
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)))
  return sql`insert into ${name} (${columns})
    select ${columns} from json_populate_recordset(null::${name}, ${JSON.stringify(rows)}::json)`
}

/** Inside the process they are cheap, and SQLite rounds fractions in JSON. */
function one(table: TableName, row: Row): RawBuilder<unknown> {
  const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)))
  return sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`
}
