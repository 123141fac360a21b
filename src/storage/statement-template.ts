import { type Expression, sql } from 'kysely'
import type { Compilable, Reader, Statement } from './engine.ts'
import { LruCache } from './lru-cache.ts'

// Building a statement takes longer than reading a few rows. So a statement that many requests ask is built once, with
// placeholders where the values of a request go.

/** The place of a value in a template. The value is not known when the template is built, so no text depends on it. */
export class Placeholder<T> {
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

/** A value of a statement, or its placeholder in a template. */
export type Given<T> = T | Placeholder<T>

/** Values by name, each of which may be a placeholder. */
export type GivenAll<Values> = { readonly [Name in keyof Values]: Given<Exclude<Values[Name], undefined>> }

/** A value of a statement for a builder. */
export function operand<T>(value: Given<T>): Expression<T> {
  return sql<T>`${value}`
}

/** What is computed from a value, as soon as it is known. */
export function derived<T, Made>(value: Given<T>, make: (value: T) => Made): Given<Made> {
  return value instanceof Placeholder ? new Placeholder((values) => make(value.valueAmong(values))) : make(value)
}

/** What a statement is made from by its template. */
export interface TemplateInput<Shape, Values> {
  /** Everything that the text depends on, except which values there are: plain data. */
  readonly shape: Shape
  /** Those that are undefined are not there. */
  readonly values: Values
}

/** Statements that are cached for each template and storage. */
const LIMIT = 256

/** Longest shape of a cached statement, in characters: longer ones hold lists that hardly come again. */
const KEY_LIMIT = 1_000

/**
 * A query that is built once for each shape, set of values and storage. Its builder gets placeholders in place of the
 * values, so what it builds is right for all of them.
 */
export function statementTemplate<Shape, Values extends object, Row>(
  build: (reader: Reader, shape: Shape, given: GivenAll<Values>) => Compilable<Row>,
): (reader: Reader, input: TemplateInput<Shape, Values>) => Compilable<Row> {
  // The builder of a storage is one object for its whole life, so it stands for the storage here.
  const templates = new WeakMap<Reader['db'], LruCache<Statement>>()
  return (reader, { shape, values }) => {
    const named = values as Readonly<Record<string, unknown>>
    const names = Object.keys(named).filter((name) => named[name] !== undefined)
    const cached = templates.get(reader.db) ?? new LruCache<Statement>(LIMIT)
    // An entry of a weak map that is written again costs the garbage collector a look.
    if (cached.size === 0) templates.set(reader.db, cached)
    const key = `${names.join()} ${JSON.stringify(shape)}`
    let template = cached.get(key)
    if (template === undefined) {
      template = build(reader, shape, placeholdersOf<Values>(names)).compile()
      if (key.length <= KEY_LIMIT) cached.set(key, template)
    }
    return withValues(template, named)
  }
}

function placeholdersOf<Values>(names: readonly string[]): GivenAll<Values> {
  const placeholders = names.map((name) => [name, new Placeholder((values) => values[name])])
  return Object.fromEntries(placeholders) as GivenAll<Values>
}

function withValues<Row>(
  { sql: text, parameters }: Statement,
  values: Readonly<Record<string, unknown>>,
): Compilable<Row> {
  const statement = {
    sql: text,
    parameters: parameters.map((one) => (one instanceof Placeholder ? one.valueAmong(values) : one)),
  }
  return { compile: () => statement }
}
