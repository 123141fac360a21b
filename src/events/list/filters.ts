import { type SqlBool, sql } from 'kysely'
import {
  type Condition,
  type Facets,
  type Filter,
  filterOf,
  type Sent,
  sentOf,
  type Wanted,
} from '../../entries/filters.ts'
import { checkCentre, circleOf, LATITUDE, LONGITUDE, RADIUS, RADIUS_SHOWN } from '../../entries/filters-distance.ts'
import { checkStatus, statusFilter, type Visibility, visibilityOf } from '../../entries/listing.ts'
import { boolean } from '../../fields/boolean.ts'
import type { FieldOptions, ValuesOf } from '../../fields/field.ts'
import { positive } from '../../fields/integer.ts'
import type { Kind } from '../../fields/kind.ts'
import { idList, termRefs } from '../../fields/list.ts'
import { credential, search } from '../../fields/text.ts'
import { PAGE_FIELDS } from '../../http/pages.ts'
import { inList, isIndexed } from '../../storage/expressions.ts'
import { LINK_KIND, TRAIT } from '../../storage/schema.ts'
import { type BuiltBounds, boundConditions } from './bounds.ts'
import {
  type Asked,
  type Candidates,
  columnOf,
  eventColumn,
  eventsWithin,
  eventsWithWords,
  hasWords,
  isLocated,
  linkedTo,
  listedUnder,
} from './conditions.ts'
import { DATE_FILTERS, type Dates, strictFlag } from './dates.ts'
import { type Asking, linkedOf, readableParent, searchOf, termsOf } from './named.ts'

/** A venue, organizer, category or tag of which an event must have one, or a trait, which it may also be asked to lack. */
export interface Target {
  /** One of `LINK_KIND`: lists start with the lowest of a query, which is likely to have the fewest events. */
  readonly kind: number
  readonly ids: readonly number[]
  /** True for what events must lack. */
  readonly isAbsent?: boolean
}

/** What of a filter finds few events by an index. */
export interface Lead<Wanted> {
  /** Where several filters lead to events, the lowest is asked first: it is likely to find the fewest. */
  readonly rank: number
  /** Whether an index leads to these events; without it always. */
  leads?(wanted: Wanted): boolean
  candidates(wanted: Wanted, asked: Asked): Candidates
}

/** The facets of a filter of events. A filter without target, lead or ids is read where a scan holds nobody up. */
interface EventFacets<Value, Wanted> extends Facets<Value, Wanted, Asking, Asked> {
  /** Under which targets lists and counters know the events. */
  target?(wanted: Wanted): Target
  readonly lead?: Lead<Wanted>
  /** Names the events themselves: they are listed in the order of their publication. */
  readonly isById?: boolean
}

type EventFilter<Name extends string, Value, Wanted> = Filter<Name, Value, Wanted, Asking, Asked> &
  Omit<EventFacets<Value, Wanted>, 'where' | keyof FieldOptions>

/** Any filter of events. */
export type AnyEventFilter = EventFilter<string, unknown, unknown>

/** Declares a filter: all that is required is its condition, see `Facets` for what follows where nothing else is said. */
// biome-ignore lint/complexity/useMaxParams: a declaration reads as one row of a table
function filter<const Name extends string, Value, Wanted = Value>(
  name: Name,
  kind: Kind<Value>,
  description: string,
  facets: EventFacets<Value, Wanted>,
): EventFilter<Name, Value, Wanted> {
  return filterOf(name, kind, description, facets)
}

/** Declares a parameter that only says how others are read. */
// biome-ignore lint/complexity/useMaxParams: a declaration reads as one row of a table
function parameter<const Name extends string, Value>(
  name: Name,
  kind: Kind<Value>,
  description: string,
  facets: Omit<EventFacets<Value, never>, 'where'>,
): EventFilter<Name, Value, never> {
  return filterOf(name, kind, description, facets)
}

