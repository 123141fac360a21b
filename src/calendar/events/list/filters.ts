import { type SqlBool, sql } from 'kysely'
import type { MessageId } from '../../../base/i18n/translate.ts'
import type { Dependency } from '../../../http/cache/versions.ts'
import { PAGE_FIELDS } from '../../../http/paging.ts'
import { EVENT_STATUSES } from '../../../model/attendance.ts'
import { boolean } from '../../../model/kinds/boolean.ts'
import { choice, choices } from '../../../model/kinds/choice.ts'
import type { FieldOptions, ValuesOf } from '../../../model/kinds/field.ts'
import { positive } from '../../../model/kinds/integer.ts'
import type { Kind } from '../../../model/kinds/kind.ts'
import { idList, termRefs } from '../../../model/kinds/list.ts'
import { number } from '../../../model/kinds/number.ts'
import { credential, search } from '../../../model/kinds/text.ts'
import { hasIndexedWord } from '../../../storage/expressions.ts'
import { LINK_KIND, TRAIT } from '../../../storage/schema.ts'
import { inList } from '../../../storage/statement-template.ts'
import {
  type ActiveFilter,
  activeFilters,
  type Condition,
  conditionsOf,
  type Facets,
  type Filter,
  filterOf,
  type Wanted,
} from '../../shared/filters.ts'
import { checkCentre, circleOf, LATITUDE, LONGITUDE, RADIUS, RADIUS_SHOWN } from '../../shared/filters-distance.ts'
import { isWrittenIn, LANGUAGE, LANGUAGE_SHOWN } from '../../shared/filters-language.ts'
import { changedSince, isChangedSince, UPDATED_SINCE } from '../../shared/filters-updated.ts'
import {
  checkOrder,
  checkStatus,
  type ListOrder,
  ORDER,
  orderByField,
  statusFilter,
  type Visibility,
  visibilityOf,
} from '../../shared/listing.ts'
import { aboutOf, eventsAbout, isAbout, leadsToAbout } from './about.ts'
import { type BuiltBounds, boundConditions } from './bounds.ts'
import {
  type Candidates,
  columnOf,
  eventColumn,
  eventsWithin,
  eventsWithWords,
  hasWords,
  isLocated,
  isShown,
  linkedTo,
  listedUnder,
  type RowContext,
} from './conditions.ts'
import { costsWith, eventsWithCost, hasCost } from './cost.ts'
import { DATE_FILTERS, type Dates, strictFlag } from './dates.ts'
import { type EventFilterContext, linkedOf, readableParent, searchOf, termsOf } from './named.ts'
import { eventsOnline, eventsWithStatus, eventsWrittenIn } from './rare.ts'
import {
  type FirstOnly,
  isFirstOfSeries,
  isFurtherDate,
  isOfSeries,
  readableSeries,
  rowsOfSeries,
  withSeries,
} from './series.ts'

/** A venue, organizer, category or tag that an event must have, or a trait that it must have or lack. */
export interface TargetCondition {
  /** One of `LINK_KIND`: lists start with the lowest of a query, which is likely to have the fewest events. */
  readonly kind: number
  readonly ids: readonly number[]
  /** True for what events must lack. */
  readonly isAbsent?: boolean
}

/** How an index finds the few events that a filter matches. */
export interface Lead<Wanted> {
  /** Where several filters have one, the lowest rank is used: it is likely to find the fewest events. */
  readonly rank: number
  /** Whether it may find many events: a list that can start at a venue, a category or the like does that. */
  readonly isBroad?: boolean
  /** Whether an index leads to these events; without it always. */
  leads?(wanted: Wanted): boolean
  candidates(wanted: Wanted, context: RowContext): Candidates
}

/** The facets of a filter of events. The reads of a filter without target, lead or IDs are offloaded. */
interface EventFacets<Value, Wanted> extends Facets<Value, Wanted, EventFilterContext, RowContext> {
  /** The targets under which lists and counters have the events. */
  target?(wanted: Wanted): TargetCondition
  readonly lead?: Lead<Wanted>
  /** Names the events themselves: they are listed in the order of their publication. */
  readonly isById?: boolean
}

