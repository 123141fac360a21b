import { type Expression, sql } from 'kysely'
import type { EngineName } from './engine.ts'
import { derived, type Given } from './statement-template.ts'

/** Columns of rows that travel as one value, with their types. */
export type RowShape = Readonly<Record<string, 'integer' | 'text'>>

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