/** Query parameters that say which events a list holds, in the interface's order (interface: Events), then ours. */
export const EVENT_FILTERS = [
  ...DATE_FILTERS,
  parameter('strict_dates', strictFlag, 'Whether dates are used to the second instead of as whole days', {
    shownDefault: false,
    link: 20,
  }),
  filter('search', search, 'Words that the title, the description or the excerpt must contain', {
    scope: () => [{ of: 'event' }],
    resolve: searchOf,
    where: hasWords,
    lead: { rank: 2, leads: ({ words }) => words.some(isIndexed), candidates: eventsWithWords },
    link: 3,
  }),
  filter('categories', termRefs, 'Identifiers or slugs of categories; one of them must apply', {
    resolve: (refs, asking) => termsOf('categories', refs, asking),
    where: (ids, { engine }) =>
      listedUnder(
        sql`occurrence_link.kind = ${LINK_KIND.category} and ${inList(engine, 'occurrence_link.target_id', ids)}`,
      ),
    target: (ids) => ({ kind: LINK_KIND.category, ids }),
    // Their slugs were looked up, and what stands above them decides, too.
    scope: () => [{ of: 'category', uncounted: true }],
    link: 18,
  }),
  filter('tags', termRefs, 'Identifiers or slugs of tags; one of them must apply', {
    resolve: (refs, asking) => termsOf('tags', refs, asking),
    where: (ids, { engine }) => linkedTo('event_tag', inList(engine, 'event_tag.tag_id', ids)),
    target: (ids) => ({ kind: LINK_KIND.tag, ids }),
    scope: () => [{ of: 'tag', uncounted: true }],
    link: 19,
  }),
  filter('venue', idList, 'Identifiers of venues; one of them must apply', {
    resolve: (ids, asking) => linkedOf('venue', ids, asking),
    where: (ids, { engine }) => linkedTo('event_venue', inList(engine, 'event_venue.venue_id', ids)),
    target: (ids) => ({ kind: LINK_KIND.venue, ids }),
    scope: (ids) => ids.map((id) => ({ of: 'venue', id })),
    link: 15,
  }),
  filter('organizer', idList, 'Identifiers of organizers; one of them must apply', {
    resolve: (ids, asking) => linkedOf('organizer', ids, asking),
    where: (ids, { engine }) => linkedTo('event_organizer', inList(engine, 'event_organizer.organizer_id', ids)),
    target: (ids) => ({ kind: LINK_KIND.organizer, ids }),
    scope: (ids) => ids.map((id) => ({ of: 'organizer', id })),
    link: 16,
  }),
  filter('featured', boolean, 'Whether the events are featured', {
    scope: () => [],
    where: (wanted, { row }) => row('occurrence.featured', '=', wanted ? 1 : 0),
    target: (wanted) => ({ kind: LINK_KIND.trait, ids: [TRAIT.featured], isAbsent: !wanted }),
    link: 17,
  }),
  parameter('status', statusFilter, 'State of the events', {
    check: (sent, { caller, refusals }) => checkStatus(caller, sent, refusals),
    link: 8,
  }),
  filter('geoloc', boolean, 'Whether the venue of the events has coordinates', {
    resolve: (wanted, { caller }) => ({ wanted, venues: visibilityOf(caller, undefined) }),
    where: ({ wanted, venues }) => isLocated(wanted, venues),
    scope: () => [{ of: 'event' }, { of: 'venue' }],
    link: 4,
  }),
  filter(...LATITUDE, {
    check: (_lat, { values, refusals }) => checkCentre(values, refusals),
    resolve: (_lat, { values, caller }) => {
      const circle = circleOf(values)
      return circle && { circle, venues: visibilityOf(caller, undefined) }
    },
    where: (place) => sql<SqlBool>`occurrence.event_id in ${eventsWithin(place)}`,
    lead: { rank: 3, candidates: (place) => ({ events: eventsWithin(place) }) },
    scope: () => [{ of: 'event' }, { of: 'venue' }],
    link: 5,
  }),
  parameter(...LONGITUDE, { check: (_lng, { values, refusals }) => checkCentre(values, refusals), link: 6 }),
  filter('include', idList, 'Identifiers of the only events to list; dates are then ignored', {
    where: (ids, { engine }) => inList(engine, 'occurrence.id', ids),
    isById: true,
    scope: (ids) => ids.map((id) => ({ of: 'event', id })),
    link: 10,
  }),
  filter('post_parent', positive, 'Identifier of the event that the events are parts of', {
    resolve: readableParent,
    where: (id) => eventColumn('post_parent', id),
    lead: {
      rank: 1,
      candidates: (id) => ({ events: sql`(select event.id from event where event.post_parent = ${id})` }),
    },
    scope: () => [{ of: 'event' }],
    link: 9,
  }),
  filter('ticketed', boolean, 'Whether the events have tickets', {
    scope: () => [],
    where: (wanted) => sql<SqlBool>`${columnOf('tickets')} is ${wanted ? sql`not null` : sql`null`}`,
    target: (wanted) => ({ kind: LINK_KIND.trait, ids: [TRAIT.ticketed], isAbsent: !wanted }),
  }),
  parameter(...RADIUS, { ...RADIUS_SHOWN, link: 7 }),
  parameter('password', credential, 'Password that opens protected events', { link: false }),
] as const

/** Query parameters of the events list. */
export const EVENT_LIST_FIELDS = [...PAGE_FIELDS, ...EVENT_FILTERS] as const

/** The values of a list request that were sent. */
export type EventListValues = ValuesOf<typeof EVENT_LIST_FIELDS>

/** What a list asks for, with every name resolved; absent members do not filter. */
export type EventQuery = Wanted<typeof EVENT_FILTERS> & { readonly bounds: Dates }

/** A page of a list of events. */
export interface EventListing {
  readonly query: EventQuery
  readonly visibility: Visibility
  readonly limit: number
  readonly offset: number
}

/** A query as statements are built from it: where one is kept, the bounds are places. */
export type BuiltQuery = Omit<EventQuery, 'bounds'> & { readonly bounds: BuiltBounds }

/** A query that filters nothing. */
export const EVERYTHING: EventQuery = { bounds: {} }

/** A filter that a query uses beside dates. */
export type SentFilter = Sent<AnyEventFilter>

/** The filters that a query uses beside dates, in their order. */
export function sentFilters(query: BuiltQuery): readonly SentFilter[] {
  return sentOf<AnyEventFilter>(EVENT_FILTERS, query)
}

/** All conditions of a query on a row of `occurrence`, apart from who may see it. */
export function eventConditions(asked: Asked, bounds: BuiltBounds, sent: readonly SentFilter[]): Condition[] {
  return [
    ...boundConditions(asked.row, bounds),
    ...sent.flatMap(({ filter: { where }, wanted }) => where?.(wanted, asked) ?? []),
  ]
}
