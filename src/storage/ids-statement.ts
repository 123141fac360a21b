import type { Compilable, Reader } from './engine.ts'
import { type Given, keptStatement } from './kept-statement.ts'

/** A query that turns on nothing but a list of ids, given by `inList`; it is kept for each storage. */
export function idsStatement<Row>(
  build: (reader: Reader, ids: Given<readonly number[]>) => Compilable<Row>,
): (reader: Reader, ids: readonly number[]) => Compilable<Row> {
  const statement = keptStatement((reader: Reader, _shape: null, { ids }: { readonly ids: Given<readonly number[]> }) =>
    build(reader, ids),
  )
  return (reader, ids) => statement(reader, { shape: null, values: { ids } })
}