type EventFilter<Name extends string, Value, Wanted> = Filter<Name, Value, Wanted, EventFilterContext, RowContext> &
  Omit<EventFacets<Value, Wanted>, 'where' | keyof FieldOptions>

/** Any filter of events. */
export type AnyEventFilter = EventFilter<string, unknown, unknown>

/** Declares a filter. Only its condition is required; `Facets` says what the defaults are. */
// biome-ignore lint/complexity/useMaxParams: a declaration reads as one row of a table
function filter<const Name extends string, Value, Wanted = Value>(
  name: Name,
  kind: Kind<Value>,
  description: MessageId,
  facets: EventFacets<Value, Wanted>,
): EventFilter<Name, Value, Wanted> {
  return filterOf(name, kind, description, facets)
}

/** Declares a parameter that only says how others are read. */
// biome-ignore lint/complexity/useMaxParams: a declaration reads as one row of a table
function parameter<const Name extends string, Value>(
  name: Name,
  kind: Kind<Value>,
  description: MessageId,
  facets: Omit<EventFacets<Value, never>, 'where'>,
): EventFilter<Name, Value, never> {
  return filterOf(name, kind, description, facets)
}

const AMOUNT = number(-1_000_000_000, 1_000_000_000)

/** What the filters by cost have in common; any event may add or remove a cost. */
const COST_FACETS = {
  where: hasCost,
  lead: { rank: 5, candidates: eventsWithCost },
  scope: (): readonly Dependency[] => [{ of: 'event' }],
  unlisted: true,
} as const

