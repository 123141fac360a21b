import { expressionBuilder, type SqlBool, sql } from 'kysely'
import type { MessageId } from '../../../base/i18n/translate.ts'
import type { Search } from '../../../base/text/search.ts'
import { utcFromMillis } from '../../../base/time/zones.ts'
import { PAGE_FIELDS } from '../../../http/paging.ts'
import { booleanOf, looselyYes } from '../../../model/kinds/boolean.ts'
import type { FieldOptions, ValuesOf } from '../../../model/kinds/field.ts'
import { positive } from '../../../model/kinds/integer.ts'
import type { Kind } from '../../../model/kinds/kind.ts'
import { search } from '../../../model/kinds/text.ts'
import type { EngineName } from '../../../storage/engine.ts'
import { containsText } from '../../../storage/expressions.ts'
import type { Database } from '../../../storage/schema.ts'
import {
  type ActiveFilter,
  type AnyFilter,
  type Condition,
  conditionsOf,
  type Facets,
  type Filter,
  filterOf,
  isVisible,
  type Wanted,
} from '../filters.ts'
import { checkCentre, circleOf, LATITUDE, LONGITUDE, liesWithin, RADIUS, RADIUS_SHOWN } from '../filters-distance.ts'
import { isWrittenIn, LANGUAGE, LANGUAGE_SHOWN } from '../filters-language.ts'
import { isChangedSince, UPDATED_SINCE } from '../filters-updated.ts'
import {
  checkOrder,
  checkStatus,
  type ListOrder,
  ORDER,
  type OrderBy,
  orderByField,
  statusFilter,
  type Visibility,
} from '../listing.ts'
import { type LinkedFilterContext, searchOf, unhiddenEvent } from './named.ts'
import type { LinkedKey } from './row.ts'

/** A filter without declared type: what does not read as yes is no (wire: rest 2.5). */
const flag: Kind<boolean> = {
  declared: {},
  schema: { type: 'boolean' },
  parse: (value) => ({ ok: true, value: typeof value === 'string' ? looselyYes(value) : (booleanOf(value) ?? false) }),
}

/** A row of a linked table, and which events count, by status and author. */
interface Asked {
  readonly key: LinkedKey
  readonly engine: EngineName
  readonly events: Visibility
}

type LinkedFilter<Name extends string, Value, Wanted> = Filter<Name, Value, Wanted, LinkedFilterContext, Asked>

/** Any filter of linked items. */
export type AnyLinkedFilter = AnyFilter<LinkedFilterContext, Asked>

/** Declares a filter of linked items. */
// biome-ignore lint/complexity/useMaxParams: a declaration reads as one row of a table
export function linkedFilter<const Name extends string, Value, Wanted = Value>(
  name: Name,
  kind: Kind<Value>,
  description: MessageId,
  facets: Facets<Value, Wanted, LinkedFilterContext, Asked>,
): LinkedFilter<Name, Value, Wanted> {
  return filterOf(name, kind, description, facets)
}

// biome-ignore lint/complexity/useMaxParams: a declaration reads as one row of a table
function parameter<const Name extends string, Value>(
  name: Name,
  kind: Kind<Value>,
  description: MessageId,
  facets: Omit<Facets<Value, never, LinkedFilterContext, Asked>, 'where'> & FieldOptions,
): LinkedFilter<Name, Value, never> {
  return filterOf(name, kind, description, facets)
}

/** What lists of any linked items can be ordered by. */
const ORDERS = ['published', 'modified', 'title', 'relevance'] as const satisfies readonly OrderBy[]

/**
 * Query parameters of the list of a linked resource in the interface's order (interface: Venues, Organizers), and
 * ours; `orders` is what it can be ordered by.
 */
export function linkedFilters(items: 'venues' | 'organizers', orders: readonly OrderBy[] = ORDERS) {
  return [
    linkedFilter('search', search, `api.${items}.search`, {
      resolve: searchOf,
      where: hasWords,
      scope: () => [],
      link: 4,
    }),
    linkedFilter('event', positive, `api.${items}.ofEvent`, {
      resolve: unhiddenEvent,
      where: (id, { key }) => related(key, sql<SqlBool>`${sql.ref(`event_${key}.event_id`)} = ${id}`),
      scope: (id) => [{ of: 'event', id }],
      link: 1,
    }),
    linkedFilter('has_events', flag, `api.${items}.hasEvents`, {
      where: (wanted, { key, events }) => {
        const used = related(key, visibleEvent('event', 'id', { key, events }))
        return wanted ? used : build.not(used)
      },
      scope: () => [{ of: 'event' }],
      link: 2,
    }),
    linkedFilter('only_with_upcoming', flag, `api.${items}.onlyWithUpcoming`, {
      default: false,
      resolve: (wanted, { now }) => (wanted ? utcFromMillis(now) : undefined),
      where: (moment, { key, events }) => {
        const ends = sql<SqlBool>`${sql.ref('occurrence.end_utc')} > ${moment}`
        return related(key, visibleEvent('occurrence', 'event_id', { key, events, ends }))
      },
      link: 3,
    }),
    parameter('status', statusFilter, `api.${items}.status`, {
      check: (sent, { caller, refusals }) => checkStatus(caller, sent, refusals),
      link: 8,
    }),
    linkedFilter(...LANGUAGE, {
      where: (tag, { key }) => isWrittenIn(sql.ref(`${key}.language`), tag),
      scope: () => [],
      ...LANGUAGE_SHOWN,
    }),
    linkedFilter(...UPDATED_SINCE, {
      where: (since, { key }) => isChangedSince(key, sql.ref(`${key}.id`), since),
      unlisted: true,
    }),
    parameter(...orderByField(orders), {
      check: (by, { values, refusals }) => checkOrder(by, values, refusals),
      unlisted: true,
    }),
    parameter(...ORDER, { unlisted: true }),
  ] as const
}

