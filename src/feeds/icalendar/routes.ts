import {
  EVENT_FILTER_FIELDS,
  type EventsOutlet,
  PASSWORD_FIELD,
  permitRead,
  READ_ERRORS,
  UNKNOWN_ID,
} from '../../events/index.ts'
import { field } from '../../fields/field.ts'
import { positive } from '../../fields/integer.ts'
import { PAGE_FIELDS, pageHeadersOf, pagingOf } from '../../http/pages.ts'
import { type By, itemRoute, suffixOf } from '../../http/resource.ts'
import { type AnyRoute, type Call, type Reply, route } from '../../http/route.ts'
import type { Site } from '../../model/site.ts'
import { CALENDAR_TYPE, calendarText } from './calendar.ts'

/** What the routes are made of. */
export interface CalendarRouteParts {
  readonly events: EventsOutlet
  readonly site: Site
}

/** Events of a file that is asked for without paging, and the most of one. */
const FILE_SIZE = 1000

const [PAGE_FIELD] = PAGE_FIELDS

const FILE_FIELDS = [
  PAGE_FIELD,
  field('per_page', positive, 'Number of events in the file', { default: FILE_SIZE }),
  ...EVENT_FILTER_FIELDS,
] as const

/** Events as iCalendar files: of a list with its filters, and of single events. */
export function calendarRoutes(parts: CalendarRouteParts): AnyRoute[] {
  return [listRoute(parts), itemFileRoute(parts, 'id'), itemFileRoute(parts, 'slug')]
}

function listRoute({ events, site }: CalendarRouteParts): AnyRoute {
  return route({
    method: 'GET',
    path: '/events.ics',
    operation: 'getCalendar',
    summary: 'Read a list of events as an iCalendar file',
    pathFields: [],
    fields: FILE_FIELDS,
    hasBody: false,
    fillsDefaults: true,
    answer: { status: 200, schema: 'Calendar', list: 'events', type: CALENDAR_TYPE },
    errors: ['event-archive-page-not-found'],
    open: () => true,
    resolve: (call, _item, refusals) => events.resolveList(call, refusals),
    handle: async (call, _item, resolved) => {
      const paging = pagingOf({ per_page: FILE_SIZE, ...call.values }, FILE_SIZE)
      const { page, events: listed } = await events.list(call, { resolved, paging })
      const { ids, secret = false, lasting, ...counted } = page
      const headers = pageHeadersOf(call, { path: '/events.ics', ...counted, paging }, ids.length)
      const text = calendarText(listed, { site, urls: call.urls, isFeed: true })
      return { ...fileReply(text, 'events.ics', headers), secret, lasting }
    },
  })
}

function itemFileRoute({ events, site }: CalendarRouteParts, by: By): AnyRoute {
  const found = { resource: 'event', schema: 'Calendar', find: events.find } as const
  return route({
    ...itemRoute(found, by),
    path: by === 'id' ? '/events/:id.ics' : '/events/by-slug/:slug.ics',
    method: 'GET',
    operation: `getEventCalendar${suffixOf(by)}`,
    summary: 'Read one event as an iCalendar file',
    fields: [PASSWORD_FIELD],
    hasBody: false,
    answer: { status: 200, schema: 'Calendar', type: CALENDAR_TYPE },
    errors: by === 'id' ? [...READ_ERRORS, UNKNOWN_ID] : READ_ERRORS,
    open: () => true,
    permit: (call: Call<unknown>, row) => permitRead(call, row),
    handle: async (call, row) => {
      const { event, secret, lasting } = await events.read(call, row)
      const text = calendarText([event], { site, urls: call.urls, isFeed: false })
      return { ...fileReply(text, `event-${row.id}.ics`), secret, lasting }
    },
  })
}

/** A file that calendar programs open, and that browsers save under a name. */
function fileReply(text: string, name: string, headers: Reply['headers'] = {}): Reply {
  return {
    status: 200,
    body: text,
    text: Buffer.from(text),
    type: `${CALENDAR_TYPE}; charset=utf-8`,
    headers: { ...headers, 'Content-Disposition': `inline; filename="${name}"` },
  }
}
