import { endOfDay, startOfDay } from '../base/time/ranges.ts'
import { PASSWORD_FIELD } from '../calendar/events/index.ts'
import { LATITUDE, LONGITUDE, RADIUS, RADIUS_SHOWN } from '../calendar/shared/filters-distance.ts'
import { PAGE_FIELDS } from '../http/paging.ts'
import { boolean } from '../model/kinds/boolean.ts'
import { choice, choices } from '../model/kinds/choice.ts'
import { type DateOrPeriod, dateOrPeriod } from '../model/kinds/date.ts'
import { field } from '../model/kinds/field.ts'
import { positive } from '../model/kinds/integer.ts'
import type { Kind } from '../model/kinds/kind.ts'
import { idList } from '../model/kinds/list.ts'
import { search } from '../model/kinds/text.ts'
import { BY_ID, ORGANIZER_TEXTS, VENUE_TEXTS } from './filters.ts'

/** A date of a list: a moment, or without a time of day the whole day. */
const momentOrDay: Kind<DateOrPeriod> = {
  ...dateOrPeriod,
  parse(value, context) {
    const reading = dateOrPeriod.parse(value, context)
    if (!reading.ok || reading.value.kind !== 'local' || reading.value.hasTime) return reading
    const { local: day } = reading.value
    return { ok: true, value: { kind: 'period', start: startOfDay(day), end: endOfDay(day) } }
  },
}

const STATUS = choices(['publish', 'pending', 'draft', 'future', 'private'], 'bad_status')
const DIRECTION = choice(['asc', 'desc'], 'not_listed')

/** Parameters that every list has beside page and size. */
export const COMMON_FIELDS = [...BY_ID, field('order', DIRECTION, 'api.whetherSortAscendingAsc')] as const

/** What lists of events can be ordered by, as in the interface. */
export const EVENT_ORDERS = {
  date: 'published',
  event_date: 'start',
  title: 'title',
  modified: 'modified',
  menu_order: 'start',
} as const

const EVENT_ORDER = choice(Object.keys(EVENT_ORDERS) as (keyof typeof EVENT_ORDERS)[], 'not_listed')

/** Parameters of the list of events. */
export const EVENT_LIST_FIELDS = [
  ...PAGE_FIELDS,
  field('search', search, 'api.events.onlyEventsWhoseTitle'),
  field('start_date', momentOrDay, 'api.events.onlyEventsStartAfterDate'),
  field('end_date', momentOrDay, 'api.events.onlyEventsEndBeforeDate'),
  field('starts_before', momentOrDay, 'api.events.onlyEventsStartBefore'),
  field('starts_after', momentOrDay, 'api.events.onlyEventsStartAfter'),
  field('ends_before', momentOrDay, 'api.events.onlyEventsEndBefore'),
  field('ends_after', momentOrDay, 'api.events.onlyEventsEndAfter'),
  field('categories', idList, 'api.events.onlyEventsOneCategories'),
  field('tags', idList, 'api.events.onlyEventsOneTags'),
  field('venue', idList, 'api.events.onlyEventsOneVenues'),
  field('organizer', idList, 'api.events.onlyEventsOneOrganizers'),
  field('featured', boolean, 'api.events.filtersEventsWhetherThey'),
  field('ticketed', boolean, 'api.events.filtersEventsWhetherTheyTickets'),
  field('post_parent', positive, 'api.events.onlyEventsBelongParent'),
  field('status', STATUS, 'api.events.status', { shownDefault: ['publish'] }),
  field('orderby', EVENT_ORDER, 'api.fieldSortList', { shownDefault: 'event_date' }),
  field('hide_subsequent_recurrences', boolean, 'api.events.whetherListOnlyFirst'),
  field('series', positive, 'api.events.idRepeatingEventOne'),
  ...COMMON_FIELDS,
  PASSWORD_FIELD,
] as const

/** Parameters that lists of venues and organizers share. */
function linkedFields(items: 'venues' | 'organizers') {
  return [
    ...PAGE_FIELDS,
    field('search', search, `api.${items}.search`),
    field('event', positive, `api.${items}.ofEvent`),
    field('has_events', boolean, `api.${items}.hasEvents`),
    field('only_with_upcoming', boolean, `api.${items}.onlyWithUpcoming`),
    field('status', STATUS, `api.${items}.status`, { shownDefault: ['publish'] }),
    field('orderby', choice(['date', 'title', 'modified'], 'not_listed'), 'api.fieldSortList'),
  ] as const
}

/** Parameters of the list of venues. */
export const VENUE_LIST_FIELDS = [
  ...linkedFields('venues'),
  ...VENUE_TEXTS,
  field('geo_lat', LATITUDE[1], LATITUDE[2]),
  field('geo_lng', LONGITUDE[1], LONGITUDE[2]),
  field('radius', RADIUS[1], RADIUS[2], RADIUS_SHOWN),
  ...COMMON_FIELDS,
] as const

/** Parameters of the list of organizers. */
export const ORGANIZER_LIST_FIELDS = [...linkedFields('organizers'), ...ORGANIZER_TEXTS, ...COMMON_FIELDS] as const
