import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { sql } from 'kysely'
import { type Field, type FieldOptions, field } from '../fields/field.ts'
import type { Kind } from '../fields/kind.ts'
import { ALL_PARTS, type Part } from '../http/cache/versions.ts'
import type { Status } from '../model/status.ts'
import type { Visibility } from './listing.ts'

/** A condition on rows. */
export type Condition = Expression<SqlBool>

/**
 * What follows from a filter of a list beside its parameter. What is left out is taken for the worst: links repeat the
 * filter, and any change of anything invalidates the cached lists that use it.
 */
export interface Facets<Value, Wanted, Asking, Asked> extends FieldOptions {
  /** What the value asks for, once names are looked up; undefined filters nothing. Without it: the value itself. */
  resolve?(value: Value, asking: Asking): Wanted | undefined | Promise<Wanted | undefined>
  /** Adds a refusal where the value does not go with others, or the caller may not ask for it. */
  check?(value: Value, asking: Asking): void
  /** The condition on a row. */
  where(wanted: Wanted, asked: Asked): Condition
  /** What else than the lists that items stand on decides which are meant: `[]` for nothing, undefined where time does. */
  scope?(wanted: Wanted): readonly Part[] | undefined
  /** Its place among the parameters of links: those with a number come first. False for what links must not repeat. */
  readonly link?: number | false
}

/** A query parameter of a list with everything that follows from it; without a `where` it only says how others are read. */
export interface Filter<Name extends string, Value, Wanted, Asking, Asked>
  extends Field<Name, Value>,
    Omit<Facets<Value, Wanted, Asking, Asked>, keyof FieldOptions | 'where'> {
  where?(wanted: Wanted, asked: Asked): Condition
}

/** Any filter of a table. */
export type AnyFilter<Asking = never, Asked = never> = Filter<string, unknown, unknown, Asking, Asked>

/** What a list asks for, by the names of its filters; those that are absent do not filter. */
export type Wanted<Filters extends readonly AnyFilter[]> = {
  readonly [F in Filters[number] as [WantedOf<F>] extends [never] ? never : F['name']]?: WantedOf<F> | undefined
}

type WantedOf<F> = F extends { where?(wanted: infer W, asked: never): Condition } ? W : never

/** Declares a filter that all lists read alike; rooms with facets of their own have a function of their own. */
// biome-ignore lint/complexity/useMaxParams: a declaration reads as one row of a table
export function filterOf<Name extends string, Value, Rest extends FieldOptions>(
  name: Name,
  kind: Kind<Value>,
  description: string,
  facets: Rest,
): Field<Name, Value> & Rest {
  return { ...facets, ...field(name, kind, description, facets) }
}

/** A filter that a list asks for, and what it wants. */
export interface Sent<F extends AnyFilter> {
  readonly filter: F
  readonly wanted: unknown
}

/** The filters that a list asks for, in their order. */
export function sentOf<F extends AnyFilter>(
  filters: readonly F[],
  query: Readonly<Record<string, unknown>>,
): Sent<F>[] {
  const sent: Sent<F>[] = []
  for (const filter of filters) {
    const wanted = filter.where === undefined ? undefined : query[filter.name]
    if (wanted !== undefined) sent.push({ filter, wanted })
  }
  return sent
}

/** The conditions of the filters that a list asks for. */
export function conditionsOf<Asked>(sent: readonly Sent<AnyFilter<never, Asked>>[], asked: Asked): Condition[] {
  return sent.flatMap(({ filter, wanted }) => filter.where?.(wanted, asked) ?? [])
}

/** What the filters of a list depend on beside the listed resource; undefined where nothing but time tells. */
export function scopeOf(sent: readonly Sent<AnyFilter>[]): readonly Part[] | undefined {
  const scopes = sent.map(({ filter, wanted }) => (filter.scope === undefined ? ALL_PARTS : filter.scope(wanted)))
  const known = scopes.filter((scope) => scope !== undefined)
  return known.length < scopes.length ? undefined : known.flat()
}

/** What the values of a request ask for, by the names of the filters. */
export async function resolveFilters<Asking>(
  filters: readonly AnyFilter<Asking>[],
  values: Readonly<Record<string, unknown>>,
  asking: Asking,
): Promise<Record<string, unknown>> {
  const query: Record<string, unknown> = {}
  for (const filter of filters) {
    const value = values[filter.name]
    if (value === undefined) continue
    filter.check?.(value, asking)
    if (filter.where === undefined) continue
    const wanted = filter.resolve === undefined ? value : filter.resolve(value, asking)
    query[filter.name] = wanted instanceof Promise ? await wanted : wanted
  }
  return query
}

/** The filters in the order of links, without those that links must not repeat. */
export function inLinkOrder<F extends AnyFilter>(filters: readonly F[]): readonly F[] {
  const place = ({ link }: F): number => (typeof link === 'number' ? link : filters.length + 1)
  return filters.filter(({ link }) => link !== false).toSorted((one, other) => place(one) - place(other))
}

/** Name and value of each parameter of a link, of `effective` values by name; what is no plain value is repeated as `sent`. */
export function linkParameters(
  inOrder: readonly AnyFilter[],
  effective: Readonly<Record<string, unknown>>,
  sent: (name: string) => unknown,
): [string, string][] {
  return inOrder.flatMap(({ name }): [string, string][] => {
    const value = effective[name]
    if (value === undefined) return []
    if (Array.isArray(value)) return [[name, value.join(',')]]
    return [[name, String(typeof value === 'object' ? sent(name) : value)]]
  })
}

/** The visibility as a condition on rows with a status and an author. One status is asked by `=`, so that an index can order. */
export function isVisible<DB, TB extends keyof DB>(
  row: ExpressionBuilder<DB, TB>,
  visibility: Visibility,
  columns: { readonly status: Expression<string>; readonly author: Expression<number> },
): Condition {
  const ofAll = isOneOf(row, columns.status, visibility.ofAll)
  if (visibility.ofOwn.length === 0) return ofAll
  const ofOwn = row.and([row(columns.author, '=', visibility.ownerId), isOneOf(row, columns.status, visibility.ofOwn)])
  return row.or([ofAll, ofOwn])
}

function isOneOf<DB, TB extends keyof DB>(
  row: ExpressionBuilder<DB, TB>,
  status: Expression<string>,
  wanted: readonly Status[],
): Condition {
  const [first] = wanted
  if (first === undefined) return sql<SqlBool>`1 = 0`
  return wanted.length === 1 ? row(status, '=', first) : row(status, 'in', [...wanted])
}
