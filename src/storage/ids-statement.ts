import { type Expression, type SqlBool, sql } from 'kysely'
import type { Compilable, Reader } from './engine.ts'
import { type Column, inList, reference } from './expressions.ts'
import { type GivenAll, keptStatement, operand } from './kept-statement.ts'

/** The condition that a column has one of the ids that a statement is asked for. */
export type Among = (column: Column) => Expression<SqlBool>

/**
 * A query that turns on nothing but a list of ids, which its conditions compare with; it is kept for each storage. A
 * single id is compared with `=`: SQLite needs more time to read a list than to find the row.
 */
export function idsStatement<Row>(
  build: (reader: Reader, among: Among) => Compilable<Row>,
): (reader: Reader, ids: readonly number[]) => Compilable<Row> {
  const statement = keptStatement((reader: Reader, _shape: null, { id, ids = [] }: GivenAll<Ids>) =>
    build(reader, (column) =>
      id === undefined ? inList(reader.engine, column, ids) : sql<SqlBool>`${reference(column)} = ${operand(id)}`,
    ),
  )
  return (reader, ids) => statement(reader, { shape: null, values: ids.length === 1 ? { id: ids[0] } : { ids } })
}

interface Ids {
  readonly id?: number | undefined
  readonly ids?: readonly number[]
}
