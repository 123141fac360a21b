import { type Expression, sql } from 'kysely'
import type { Compilable, EngineName, Reader, Transaction } from './engine.ts'
import type { Database } from './schema.ts'
import { derived, type Given } from './statement-template.ts'

// Writes of whole rows, of which every change of an entry makes a dozen: the text of a statement is cached by table and
// columns, because building one takes longer than SQLite needs to execute it.

type Table = keyof Database
type Row = Readonly<Record<string, unknown>>

/** Inserts a row; members that are undefined are left to the database. */
export async function insertRow<Name extends Table>(
  tx: Transaction,
  table: Name,
  row: Readonly<Database[Name]>,
): Promise<void> {
  const names = namesOf(row)
  await tx.run(
    statement(tx, {
      form: { table, names, does: 'insert' },
      values: names.map((name) => (row as Row)[name]),
      build: () => sql`insert into ${columnsOf(table, names)} values (${sql.join(names)})`,
    }),
  )
}

/** Most rows of one statement: databases count its places. */
const ROWS_LIMIT = 64

/** Inserts rows that have the same columns, all of them defined; nothing for none. */
export async function insertRows<Name extends Table>(
  tx: Transaction,
  table: Name,
  rows: readonly Readonly<Database[Name]>[],
): Promise<void> {
  await writeRows(tx, table, { rows, does: 'insert', onConflict: () => sql`` })
}

/** Inserts rows, or replaces those with the same IDs; all have the same columns, and each its own ID. */
export async function putRows<Name extends Table>(
  tx: Transaction,
  table: Name,
  rows: readonly Readonly<Database[Name] & { readonly id: number }>[],
): Promise<void> {
  const onConflict = (names: readonly string[]) => {
    const changes = names.flatMap((name) =>
      name === 'id' ? [] : sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`,
    )
    return sql` on conflict ("id") do update set ${sql.join(changes)}`
  }
  await writeRows(tx, table, { rows, does: 'put', onConflict })
}

interface RowsToWrite {
  readonly rows: readonly Row[]
  readonly does: 'insert' | 'put'
  /** What is done about an existing row. */
  onConflict(names: readonly string[]): Expression<unknown>
}

async function writeRows(tx: Transaction, table: Table, { rows, does, onConflict }: RowsToWrite): Promise<void> {
  for (let done = 0; done < rows.length; done += ROWS_LIMIT) {
    const part = rows.slice(done, done + ROWS_LIMIT)
    const names = Object.keys(part[0] ?? {})
    await tx.run(
      statement(tx, {
        form: { table, names, does, count: part.length },
        values: valuesOf(part, names),
        build: () => sql`insert into ${columnsOf(table, names)} values ${placesOf(part, names)}${onConflict(names)}`,
      }),
    )
  }
}

/** Changes columns of the row with an ID: all but `id` that the row has; nothing where there is no such row. */
export async function changeRow<Name extends Table>(
  tx: Transaction,
  table: Name,
  row: Readonly<Partial<Database[Name]> & { readonly id: number }>,
): Promise<void> {
  const names = namesOf(row).filter((name) => name !== 'id')
  await tx.run(
    statement(tx, {
      form: { table, names, does: 'change' },
      values: [...names.map((name) => (row as Row)[name]), row.id],
      build: () => {
        const changes = names.map((name) => sql`${sql.ref(name)} = ${name}`)
        return sql`update ${sql.table(table)} set ${sql.join(changes)} where "id" = ${'id'}`
      },
    }),
  )
}

/** Whether a change of columns, undefined ones left out, makes a row another one. */
export function differs<Columns>(change: Partial<Columns>, row: Columns): boolean {
  return namesOf(change).some((name) => (change as Row)[name] !== (row as Row)[name])
}

/** Deletes the rows that have a value in a column. */
export async function deleteRows<Name extends Table>(
  tx: Transaction,
  table: Name,
  where: { readonly column: keyof Database[Name] & string; readonly value: string | number },
): Promise<void> {
  const { column, value } = where
  await tx.run(
    statement(tx, {
      form: { table, names: [column], does: 'delete' },
      values: [value],
      build: () => sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${column}`,
    }),
  )
}

