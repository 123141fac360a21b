import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool, sql } from 'kysely'
import { isVisible } from '../../entries/filters.ts'
import { CENTRE_FIELDS, type Circle, liesWithin, RADIUS_FIELD } from '../../entries/filters-distance.ts'
import { statusFilter, type Visibility } from '../../entries/listing.ts'
import { boolean, booleanOf } from '../../fields/boolean.ts'
import { date } from '../../fields/date.ts'
import { field, type ValuesOf } from '../../fields/field.ts'
import { positive } from '../../fields/integer.ts'
import { type Kind, read, refuse } from '../../fields/kind.ts'
import { idList, termRefs } from '../../fields/list.ts'
import { credential, search } from '../../fields/text.ts'
import { PAGE_FIELDS } from '../../http/pages.ts'
import type { EngineName } from '../../storage/engine.ts'
import { containsText, inList } from '../../storage/expressions.ts'
import { derived, type Given, operand } from '../../storage/kept-statement.ts'
import { type Database, LINK_KIND } from '../../storage/schema.ts'
import type { Search } from '../../text/search.ts'
import { startOfDay } from '../../time/ranges.ts'
import { addToLocal } from '../../time/zones.ts'

/** The dates of a list are whole days unless this reads as yes; what does not read at all is no. */
const strictFlag: Kind<boolean> = {
  declared: {},
  schema: { type: 'boolean' },
  parse: (value) => (value === '' || typeof value === 'object' ? refuse('empty') : read(booleanOf(value) ?? false)),
}

const DATE = { declared: {} }

/** Query parameters that say which events a list holds, in the interface's order (interface: Events), then ours. */
export const EVENT_FILTER_FIELDS = [
  field('start_date', date, 'Events that start on or after this date', { ...DATE, shownDefault: defaultStart }),
  field('end_date', date, 'Events that end on or before this date', { ...DATE, shownDefault: defaultEnd }),
  field('starts_before', date, 'Events that start before this date', DATE),
  field('starts_after', date, 'Events that start after this date', DATE),
  field('ends_before', date, 'Events that end before this date', DATE),
  field('ends_after', date, 'Events that end after this date', DATE),
  field('strict_dates', strictFlag, 'Whether dates are used to the second instead of as whole days', {
    shownDefault: false,
  }),
  field('search', search, 'Words that the title, the description or the excerpt must contain'),
  field('categories', termRefs, 'Identifiers or slugs of categories; one of them must apply'),
  field('tags', termRefs, 'Identifiers or slugs of tags; one of them must apply'),
  field('venue', idList, 'Identifiers of venues; one of them must apply'),
  field('organizer', idList, 'Identifiers of organizers; one of them must apply'),
  field('featured', boolean, 'Whether the events are featured'),
  field('status', statusFilter, 'State of the events'),
  field('geoloc', boolean, 'Whether the venue of the events has coordinates'),
  ...CENTRE_FIELDS,
  field('include', idList, 'Identifiers of the only events to list; dates are then ignored'),
  field('post_parent', positive, 'Identifier of the event that the events are parts of'),
  field('ticketed', boolean, 'Whether the events have tickets'),
  RADIUS_FIELD,
  field('password', credential, 'Password that opens protected events'),
] as const

/** Query parameters of the events list. */
export const EVENT_LIST_FIELDS = [...PAGE_FIELDS, ...EVENT_FILTER_FIELDS] as const

/** The values of a list request that were sent. */
export type EventListValues = ValuesOf<typeof EVENT_LIST_FIELDS>

/** Parameters that name a moment. */
export const DATE_FILTERS = [
  'start_date',
  'end_date',
  'starts_before',
  'starts_after',
  'ends_before',
  'ends_after',
] as const

/** Name of a parameter that names a moment. */
export type DateFilter = (typeof DATE_FILTERS)[number]

function defaultStart(today: string): string {
  return startOfDay(today)
}

function defaultEnd(today: string): string {
  return `${addToLocal(startOfDay(today), { months: 24 }).slice(0, 10)} 23:59:59`
}

/** First and last second of the default window, from the present wall clock of the site (decisions: Default window). */
export function defaultWindow(today: string): { readonly start_date: string; readonly end_date: string } {
  return { start_date: defaultStart(today), end_date: defaultEnd(today) }
}

/** What a search of events asks for. */
export interface EventSearch extends Search {
  /** The protected events whose hidden text is searched, too, because the caller may edit them. */
  readonly hidden?: Visibility | undefined
}

