import { type Expression, sql } from 'kysely'
import type { Compilable, Reader, Transaction } from './engine.ts'
import type { Database } from './schema.ts'
import { derived, type GivenAll, operand, statementTemplate } from './statement-template.ts'

// Writes of whole rows, of which every change of an entry makes a dozen: the statements are kept for their table and
// columns, because building one takes longer than SQLite needs to execute it.

type Table = keyof Database
type Row = Readonly<Record<string, unknown>>

/** Inserts a row. */
export async function insertRow<Name extends Table>(
  tx: Transaction,
  table: Name,
  row: Readonly<Database[Name]>,
): Promise<void> {
  await tx.run(insertion(tx, { shape: table, values: row as Row }))
}

/** Most rows of one statement: databases count its places. */
const ROWS_LIMIT = 64

/** Inserts rows, or replaces those that have their ids; all have the same columns, and each an id of its own. */
export async function putRows<Name extends Table>(
  tx: Transaction,
  table: Name,
  rows: readonly Readonly<Database[Name] & { readonly id: number }>[],
): Promise<void> {
  for (let done = 0; done < rows.length; done += ROWS_LIMIT) {
    const part = rows.slice(done, done + ROWS_LIMIT) as readonly Row[]
    const shape = { table, columns: Object.keys(part[0] ?? {}), count: part.length }
    await tx.run(replacement(tx, { shape, values: { rows: part } }))
  }
}

/** Changes columns of the row with an id: all but `id` that the row has; nothing where there is no such row. */
export async function changeRow<Name extends Table>(
  tx: Transaction,
  table: Name,
  row: Readonly<Partial<Database[Name]> & { readonly id: number }>,
): Promise<void> {
  await tx.run(change(tx, { shape: table, values: row as Row }))
}

/** Deletes the rows that have a value in a column. */
export async function deleteRows<Name extends Table>(
  tx: Transaction,
  table: Name,
  where: { readonly column: keyof Database[Name] & string; readonly value: string | number },
): Promise<void> {
  const { column, value } = where
  await tx.run(deletion(tx, { shape: { table, column }, values: { value } }))
}

const insertion = statementTemplate((reader: Reader, table: Table, row: GivenAll<Row>) => {
  const values = Object.values(row).map(operand)
  return written(reader, sql`insert into ${columnsOf(table, Object.keys(row))} values (${sql.join(values)})`)
})

interface RowsShape {
  readonly table: Table
  readonly columns: readonly string[]
  readonly count: number
}

const replacement = statementTemplate(
  (reader: Reader, { table, columns, count }: RowsShape, { rows }: GivenAll<{ readonly rows: readonly Row[] }>) => {
    const value = (index: number, name: string) => operand(derived(rows, (all) => all[index]?.[name]))
    const values = Array.from({ length: count }, (_none, index) => columns.map((name) => value(index, name)))
    const changes = othersOf(columns).map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`)
    return written(
      reader,
      sql`insert into ${columnsOf(table, columns)} values ${sql.join(values.map((row) => sql`(${sql.join(row)})`))}
        on conflict ("id") do update set ${sql.join(changes)}`,
    )
  },
)

const change = statementTemplate((reader: Reader, table: Table, row: GivenAll<Row>) => {
  const columns = othersOf(Object.keys(row)).map((name) => sql`${sql.ref(name)} = ${row[name]}`)
  return written(reader, sql`update ${sql.table(table)} set ${sql.join(columns)} where "id" = ${operand(row['id'])}`)
})

const deletion = statementTemplate(
  (reader: Reader, shape: { readonly table: Table; readonly column: string }, given: GivenAll<{ value: unknown }>) =>
    written(
      reader,
      sql`delete from ${sql.table(shape.table)} where ${sql.ref(shape.column)} = ${operand(given.value)}`,
    ),
)

function columnsOf(table: Table, names: readonly string[]): Expression<unknown> {
  return sql`${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})`
}

function othersOf(names: readonly string[]): string[] {
  return names.filter((name) => name !== 'id')
}

function written(reader: Reader, statement: Expression<unknown>): Compilable<unknown> {
  return { compile: () => sql`${statement}`.compile(reader.db) }
}