/** Query parameters that say which events a list holds, in the interface's order (interface: Events), then ours. */
export const EVENT_FILTERS = [
  ...DATE_FILTERS,
  parameter('strict_dates', strictFlag, 'api.events.whetherDateFiltersExact', {
    shownDefault: false,
    link: 20,
  }),
  filter('search', search, 'api.events.onlyEventsWhoseTitle', {
    scope: () => [{ of: 'event' }],
    resolve: searchOf,
    where: hasWords,
    lead: { rank: 2, leads: hasIndexedWord, candidates: eventsWithWords },
    link: 3,
  }),
  filter('about', search, 'api.events.onlyEventsAbout', {
    scope: () => (['event', 'venue', 'organizer', 'category', 'tag'] as const).map((of) => ({ of })),
    resolve: aboutOf,
    where: isAbout,
    lead: { rank: 2, leads: leadsToAbout, candidates: eventsAbout },
    unlisted: true,
  }),
  filter('categories', termRefs, 'api.events.onlyEventsOneCategories', {
    resolve: (refs, request) => termsOf('categories', refs, request),
    where: (ids, { engine }) =>
      listedUnder(
        sql`occurrence_link.kind = ${LINK_KIND.category} and ${inList(engine, 'occurrence_link.target_id', ids)}`,
      ),
    target: (ids) => ({ kind: LINK_KIND.category, ids }),
    // Their slugs were looked up, and their ancestors matter as well.
    scope: () => [{ of: 'category', uncounted: true }],
    link: 18,
  }),
  filter('tags', termRefs, 'api.events.onlyEventsOneTags', {
    resolve: (refs, request) => termsOf('tags', refs, request),
    where: (ids, { engine }) => linkedTo('event_tag', inList(engine, 'event_tag.tag_id', ids)),
    target: (ids) => ({ kind: LINK_KIND.tag, ids }),
    scope: () => [{ of: 'tag', uncounted: true }],
    link: 19,
  }),
  filter('venue', idList, 'api.events.onlyEventsOneVenues', {
    resolve: (ids, request) => linkedOf('venue', ids, request),
    where: (ids, { engine }) => linkedTo('event_venue', inList(engine, 'event_venue.venue_id', ids)),
    target: (ids) => ({ kind: LINK_KIND.venue, ids }),
    scope: (ids) => ids.map((id) => ({ of: 'venue', id })),
    link: 15,
  }),
  filter('organizer', idList, 'api.events.onlyEventsOneOrganizers', {
    resolve: (ids, request) => linkedOf('organizer', ids, request),
    where: (ids, { engine }) => linkedTo('event_organizer', inList(engine, 'event_organizer.organizer_id', ids)),
    target: (ids) => ({ kind: LINK_KIND.organizer, ids }),
    scope: (ids) => ids.map((id) => ({ of: 'organizer', id })),
    link: 16,
  }),
  filter('featured', boolean, 'api.events.filtersEventsWhetherThey', {
    scope: () => [],
    where: (wanted, { row }) => row('occurrence.featured', '=', wanted ? 1 : 0),
    target: (wanted) => ({ kind: LINK_KIND.trait, ids: [TRAIT.featured], isAbsent: !wanted }),
    link: 17,
  }),
  parameter('status', statusFilter, 'api.events.status', {
    check: (sent, { caller, refusals }) => checkStatus(caller, sent, refusals),
    link: 8,
  }),
  filter('geoloc', boolean, 'api.events.filtersEventsWhetherVenue', {
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
  filter('include', idList, 'api.events.onlyEventsIdsDate', {
    resolve: withSeries,
    where: ({ ids }, { engine }) => inList(engine, 'occurrence.id', ids),
    isById: true,
    scope: ({ ids, series, hasUnknown = false }) => [
      ...[...ids, ...series].map((id) => ({ of: 'event', id }) as const),
      ...(hasUnknown ? [{ of: 'event', listed: true } as const] : []),
    ],
    link: 10,
  }),
  filter('post_parent', positive, 'api.events.onlyEventsBelongParent', {
    resolve: readableParent,
    where: isPartOf,
    lead: {
      rank: 1,
      candidates: (id) => ({
        events: sql`(select event.id from event where event.post_parent = ${id} union select cast(${id} as integer))`,
        also: [isPartOf(id)],
      }),
    },
    scope: () => [{ of: 'event' }],
    link: 9,
  }),
  filter('ticketed', boolean, 'api.events.filtersEventsWhetherTheyTickets', {
    scope: () => [],
    where: (wanted) => sql<SqlBool>`${columnOf('tickets')} is ${wanted ? sql`not null` : sql`null`}`,
    target: (wanted) => ({ kind: LINK_KIND.trait, ids: [TRAIT.ticketed], isAbsent: !wanted }),
  }),
  filter('series', positive, 'api.events.idRepeatingEventOne', {
    resolve: readableSeries,
    where: (id) => isOfSeries(id),
    lead: { rank: 0, candidates: (id) => ({ events: rowsOfSeries(id), also: [isOfSeries(id)] }) },
    scope: () => [{ of: 'event' }],
    unlisted: true,
  }),
  filter('hide_subsequent_recurrences', boolean, 'api.events.whetherListOnlyFirst', {
    resolve: (wanted): FirstOnly | undefined => (wanted ? {} : undefined),
    where: ({ listing }: FirstOnly, asked) => isFirstOfSeries(firstConditions(listing, asked)),
    scope: () => [],
    unlisted: true,
  }),
  filter('event_status', choices(EVENT_STATUSES, 'bad_choice'), 'api.events.onlyEventsOneEvent', {
    where: (statuses) => sql<SqlBool>`${columnOf('event_status')} in (${sql.join(statuses)})`,
    lead: {
      isBroad: true,
      rank: 6,
      leads: (statuses) => !statuses.includes('scheduled'),
      candidates: eventsWithStatus,
    },
    unlisted: true,
  }),
  filter('is_virtual', boolean, 'api.events.filtersEventsWhetherPeople', {
    where: (wanted) => eventColumn('is_virtual', wanted),
    lead: { isBroad: true, rank: 7, leads: (wanted) => wanted, candidates: eventsOnline },
    unlisted: true,
  }),
  filter(...LANGUAGE, {
    where: (tag) => isWrittenIn(columnOf('language'), tag),
    lead: { isBroad: true, rank: 8, candidates: eventsWrittenIn },
    ...LANGUAGE_SHOWN,
  }),
  filter('cost', choice(['free'], 'not_listed'), 'api.events.onlyFreeEventsFree', {
    resolve: (_free, { reader }) => costsWith(reader, ({ low, high }) => low === 0 && high === 0),
    ...COST_FACETS,
  }),
  filter('cost_min', AMOUNT, 'api.events.onlyEventsCostMuchMore', {
    resolve: (amount, { reader }) => costsWith(reader, ({ high }) => high >= amount),
    ...COST_FACETS,
  }),
  filter('cost_max', AMOUNT, 'api.events.onlyEventsCostMuch', {
    resolve: (amount, { reader }) => costsWith(reader, ({ low }) => low <= amount),
    ...COST_FACETS,
  }),
  filter(...UPDATED_SINCE, {
    where: (since, { row }) => isChangedSince('event', row.ref('occurrence.event_id'), since),
    lead: { rank: 4, candidates: (since) => ({ events: changedSince('event', since) }) },
    unlisted: true,
  }),
  parameter(...orderByField(['start', 'published', 'modified', 'title', 'distance', 'relevance']), {
    check: (by, { values, refusals }) => checkOrder(by, values, refusals),
    unlisted: true,
  }),
  parameter(...ORDER, { unlisted: true }),
  parameter(...RADIUS, { ...RADIUS_SHOWN, link: 7 }),
  parameter('password', credential, 'api.events.passwordProtectedEvents', { link: false }),
] as const

/** All filters of lists of events: those that are parameters, and what lists in other forms leave out. */
export const ALL_EVENT_FILTERS = [
  ...EVENT_FILTERS,
  filter('exclude', idList, 'api.tec.exclude', {
    where: (ids, { row, engine }) => row.not(inList(engine, 'occurrence.id', ids)),
    scope: () => [],
  }),
] as const

/** Whether a row is a part of an event: an event of its own, or a further date of it. */
function isPartOf(id: number): Condition {
  return sql<SqlBool>`(${eventColumn('post_parent', id)} or ${isFurtherDate(id)})`
}

/** The conditions on the dates of which the first is shown. */
function firstConditions(listing: FirstOnly['listing'], asked: RowContext): Condition[] {
  if (listing === undefined) throw new Error('nobody has said who asks for the first dates')
  const active = activeFilters<AnyEventFilter>(ALL_EVENT_FILTERS, listing.filters)
  return [isShown(asked.row, listing.visibility), ...eventConditions(asked, listing.bounds, active)]
}

/** Query parameters of the events list. */
export const EVENT_LIST_FIELDS = [...PAGE_FIELDS, ...EVENT_FILTERS] as const

/** The values of a list request that were sent, in any form. */
export type EventListValues = ValuesOf<readonly (typeof PAGE_FIELDS | typeof ALL_EVENT_FILTERS)[number][]>

/** A resolved list query; absent members do not filter. */
export type EventQuery = Wanted<typeof ALL_EVENT_FILTERS> & { readonly bounds: Dates }

/** A page of a list of events. */
export interface EventListing {
  readonly query: EventQuery
  readonly visibility: Visibility
  readonly limit: number
  readonly offset: number
  /** By start if absent, and with `include` by publication. */
  readonly order?: ListOrder | undefined
}

/** The query of a statement; in a template the bounds are placeholders. */
export type BuiltQuery = Omit<EventQuery, 'bounds'> & { readonly bounds: BuiltBounds }

/** A query that filters nothing. */
export const EVERYTHING: EventQuery = { bounds: {} }

/** A filter that a query uses beside dates. */
export type ActiveEventFilter = ActiveFilter<AnyEventFilter>

/** All conditions of a query on a row of `occurrence`, except visibility. */
export function eventConditions(
  context: RowContext,
  bounds: BuiltBounds,
  sent: readonly ActiveEventFilter[],
): Condition[] {
  return [...boundConditions(context.row, bounds), ...conditionsOf(sent, context)]
}