/** What a list asks for, with every name resolved; bounds are wall clock text. */
export interface EventQuery {
  /** Bounds by parameter; absent ones do not filter. Text is compared with the event's own wall clock. */
  readonly bounds: Readonly<Partial<Record<DateFilter, string>>>
  readonly search: EventSearch | undefined
  /** Those below them are meant, too. */
  readonly categories: readonly number[] | undefined
  readonly tags: readonly number[] | undefined
  readonly venue: readonly number[] | undefined
  readonly organizer: readonly number[] | undefined
  readonly featured: boolean | undefined
  /** Whether a venue that the caller may read has coordinates. */
  readonly located: { readonly wanted: boolean; readonly venues: Visibility } | undefined
  /** Where a venue that the caller may read lies. */
  readonly near: { readonly circle: Circle; readonly venues: Visibility } | undefined
  readonly include: readonly number[] | undefined
  readonly post_parent: number | undefined
  readonly ticketed: boolean | undefined
}

/** A query that filters nothing. */
export const EVERYTHING: EventQuery = {
  bounds: {},
  search: undefined,
  categories: undefined,
  tags: undefined,
  venue: undefined,
  organizer: undefined,
  featured: undefined,
  located: undefined,
  near: undefined,
  include: undefined,
  post_parent: undefined,
  ticketed: undefined,
}

/** A query as statements are built from it: where one is kept, the bounds are places. */
export interface BuiltQuery extends Omit<EventQuery, 'bounds'> {
  readonly bounds: Readonly<Partial<Record<DateFilter, Given<string>>>>
}

type Row = ExpressionBuilder<Database, 'occurrence'>
type Condition = Expression<SqlBool>

/** A row of `occurrence` that is asked about, in the dialect of an engine. */
interface Asked {
  readonly row: Row
  readonly engine: EngineName
}

type Conditions = {
  readonly [Name in keyof BuiltQuery]: (value: NonNullable<BuiltQuery[Name]>, asked: Asked) => readonly Condition[]
}

/** How each part of a query filters occurrences: one entry each, used by lists and totals alike. */
const CONDITIONS: Conditions = {
  bounds: (bounds, { row }) => boundConditions(row, bounds),
  search: (sought, asked) => searchConditions(sought, asked),
  categories: (ids, { engine }) => [
    listedUnder(
      sql`occurrence_link.kind = ${LINK_KIND.category} and ${inList(engine, 'occurrence_link.target_id', ids)}`,
    ),
  ],
  tags: (ids, asked) => [linkedTo('event_tag', ids, asked)],
  venue: (ids, asked) => [linkedTo('event_venue', ids, asked)],
  organizer: (ids, asked) => [linkedTo('event_organizer', ids, asked)],
  featured: (wanted, { row }) => [row('occurrence.featured', '=', wanted ? 1 : 0)],
  located: ({ wanted, venues }) => [located(wanted, venues)],
  near: (place) => [sql<SqlBool>`occurrence.event_id in ${eventsWithin(place)}`],
  include: (ids, { engine }) => [inList(engine, 'occurrence.id', ids)],
  post_parent: (id) => [sql<SqlBool>`${eventColumn('post_parent')} = ${id}`],
  ticketed: (wanted) => [
    wanted ? sql<SqlBool>`${eventColumn('tickets')} is not null` : sql<SqlBool>`${eventColumn('tickets')} is null`,
  ],
}

/** Whether the caller may see a row of `occurrence`. */
export function isShown(row: Row, visibility: Visibility): Condition {
  return isVisible(row, visibility, { status: row.ref('occurrence.status'), author: row.ref('occurrence.author_id') })
}

/** All conditions of a query on a row of `occurrence`, apart from who may see it. */
export function eventConditions(row: Row, query: BuiltQuery, engine: EngineName): Condition[] {
  const asked = { row, engine }
  const part = <Name extends keyof EventQuery>(name: Name): readonly Condition[] => {
    const value = query[name]
    return isSent(value) ? CONDITIONS[name](value, asked) : []
  }
  return QUERY_PARTS.flatMap((name) => part(name))
}

/** The parts of a query, in the order of their conditions. */
export const QUERY_PARTS = [
  'bounds',
  'search',
  'categories',
  'tags',
  'venue',
  'organizer',
  'featured',
  'located',
  'near',
  'include',
  'post_parent',
  'ticketed',
] as const satisfies readonly (keyof EventQuery)[]

function isSent<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null
}

function eventColumn(column: 'post_parent' | 'tickets'): Expression<unknown> {
  return sql`(select event.${sql.ref(column)} from event where event.id = occurrence.event_id)`
}

function linkedTo(table: keyof typeof TARGET_COLUMNS, ids: readonly number[], { engine }: Asked): Condition {
  const target = `${table}.${TARGET_COLUMNS[table]}`
  return sql<SqlBool>`exists (select 1 from ${sql.table(table)}
    where ${sql.ref(`${table}.event_id`)} = occurrence.event_id and ${inList(engine, target, ids)})`
}

/**
 * Whether lists show a row of `occurrence` under a target, by a condition on the first columns of `occurrence_link`: it is
 * asked by the whole primary key, so that it is one step down the tree.
 */
