import type { Compilable, Reader, Statement } from './engine.ts'
import { listParameter } from './expressions.ts'

/** Stands for the list of ids in a statement that is kept; no id is negative. */
const ANY_IDS: readonly number[] = [-1]

/** A statement with the places of its list of ids. */
interface Mould {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly isList: readonly boolean[]
}

/**
 * A query that turns on nothing but a list of ids, given by `inList`. Its text is the same for every list, so it is compiled
 * once for each storage: building it takes longer than reading a few rows by their keys.
 */
export function idsStatement<Row>(
  build: (reader: Reader, ids: readonly number[]) => Compilable<Row>,
): (reader: Reader, ids: readonly number[]) => Compilable<Row> {
  const moulds = new WeakMap<Reader['db'], Mould>()
  return (reader, ids) => {
    const mould = moulds.get(reader.db) ?? mouldOf(reader, build(reader, ANY_IDS).compile())
    moulds.set(reader.db, mould)
    const list = listParameter(reader.engine, ids)
    const parameters = mould.parameters.map((value, index) => (mould.isList[index] ? list : value))
    return { compile: () => ({ sql: mould.sql, parameters }) }
  }
}

function mouldOf({ engine }: Reader, { sql, parameters }: Statement): Mould {
  const any = JSON.stringify(listParameter(engine, ANY_IDS))
  return { sql, parameters, isList: parameters.map((value) => JSON.stringify(value) === any) }
}
