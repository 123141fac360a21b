import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { MessageId } from '../../base/i18n/translate.ts'
import { ALL_DEPENDENCIES, type Dependency } from '../../http/cache/versions.ts'
import type { RawInput } from '../../http/request/body.ts'
import { type Field, type FieldOptions, field } from '../../model/kinds/field.ts'
import type { Kind } from '../../model/kinds/kind.ts'
import type { Status } from '../../model/status.ts'
import type { Visibility } from './listing.ts'

/** A condition on rows. */
export type Condition = Expression<SqlBool>

/**
 * What a filter of a list adds to its parameter. Whatever is left out defaults to the safe side: links repeat the
 * filter, and any change invalidates the cached lists that use it.
 */
export interface Facets<Value, Wanted, Context, Row> extends FieldOptions {
  /**
   * Turns the value into what the condition compares, looking up names; undefined filters nothing. Default: the value
   * itself.
   */
  resolve?(value: Value, context: Context): Wanted | undefined | Promise<Wanted | undefined>
  /** Adds an error when the value conflicts with others, or the caller may not use it. */
  check?(value: Value, context: Context): void
  /** The condition on a row. */
  where(wanted: Wanted, row: Row): Condition
  /**
   * The dependencies of a list that uses the filter, beyond the membership of lists: `[]` for none, undefined where the
   * result depends on time.
   */
  scope?(wanted: Wanted): readonly Dependency[] | undefined
  /** Its position among the parameters of links: numbered ones come first. False if links must not repeat it. */
  readonly link?: number | false
}

/** A query parameter of a list with everything that follows from it; without a `where` it only says how others are read. */
export interface Filter<Name extends string, Value, Wanted, Context, Row>
  extends Field<Name, Value>,
    Omit<Facets<Value, Wanted, Context, Row>, keyof FieldOptions | 'where'> {
  where?(wanted: Wanted, row: Row): Condition
}

/** Any filter of a table. */
export type AnyFilter<Context = never, Row = never> = Filter<string, unknown, unknown, Context, Row>

/** The filters of a query by name; absent ones do not filter. */
export type Wanted<Filters extends readonly AnyFilter[]> = {
  readonly [F in Filters[number] as [WantedOf<F>] extends [never] ? never : F['name']]?: WantedOf<F> | undefined
}

type WantedOf<F> = F extends { where?(wanted: infer W, row: never): Condition } ? W : never

/** Declares a filter that works the same on all lists; modules with facets of their own have their own function. */
// biome-ignore lint/complexity/useMaxParams: a declaration reads as one row of a table
export function filterOf<Name extends string, Value, Rest extends FieldOptions>(
  name: Name,
  kind: Kind<Value>,
  description: MessageId,
  facets: Rest,
): Field<Name, Value> & Rest {
  return { ...facets, ...field(name, kind, description, facets) }
}

/** A filter that a query uses, with its resolved value. */
export interface ActiveFilter<F extends AnyFilter> {
  readonly filter: F
  readonly wanted: unknown
}

/** The filters that a query uses, in their order. */
export function activeFilters<F extends AnyFilter>(
  filters: readonly F[],
  query: Readonly<Record<string, unknown>>,
): ActiveFilter<F>[] {
  const sent: ActiveFilter<F>[] = []
  for (const filter of filters) {
    const wanted = filter.where === undefined ? undefined : query[filter.name]
    if (wanted !== undefined) sent.push({ filter, wanted })
  }
  return sent
}

/** The conditions of the filters that a query uses. */
export function conditionsOf<Row>(sent: readonly ActiveFilter<AnyFilter<never, Row>>[], row: Row): Condition[] {
  return sent.flatMap(({ filter, wanted }) => filter.where?.(wanted, row) ?? [])
}

/** What the filters of a list depend on beside the listed resource; undefined where the result depends on time. */
export function scopeOf(sent: readonly ActiveFilter<AnyFilter>[]): readonly Dependency[] | undefined {
  const all: Dependency[] = []
  for (const { filter, wanted } of sent) {
    const scope = filter.scope === undefined ? ALL_DEPENDENCIES : filter.scope(wanted)
    if (scope === undefined) return undefined
    all.push(...scope)
  }
  return all
}

/** The resolved values of a request, by filter name. */
export async function resolveFilters<Context>(
  filters: readonly AnyFilter<Context>[],
  values: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<Record<string, unknown>> {
  const query: Record<string, unknown> = {}
  for (const filter of filters) {
    const value = values[filter.name]
    if (value === undefined) continue
    filter.check?.(value, context)
    if (filter.where === undefined) continue
    const wanted = filter.resolve === undefined ? value : filter.resolve(value, context)
    query[filter.name] = wanted instanceof Promise ? await wanted : wanted
  }
  return query
}

/** The filters in the order of links, without those that links must not repeat. */
export function inLinkOrder<F extends AnyFilter>(filters: readonly F[]): readonly F[] {
  const place = ({ link }: F): number => (typeof link === 'number' ? link : filters.length + 1)
  return filters.filter(({ link }) => link !== false).toSorted((one, other) => place(one) - place(other))
}

/**
 * Name and value of each parameter of a link, from `effective` values by name; a value that is not plain is repeated as
 * `sent`.
 */
export function linkParameters(
  inOrder: readonly AnyFilter[],
  effective: Readonly<Record<string, unknown>>,
  sent: RawInput,
): [string, string][] {
  return inOrder.flatMap(({ name }): [string, string][] => {
    const value = effective[name]
    if (value === undefined) return []
    if (Array.isArray(value)) return [[name, value.join(',')]]
    return [[name, String(typeof value === 'object' ? sent[name] : value)]]
  })
}

/**
 * The visibility as a condition on rows with a status and an author. A single status is compared by `=`, so that an
 * index can sort.
 */
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