export function listedUnder(target: Expression<unknown>): Condition {
  return sql<SqlBool>`exists (select 1 from occurrence_link where ${target}
    and occurrence_link.listed = occurrence.listed and occurrence_link.status = occurrence.status
    and occurrence_link.start_local = occurrence.start_local and occurrence_link.published_at = occurrence.published_at
    and occurrence_link.occurrence_id = occurrence.id)`
}

/** Relations of an event and the column that names the other side; categories have others above them, see `listedUnder`. */
const TARGET_COLUMNS = {
  event_venue: 'venue_id',
  event_organizer: 'organizer_id',
  event_tag: 'tag_id',
} as const

/**
 * Comparisons of the date parameters with moments of `occurrence`; the bounds of whole days have been moved to the next
 * midnight already.
 */
const COMPARISONS = {
  start_date: ['start_local', '>='],
  end_date: ['end_local', '<='],
  starts_before: ['start_local', '<'],
  starts_after: ['start_local', '>'],
  ends_before: ['end_local', '<'],
  ends_after: ['end_local', '>'],
} as const

type Comparison = (typeof COMPARISONS)[DateFilter]

/** The date parameters that are set, each as a condition that is made of its column, its operator and its bound. */
export function compared(
  bounds: BuiltQuery['bounds'],
  compare: (column: Comparison[0], operator: Comparison[1], bound: Expression<string>) => Condition,
): Condition[] {
  return DATE_FILTERS.flatMap((name) => {
    const bound = bounds[name]
    const [column, operator] = COMPARISONS[name]
    return bound === undefined ? [] : [compare(column, operator, operand(bound))]
  })
}

function boundConditions(row: Row, bounds: BuiltQuery['bounds']): Condition[] {
  const conditions = compared(bounds, (column, operator, bound) => row(`occurrence.${column}`, operator, bound))
  return bounds.ends_after === undefined ? conditions : [...conditions, anySpan(row, bounds.ends_after)]
}

/** Length classes of occurrences in days, as `spanClass` gives them; the last one has no bound. */
export const SPANS = [1, 7, 31, 366, 9999] as const

/** Length class of an occurrence. */
export type Span = (typeof SPANS)[number]

/** The condition on the start of what is in a length class and ends after a moment: it starts no more than that before. */
export function spanConditions(row: Row, span: Span, endsAfter: Given<string>): Condition[] {
  if (span === SPANS.at(-1)) return []
  const earliest = derived(endsAfter, (moment) => addToLocal(moment, { days: -span }))
  return [row('occurrence.start_local', '>=', operand(earliest))]
}

/**
 * What ends after a moment and is at most N days long starts after N days before it: each length class has its own
 * bound, so one long exhibition does not make every query read years (architecture: Occurrences).
 */
function anySpan(row: Row, endsAfter: Given<string>): Condition {
  return row.or(
    SPANS.map((span) => row.and([row('occurrence.span', '=', span), ...spanConditions(row, span, endsAfter)])),
  )
}

function searchConditions({ words, excluded, hidden }: EventSearch, { row, engine }: Asked): Condition[] {
  const id = searchedText(row, hidden)
  return [
    ...words.map((word) => containsText(engine, id, word)),
    ...excluded.map((word) => row.not(containsText(engine, id, word))),
  ]
}

/** The id of the text that a search looks at of a row of `occurrence`: below zero where that is what a password hides. */
export function searchedText(row: Row, hidden: Visibility | undefined): Expression<number> {
  const id = row.ref('occurrence.event_id')
  if (hidden === undefined) return id
  return sql<number>`case when ${isShown(row, hidden)}
    and ${id} in (select event.id from event where event.password_hash is not null) then -${id} else ${id} end`
}

function located(wanted: boolean, venues: Visibility): Condition {
  const venue = sql<SqlBool>`exists (select 1 from event_venue inner join venue on venue.id = event_venue.venue_id
    where event_venue.event_id = occurrence.event_id and venue.geo_lat is not null and venue.geo_lng is not null
      and ${readable(venues)})`
  return wanted ? venue : sql<SqlBool>`not ${venue}`
}

const venueRow = expressionBuilder<Database, 'venue'>()

/** Venues that the caller may not see place nothing: else a hidden one could be found by its distance. */
function readable(venues: Visibility): Condition {
  return isVisible(venueRow, venues, { status: venueRow.ref('venue.status'), author: venueRow.ref('venue.author_id') })
}

/** The events that take place within a circle: a subquery in parentheses with the `id` of each, once. */
export function eventsWithin({ circle, venues }: NonNullable<EventQuery['near']>): Expression<{ id: number }> {
  return sql`(select distinct event_venue.event_id as id from event_venue
    inner join venue on venue.id = event_venue.venue_id where ${readable(venues)} and ${liesWithin(circle)})`
}
