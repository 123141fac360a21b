import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { booleanOf, looselyYes } from '../../fields/boolean.ts'
import { field } from '../../fields/field.ts'
import { positive } from '../../fields/integer.ts'
import { type Kind, read } from '../../fields/kind.ts'
import { search } from '../../fields/text.ts'
import { PAGE_FIELDS } from '../../http/pages.ts'
import type { EngineName } from '../../storage/engine.ts'
import { containsText } from '../../storage/expressions.ts'
import type { Database } from '../../storage/schema.ts'
import type { Search } from '../../text/search.ts'
import { isVisible } from '../filters.ts'
import { CENTRE_FIELDS, type Circle, liesWithin, RADIUS_FIELD } from '../filters-distance.ts'
import { statusFilter, type Visibility } from '../listing.ts'
import type { LinkedKey } from './row.ts'

/** A filter without declared type: what does not read as yes is no (wire: rest 2.5). */
const flag: Kind<boolean> = {
  declared: {},
  schema: { type: 'boolean' },
  parse: (value) => read(typeof value === 'string' ? looselyYes(value) : (booleanOf(value) ?? false)),
}

/** A query parameter of the list of a linked resource. */
export type LinkedListField = ReturnType<typeof linkedListFields>[number] | (typeof DISTANCE_FIELDS)[number]

/** Further query parameters of the list of what has coordinates; ours (decisions: geoloc). */
export const DISTANCE_FIELDS = [...CENTRE_FIELDS, RADIUS_FIELD] as const

/** Query parameters of the list of a linked resource in the interface's order (interface: Venues, Organizers). */
export function linkedListFields(items: 'venues' | 'organizers') {
  return [
    ...PAGE_FIELDS,
    field('search', search, `Words that the name, the text or another field of the ${items} must contain`),
    field('event', positive, `Identifier of the event whose ${items} to list`),
    field('has_events', flag, `Whether the ${items} have events`),
    field('only_with_upcoming', flag, `Whether to list only ${items} with events that have not ended`, {
      default: false,
    }),
    field('status', statusFilter, `State of the ${items}`),
  ] as const
}

/** What a list asks for; absent members do not filter. */
export interface LinkedQuery {
  /** Which rows by status and author. */
  readonly visibility: Visibility
  /** Which events count, by status and author. */
  readonly countedEvents: Visibility
  readonly search: Search | undefined
  /** Id of an event; 0 for one whose relations are not revealed. */
  readonly event: number | undefined
  readonly has_events: boolean | undefined
  /** The moment, UTC text, after which an event must end; undefined without the filter. */
  readonly upcomingAfter: string | undefined
  /** Where the item lies; for venues only. */
  readonly near: Circle | undefined
}

type Condition = Expression<SqlBool>

const build = expressionBuilder<Database, never>()

/** How each part of a query filters rows: one entry each, used by lists and totals alike. */
const CONDITIONS: {
  readonly [Name in Exclude<keyof LinkedQuery, 'countedEvents'>]: (
    value: NonNullable<LinkedQuery[Name]>,
    table: { readonly key: LinkedKey; readonly engine: EngineName; readonly events: Visibility },
  ) => readonly Condition[]
} = {
  visibility: (visibility, { key }) => [visible(key, visibility)],
  search: (sought, { key, engine }) => searchConditions(sought, key, engine),
  event: (id, { key }) => [related(key, sql<SqlBool>`${sql.ref(`event_${key}.event_id`)} = ${id}`)],
  has_events: (wanted, { key, events }) => {
    const used = related(key, visibleEvent('event', 'id', { key, events }))
    return [wanted ? used : build.not(used)]
  },
  upcomingAfter: (moment, { key, events }) => {
    const ends = sql<SqlBool>`${sql.ref('occurrence.end_utc')} > ${moment}`
    return [related(key, visibleEvent('occurrence', 'event_id', { key, events, ends }))]
  },
  near: (circle) => [liesWithin(circle)],
}

/** All conditions of a query on a row of the table. */
export function linkedConditions(query: LinkedQuery, key: LinkedKey, engine: EngineName): Condition[] {
  const table = { key, engine, events: query.countedEvents }
  const { visibility, search: sought, event, has_events, upcomingAfter, near } = query
  return [
    ...CONDITIONS.visibility(visibility, table),
    ...(sought === undefined ? [] : CONDITIONS.search(sought, table)),
    ...(event === undefined ? [] : CONDITIONS.event(event, table)),
    ...(has_events === undefined ? [] : CONDITIONS.has_events(has_events, table)),
    ...(upcomingAfter === undefined ? [] : CONDITIONS.upcomingAfter(upcomingAfter, table)),
    ...(near === undefined ? [] : CONDITIONS.near(near, table)),
  ]
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

function searchConditions({ words, excluded }: Search, key: LinkedKey, engine: EngineName): Condition[] {
  return [
    ...words.map((word) => containsText(engine, `${key}.id`, word)),
    ...excluded.map((word) => build.not(containsText(engine, `${key}.id`, word))),
  ]
}
