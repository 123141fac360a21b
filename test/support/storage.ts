import type { Reader, Storage, Value } from '../../src/storage/engine.ts'

/** A row of any table. */
export type Row = Readonly<Record<string, Value>>

/**
 * Rows of a statement written out, with `?` for values: tests look at what is stored, beside the statements of the
 * program.
 */
export function rowsOf(reader: Reader, sql: string, ...parameters: readonly Value[]): Promise<Row[]> {
  let count = 0
  const numbered = reader.engine === 'sqlite' ? sql : sql.replaceAll('?', () => `$${++count}`)
  return reader.all<Row>({ compile: () => ({ sql: numbered, parameters }) })
}

/** The column `n` of the rows of a statement written out. */
export async function numbersOf(reader: Reader, sql: string): Promise<number[]> {
  return (await rowsOf(reader, sql)).map((row) => Number(row['n']))
}

/** Runs a statement written out. */
export async function runStatement(storage: Storage, sql: string): Promise<void> {
  await storage.write((tx) => tx.run({ compile: () => ({ sql, parameters: [] }) }))
}
