import type { EventListValues } from '../calendar/events/index.ts'
import type { LinkedListValues } from '../calendar/shared/linked/filters.ts'
import { type Caller, mayListUnpublished } from '../http/auth/rights.ts'
import type { Call } from '../http/route.ts'
import type { ValuesOf } from '../model/kinds/field.ts'
import type { Status } from '../model/status.ts'
import { type EVENT_LIST_FIELDS, EVENT_ORDERS, type ORGANIZER_LIST_FIELDS, type VENUE_LIST_FIELDS } from './fields.ts'

/*
 * Parameters of lists as those of the interface.
 */

/** Parameters of a list of venues or organizers. */
export type LinkedFields = readonly ((typeof VENUE_LIST_FIELDS)[number] | (typeof ORGANIZER_LIST_FIELDS)[number])[]

type EventValues = ValuesOf<typeof EVENT_LIST_FIELDS>

type Asked<Values> = Pick<Call<Values>, 'caller' | 'values'>

/** The parameters of the list of events in the words of the interface, whose dates are moments or whole days. */
export function eventValues({ caller, values }: Asked<EventValues>): EventListValues {
  const { categories, tags, status, orderby = 'event_date', order = 'asc', ...same } = values
  return {
    ...same,
    strict_dates: true,
    status: shownStatuses(caller, status),
    orderby: EVENT_ORDERS[orderby],
    order,
    ...(categories && { categories: categories.map(String) }),
    ...(tags && { tags: tags.map(String) }),
  }
}

/** The same of a list of venues or organizers: without an order it has that of the interface. */
export function linkedValues({ caller, values }: Asked<ValuesOf<LinkedFields>>): LinkedListValues {
  const { status, orderby, order, geo_lat, geo_lng, radius, ...same } = values
  return {
    ...same,
    status: shownStatuses(caller, status),
    ...(orderby && { orderby: orderby === 'date' ? 'published' : orderby, order: order ?? 'asc' }),
    ...(order && { order }),
    ...(geo_lat !== undefined && { geoloc_lat: geo_lat }),
    ...(geo_lng !== undefined && { geoloc_lng: geo_lng }),
    ...(radius !== undefined && { geoloc_radius: radius }),
  }
}

/** What this namespace calls parameters of the interface. */
export const OWN_NAMES: ReadonlyMap<string, string> = new Map([
  ['geoloc_lat', 'geo_lat'],
  ['geoloc_lng', 'geo_lng'],
])

/** The statuses that a list shows: those that were asked for, and to those who edit nothing only what is published. */
function shownStatuses({ role }: Caller, asked: readonly Status[] = ['publish']): readonly Status[] {
  return mayListUnpublished(role) ? asked : ['publish']
}
