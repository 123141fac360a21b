import {
  EVENT_FILTERS,
  EVENTS_ABOUT,
  type EventQueries,
  type EventsRoom,
  type EventTexts,
  keptTexts,
  lastingWith,
  PASSWORD_FIELD,
  passingTexts,
  permitRead,
  READ_ERRORS,
  UNKNOWN_ID,
} from '../../events/index.ts'
import { date } from '../../fields/date.ts'
import { field, type ValuesOf } from '../../fields/field.ts'
import { positive } from '../../fields/integer.ts'
import { PAGE_FIELDS, pageHeadersOf, pagingOf } from '../../http/pages.ts'
import { type By, itemRoute, suffixOf } from '../../http/resource.ts'
import { type AnyRoute, type Call, type Reply, route } from '../../http/route.ts'
import type { Site } from '../../model/site.ts'
import { startOfDay } from '../../time/ranges.ts'
import { addToLocal } from '../../time/zones.ts'
import { FEED_PATH } from './addresses.ts'
import { CALENDAR_TYPE, calendarFile, eventTexts } from './calendar.ts'
import { CALENDAR } from './schema.ts'

/** What the routes need. */
export interface CalendarRouteParts {
  readonly queries: EventsRoom['queries']
  readonly site: Site
}

interface RouteParts {
  readonly events: EventQueries
  readonly site: Site
}

/** Events of a file that is asked for without paging, and the most of one. */
const FILE_SIZE = 1000

const [PAGE_FIELD] = PAGE_FIELDS

const [START_FIELD, END_FIELD, ...OTHER_FILTERS] = EVENT_FILTERS

const FILE_FIELDS = [
  PAGE_FIELD,
  field('per_page', positive, 'Number of events in the file', { default: FILE_SIZE }),
  field('start_date', date, START_FIELD.description, { declared: {}, shownDefault: monthBefore }),
  field('end_date', date, END_FIELD.description, { declared: {} }),
  ...OTHER_FILTERS,
] as const

/** Subscribers keep what they were sent and want all that is to come: from a month ago, without an end. */
function feedWindow(today: string): { readonly start_date: string } {
  return { start_date: monthBefore(today) }
}

function monthBefore(today: string): string {
  return addToLocal(startOfDay(today), { months: -1 })
}

/** Events as iCalendar files: of a list with its filters, and of single events. */
export function calendarRoutes({ queries, site }: CalendarRouteParts): AnyRoute[] {
  const parts = { events: queries(feedWindow), site }
  return [listRoute(parts), itemFileRoute(parts, 'id'), itemFileRoute(parts, 'slug')]
}

function listRoute({ events, site }: RouteParts): AnyRoute {
  return route({
    method: 'GET',
    path: FEED_PATH,
    operation: 'getCalendar',
    summary: 'Read a list of events as an iCalendar file',
    description:
      'Returns the events that match all filters as one iCalendar file, which calendar programs can subscribe to.',
    group: { name: 'events', about: EVENTS_ABOUT },
    pathFields: [],
    fields: FILE_FIELDS,
    hasBody: false,
    fillsDefaults: true,
    answer: { status: 200, schema: CALENDAR, list: 'events', type: CALENDAR_TYPE },
    errors: ['event-archive-page-not-found'],
    open: () => true,
    resolve: (call, _item, refusals) => events.resolveList(call, refusals),
    handle: async (call, _item, resolved) => {
      const paging = pagingOf({ per_page: FILE_SIZE, ...call.values }, FILE_SIZE)
      const { ids, secret = false, lasting, ...counted } = await events.page(call, { resolved, paging })
      const headers = pageHeadersOf(call, { path: FEED_PATH, ...counted, paging }, ids.length)
      const { texts, parts } = await textsOf({ events, site }, call, ids)
      const file = calendarFile(texts, { site, isFeed: true })
      return { ...fileReply(file, 'events.ics', headers), secret, lasting: lastingWith(lasting, parts) }
    },
  })
}

function itemFileRoute({ events, site }: RouteParts, by: By): AnyRoute {
  const found = { resource: 'event', schema: CALENDAR, about: EVENTS_ABOUT, find: events.find } as const
  return route({
    ...itemRoute(found, by),
    path: by === 'id' ? '/events/:id.ics' : '/events/by-slug/:slug.ics',
    method: 'GET',
    operation: `getEventCalendar${suffixOf(by)}`,
    summary: 'Read one event as an iCalendar file',
    description: 'Returns the event as an iCalendar file that calendar programs can import.',
    fields: [PASSWORD_FIELD],
    hasBody: false,
    answer: { status: 200, schema: CALENDAR, type: CALENDAR_TYPE },
    errors: by === 'id' ? [...READ_ERRORS, UNKNOWN_ID] : READ_ERRORS,
    open: () => true,
    permit: (call: Call<unknown>, row) => permitRead(call, row),
    handle: async (call, row) => {
      const { event, secret, lasting } = await events.read(call, row)
      const file = calendarFile(eventTexts([event], { site, urls: call.urls }), { site, isFeed: false })
      return { ...fileReply(file, `event-${row.id}.ics`), secret, lasting }
    },
  })
}

/** The texts of listed events; those that anonymous readers get are kept. */
async function textsOf(
  { events, site }: RouteParts,
  call: Call<ValuesOf<typeof FILE_FIELDS>>,
  ids: readonly number[],
): Promise<EventTexts> {
  const { urls, fragments } = call
  const make = async (wanted: readonly number[]) => {
    const made = await events.events(call, wanted)
    const texts = eventTexts(made, { site, urls })
    return texts.map((text, index) => ({ id: made[index]?.row.id ?? 0, text, parts: made[index]?.parts ?? [] }))
  }
  if (fragments === undefined || call.values.password !== undefined) return passingTexts(await make(ids))
  return keptTexts(fragments, ids, { name: urls.api('/events.ics'), make })
}

/** A file that calendar programs open, and that browsers save under a name. */
function fileReply(text: Buffer, name: string, headers: Reply['headers'] = {}): Reply {
  return {
    status: 200,
    body: undefined,
    text,
    type: `${CALENDAR_TYPE}; charset=utf-8`,
    headers: { ...headers, 'Content-Disposition': `inline; filename="${name}"` },
  }
}