/** What lists of items with coordinates can be ordered by. */
export const PLACED_ORDERS = [...ORDERS, 'distance'] as const satisfies readonly OrderBy[]

/** Further filters for items with coordinates; ours (decisions: geoloc). */
export const DISTANCE_FILTERS = [
  linkedFilter(...LATITUDE, {
    check: (_lat, { values, refusals }) => checkCentre(values, refusals),
    resolve: (_lat, { values }) => circleOf(values),
    where: (circle) => liesWithin(circle),
    scope: () => [],
    link: 5,
  }),
  parameter(...LONGITUDE, { check: (_lng, { values, refusals }) => checkCentre(values, refusals), link: 6 }),
  parameter(...RADIUS, { ...RADIUS_SHOWN, link: 7 }),
] as const

/** The filters of any linked resource. */
type LinkedFilters = readonly (ReturnType<typeof linkedFilters>[number] | (typeof DISTANCE_FILTERS)[number])[]

/** The values of a list request that were sent. */
export type LinkedListValues = ValuesOf<readonly (LinkedFilters[number] | (typeof PAGE_FIELDS)[number])[]>

/** Query parameters of the list of a linked resource. */
export const linkedListFields = <const Filters extends readonly AnyLinkedFilter[]>(filters: Filters) =>
  [...PAGE_FIELDS, ...filters] as const

/** A resolved list query; absent members do not filter. */
export type LinkedQuery = Wanted<LinkedFilters> & {
  /** Which rows by status and author. */
  readonly visibility: Visibility
  /** Which events count, by status and author. */
  readonly countedEvents: Visibility
  /** Newest publication first if absent. */
  readonly order: ListOrder | undefined
}

const build = expressionBuilder<Database, never>()

/** All conditions of a query on a row of the table; `sent` are the filters that it uses. */
export function linkedConditions(
  query: LinkedQuery,
  sent: readonly ActiveFilter<AnyLinkedFilter>[],
  { key, engine }: { readonly key: LinkedKey; readonly engine: EngineName },
): Condition[] {
  return [visible(key, query.visibility), ...conditionsOf(sent, { key, engine, events: query.countedEvents })]
}

/** The condition that a row of a table with `status` and `author_id` may be seen. */
export function visible(table: LinkedKey | 'event' | 'occurrence', visibility: Visibility): Condition {
  const columns = { status: sql.ref<string>(`${table}.status`), author: sql.ref<number>(`${table}.author_id`) }
  return isVisible(build, visibility, columns)
}

/** Whether a relation of the item meets the condition. */
function related(key: LinkedKey, condition: Condition): Condition {
  const relation = `event_${key}`
  return sql<SqlBool>`exists (select 1 from ${sql.table(relation)}
    where ${sql.ref(`${relation}.${key}_id`)} = ${sql.ref(`${key}.id`)} and ${condition})`
}

/** Whether the event of a relation, or an occurrence of it, counts. */
function visibleEvent(
  table: 'event' | 'occurrence',
  column: 'id' | 'event_id',
  { key, events, ends }: { readonly key: LinkedKey; readonly events: Visibility; readonly ends?: Condition },
): Condition {
  const counted = ends === undefined ? visible(table, events) : build.and([visible(table, events), ends])
  return sql<SqlBool>`exists (select 1 from ${sql.table(table)}
    where ${sql.ref(`${table}.${column}`)} = ${sql.ref(`event_${key}.event_id`)} and ${counted})`
}

function hasWords({ words, excluded }: Search, { key, engine }: Asked): Condition {
  return build.and([
    ...words.map((word) => containsText(engine, `${key}.id`, word)),
    ...excluded.map((word) => build.not(containsText(engine, `${key}.id`, word))),
  ])
}
