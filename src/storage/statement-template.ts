import { type Expression, type SqlBool, sql } from 'kysely'
import type { Compilable, EngineName, Reader, Statement } from './engine.ts'

// Building a statement takes longer than reading a few rows. So a statement of many requests is built once, with
// placeholders for the values of a request.

/**
 * The placeholder of a value in a template. The value is unknown when the template is built, so no text depends on it.
 */
export class Placeholder<T> {
  readonly #read: (values: Readonly<Record<string, unknown>>) => T

  /** @param read finds the value among all those of a statement */
  constructor(read: (values: Readonly<Record<string, unknown>>) => T) {
    this.#read = read
  }

  /** The value for this placeholder. */
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

/** A value derived from another as soon as that is known. */
export function derived<T, Made>(value: Given<T>, make: (value: T) => Made): Given<Made> {
  return value instanceof Placeholder ? new Placeholder((values) => make(value.valueAmong(values))) : make(value)
}

/** The input of a template. */
export interface TemplateInput<Shape, Values> {
  /** Everything that the text depends on, except which values there are: plain data, and functions that follow from it. */
  readonly shape: Shape
  /** Those that are undefined are not there. */
  readonly values: Values
}

/** Statements that are cached for each template and storage. */
const LIMIT = 256

/** Longest shape of a cached statement, in characters: longer ones contain lists that hardly recur. */
const KEY_LIMIT = 1_000

/**
 * A query that is built once for each shape, set of values and storage. Its builder gets placeholders in place of the
 * values, so what it builds is right for all of them.
 */
export function statementTemplate<Shape, Values extends object, Row>(
  build: (reader: Reader, shape: Shape, given: GivenAll<Values>) => Compilable<Row>,
): (reader: Reader, input: TemplateInput<Shape, Values>) => Compilable<Row> {
  // The query builder of a storage is one object for its whole life, so it identifies the storage here.
  const storages = new WeakMap<Reader['db'], Map<string, Statement>>()
  return (reader, { shape, values }) => {
    const named = values as Readonly<Record<string, unknown>>
    const names = Object.keys(named).filter((name) => named[name] !== undefined)
    const templates = storages.get(reader.db) ?? new Map<string, Statement>()
    // Writing an entry of a weak map again costs the garbage collector a check.
    if (templates.size === 0) storages.set(reader.db, templates)
    const key = `${names.join()} ${JSON.stringify(shape)}`
    let template = templates.get(key)
    if (template === undefined) {
      template = build(reader, shape, placeholdersOf<Values>(names)).compile()
      if (key.length <= KEY_LIMIT) templates.set(key, template)
      if (templates.size > LIMIT) templates.delete(templates.keys().next().value ?? '')
    }
    const parameters = template.parameters.map((one) => (one instanceof Placeholder ? one.valueAmong(named) : one))
    const ready = { sql: template.sql, parameters }
    return { ready, compile: () => ready }
  }
}

function placeholdersOf<Values>(names: readonly string[]): GivenAll<Values> {
  const placeholders = names.map((name) => [name, new Placeholder((values) => values[name])])
  return Object.fromEntries(placeholders) as GivenAll<Values>
}

/** A column: its name, such as `'occurrence.event_id'`, or any expression of a builder. */
export type ColumnRef = string | Expression<unknown>

/** A column for builders. */
export function reference(column: ColumnRef): Expression<unknown> {
  return typeof column === 'string' ? sql.ref(column) : column
}

/**
 * The condition `column in values`. The list travels as one parameter, so that the text of the statement is the same
 * for lists of any length; an empty list matches nothing. Values must have the type of the column.
 */
export function inList(
  engine: EngineName,
  column: ColumnRef,
  values: Given<readonly (string | number)[]>,
): Expression<SqlBool> {
  return engine === 'sqlite'
    ? sql<SqlBool>`${reference(column)} in (select value from json_each(${values}))`
    : sql<SqlBool>`${reference(column)} = any(${values})`
}

/** The condition that a column has one of the requested IDs. */
export type HasId = (column: ColumnRef) => Expression<SqlBool>

/** IDs as values of a statement: a single one, or a list. */
export interface Ids {
  readonly id?: number | undefined
  readonly ids?: readonly number[]
}

/** IDs as values of a statement, see `hasOneOf`. */
export function idsAsValues(ids: readonly number[]): Ids {
  return ids.length === 1 ? { id: ids[0] } : { ids }
}

/**
 * The condition that a column has one of the IDs. A single one is compared with `=`: for a list SQLite makes a table with a
 * page cache of its own, which takes longer than finding the row.
 */
export function hasOneOf(engine: EngineName, column: ColumnRef, { id, ids = [] }: GivenAll<Ids>): Expression<SqlBool> {
  return id === undefined ? inList(engine, column, ids) : sql<SqlBool>`${reference(column)} = ${operand(id)}`
}

/** A template of a query that depends on nothing but a list of IDs, which its conditions compare with. */
export function idsTemplate<Row>(
  build: (reader: Reader, hasId: HasId) => Compilable<Row>,
): (reader: Reader, ids: readonly number[]) => Compilable<Row> {
  const template = statementTemplate((reader: Reader, _shape: null, given: GivenAll<Ids>) =>
    build(reader, (column) => hasOneOf(reader.engine, column, given)),
  )
  return (reader, ids) => template(reader, { shape: null, values: idsAsValues(ids) })
}