/** All that the text of a statement depends on. */
interface StatementForm {
  readonly table: Table
  /** Columns in their order. */
  readonly names: readonly string[]
  readonly does: 'insert' | 'put' | 'change' | 'delete'
  /** Rows of one statement; absent where there is one. */
  readonly count?: number
}

interface BuiltStatement {
  readonly form: StatementForm
  readonly sql: string
}

// The query builder of a storage is one object for its whole life, so it identifies the storage here. There are as many
// texts as tables have sets of columns and numbers of rows: a few for each table. Comparing the names of columns takes less
// than making a key of them would.
const storages = new WeakMap<Reader['db'], Map<Table, BuiltStatement[]>>()

/** A statement whose text is built once for a form; `build` uses any values in the right order. */
function statement(
  { db }: Reader,
  {
    form,
    values,
    build,
  }: { readonly form: StatementForm; readonly values: readonly unknown[]; build(): Expression<unknown> },
): Compilable<unknown> {
  const known = builtFor(db, form.table)
  let built = known.find((one) => areSameForm(one.form, form))
  if (built === undefined) {
    built = { form, sql: sql`${build()}`.compile(db).sql }
    known.push(built)
  }
  const ready = { sql: built.sql, parameters: values }
  return { ready, compile: () => ready }
}

function builtFor(db: Reader['db'], table: Table): BuiltStatement[] {
  const tables = storages.get(db) ?? new Map<Table, BuiltStatement[]>()
  // Writing an entry of a weak map again costs the garbage collector a check.
  if (tables.size === 0) storages.set(db, tables)
  const known = tables.get(table) ?? []
  if (known.length === 0) tables.set(table, known)
  return known
}

function areSameForm(one: StatementForm, other: StatementForm): boolean {
  if (one.does !== other.does || one.count !== other.count || one.names.length !== other.names.length) return false
  return one.names.every((name, place) => name === other.names[place])
}

function columnsOf(table: Table, names: readonly string[]): Expression<unknown> {
  return sql`${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})`
}

function valuesOf(rows: readonly Row[], names: readonly string[]): unknown[] {
  return rows.flatMap((row) => names.map((name) => row[name]))
}

function placesOf(rows: readonly Row[], names: readonly string[]): Expression<unknown> {
  return sql.join(rows.map(() => sql`(${sql.join(names)})`))
}

function namesOf(row: Row): string[] {
  return Object.keys(row).filter((name) => row[name] !== undefined)
}

/** Columns of rows that travel as one value, with their types. */
type RowShape = Readonly<Record<string, 'integer' | 'text'>>

type Rows = readonly Readonly<Record<string, string | number | null>>[]

/**
 * Rows as the source of an `insert`, with the columns in the order of the shape: they travel as one JSON value, so that
 * the text of the statement is the same for any number of them. No values but whole numbers, texts and null.
 */
export function rowsFrom(engine: EngineName, shape: RowShape, rows: Given<Rows>): Expression<unknown> {
  return SOURCES[engine](shape, rows)
}

const SOURCES: Record<EngineName, typeof sqliteRows> = { sqlite: sqliteRows, postgres: postgresRows }

function sqliteRows(shape: RowShape, given: Given<Rows>): Expression<unknown> {
  const names = Object.keys(shape)
  const values = derived(given, (rows) => JSON.stringify(rows.map((row) => names.map((name) => row[name]))))
  const columns = names.map((_name, place) => sql`value ->> ${sql.lit(place)}`)
  // Without a condition the parser takes the ON of a conflict clause for that of a join.
  return sql`select ${sql.join(columns)} from json_each(${values}) where true`
}

function postgresRows(shape: RowShape, given: Given<Rows>): Expression<unknown> {
  const columns = Object.entries(shape).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
  const names = Object.keys(shape).map((name) => sql.ref(name))
  const values = derived(given, (rows) => JSON.stringify(rows))
  return sql`select ${sql.join(names)} from jsonb_to_recordset(${values}::jsonb) as given (${sql.join(columns)})`
}
