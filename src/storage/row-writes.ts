import { type Expression, sql } from 'kysely'
import type { Compilable, Reader, Transaction } from './engine.ts'
import type { Database } from './schema.ts'

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
    statement(tx, `insert ${table} ${names.join()}`, {
      values: names.map((name) => (row as Row)[name]),
      build: () => sql`insert into ${columnsOf(table, names)} values (${sql.join(names)})`,
    }),
  )
}

/** Most rows of one statement: databases count its places. */
const ROWS_LIMIT = 64

/** Inserts rows, or replaces those with the same ids; all have the same columns, and each its own id. */
export async function putRows<Name extends Table>(
  tx: Transaction,
  table: Name,
  rows: readonly Readonly<Database[Name] & { readonly id: number }>[],
): Promise<void> {
  for (let done = 0; done < rows.length; done += ROWS_LIMIT) {
    const part = rows.slice(done, done + ROWS_LIMIT) as readonly Row[]
    const names = Object.keys(part[0] ?? {})
    await tx.run(
      statement(tx, `put ${part.length} ${table} ${names.join()}`, {
        values: part.flatMap((row) => names.map((name) => row[name])),
        build: () => {
          const values = part.map(() => sql`(${sql.join(names)})`)
          const changes = names.flatMap((name) =>
            name === 'id' ? [] : sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`,
          )
          return sql`insert into ${columnsOf(table, names)} values ${sql.join(values)}
            on conflict ("id") do update set ${sql.join(changes)}`
        },
      }),
    )
  }
}

/** Changes columns of the row with an id: all but `id` that the row has; nothing where there is no such row. */
export async function changeRow<Name extends Table>(
  tx: Transaction,
  table: Name,
  row: Readonly<Partial<Database[Name]> & { readonly id: number }>,
): Promise<void> {
  const names = namesOf(row).filter((name) => name !== 'id')
  await tx.run(
    statement(tx, `change ${table} ${names.join()}`, {
      values: [...names.map((name) => (row as Row)[name]), row.id],
      build: () => {
        const changes = names.map((name) => sql`${sql.ref(name)} = ${name}`)
        return sql`update ${sql.table(table)} set ${sql.join(changes)} where "id" = ${'id'}`
      },
    }),
  )
}

/** Deletes the rows that have a value in a column. */
export async function deleteRows<Name extends Table>(
  tx: Transaction,
  table: Name,
  where: { readonly column: keyof Database[Name] & string; readonly value: string | number },
): Promise<void> {
  const { column, value } = where
  await tx.run(
    statement(tx, `delete ${table} ${column}`, {
      values: [value],
      build: () => sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${column}`,
    }),
  )
}

// The query builder of a storage is one object for its whole life, so it identifies the storage here. There are as many
// texts as tables have sets of columns and numbers of rows.
const storages = new WeakMap<Reader['db'], Map<string, string>>()

/** A statement whose text is built once for a key; `build` uses any values in the right order. */
function statement(
  { db }: Reader,
  key: string,
  { values, build }: { readonly values: readonly unknown[]; build(): Expression<unknown> },
): Compilable<unknown> {
  const texts = storages.get(db) ?? new Map<string, string>()
  // Writing an entry of a weak map again costs the garbage collector a check.
  if (texts.size === 0) storages.set(db, texts)
  const text = texts.get(key) ?? sql`${build()}`.compile(db).sql
  texts.set(key, text)
  const ready = { sql: text, parameters: values }
  return { ready, compile: () => ready }
}

function columnsOf(table: Table, names: readonly string[]): Expression<unknown> {
  return sql`${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})`
}

function namesOf(row: object): string[] {
  return Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : name))
}
