import { type Expression, sql } from 'kysely'
import type { Compilable, Reader, Statement } from './engine.ts'

/** The place of a value in a statement that is kept. What stands there later cannot be asked, so no text turns on it. */
export class Place<T> {
  readonly #read: (values: Readonly<Record<string, unknown>>) => T

  /** @param read finds the value among all those of a statement */
  constructor(read: (values: Readonly<Record<string, unknown>>) => T) {
    this.#read = read
  }

  /** The value that stands here. */
  valueAmong(values: Readonly<Record<string, unknown>>): T {
    return this.#read(values)
  }
}

/** A value of a statement, or its place where the statement is kept for other values. */
export type Given<T> = T | Place<T>

/** Values by name, each of which may be a place. */
export type GivenAll<Values> = { readonly [Name in keyof Values]: Given<Exclude<Values[Name], undefined>> }

/** A value of a statement for a builder. */
export function operand<T>(value: Given<T>): Expression<T> {
  return sql<T>`${value}`
}

/** What is made of a value, as soon as it is there. */
export function derived<T, Made>(value: Given<T>, make: (value: T) => Made): Given<Made> {
  return value instanceof Place ? new Place((values) => make(value.valueAmong(values))) : make(value)
}

/** What is asked of a statement that is kept. */
export interface Asked<Shape, Values> {
  /** Everything that its text turns on, but for which values there are: plain data. */
  readonly shape: Shape
  /** Those that are undefined are not there. */
  readonly values: Values
}

/** Statements that are kept for each query in the code and storage; the one that was not asked for longest gives way. */
const KEPT = 256

/** Longest shape of a statement that is kept, in characters: longer ones hold lists that hardly come again. */
const KEY_LIMIT = 1_000

/**
 * A query that is compiled once for each shape and storage: building it takes longer than reading a few rows. What its
 * builder gets of the values are places, so what it builds is right for all of them.
 */
export function keptStatement<Shape, Values extends object, Row>(
  build: (reader: Reader, shape: Shape, given: GivenAll<Values>) => Compilable<Row>,
): (reader: Reader, asked: Asked<Shape, Values>) => Compilable<Row> {
  // The builder of a storage is one object for its whole life, so it stands for the storage here.
  const moulds = new WeakMap<Reader['db'], Map<string, Statement>>()
  return (reader, { shape, values }) => {
    const named = values as Readonly<Record<string, unknown>>
    const names = Object.keys(named).filter((name) => named[name] !== undefined)
    const known = moulds.get(reader.db) ?? new Map<string, Statement>()
    // An entry of a weak map that is written again costs the collector a look.
    if (known.size === 0) moulds.set(reader.db, known)
    const key = `${names.join()} ${JSON.stringify(shape)}`
    const kept = known.get(key)
    // While there is room nobody has to know what was asked for last.
    if (kept !== undefined && known.size < KEPT / 2) return filled(kept, named)
    const mould = kept ?? build(reader, shape, placesOf<Values>(names)).compile()
    known.delete(key)
    if (key.length <= KEY_LIMIT) known.set(key, mould)
    const [oldest] = known.size > KEPT ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return filled(mould, named)
  }
}

function placesOf<Values>(names: readonly string[]): GivenAll<Values> {
  const places = names.map((name) => [name, new Place((values) => values[name])])
  return Object.fromEntries(places) as GivenAll<Values>
}

function filled<Row>({ sql: text, parameters }: Statement, values: Readonly<Record<string, unknown>>): Compilable<Row> {
  const statement = {
    sql: text,
    parameters: parameters.map((one) => (one instanceof Place ? one.valueAmong(values) : one)),
  }
  return { compile: () => statement }
}
