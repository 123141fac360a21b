import type { Reader, Storage, Value } from '../../src/storage/engine.ts'

/** A row of any table. */
export type Row = Readonly<Record<string, Value>>

/** Rows of a statement written out: tests look at what is stored, beside the statements of the program. */
export function rowsOf(reader: Reader, sql: string, ...parameters: readonly Value[]): Promise<Row[]> {
  return reader.all<Row>({ compile: () => ({ sql, parameters }) })
}

/** Runs a statement written out. */
export async function runStatement(storage: Storage, sql: string): Promise<void> {
  await storage.write((tx) => tx.run({ compile: () => ({ sql, parameters: [] }) }))
}
