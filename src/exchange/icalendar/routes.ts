import { addToLocal } from '../../base/time/zones.ts'
import {
  EVENT_FILTERS,
  EVENTS_ABOUT,
  type EventQueries,
  type EventsRoom,
  type EventText,
  type EventTexts,
  freshnessWith,
  keptTexts,
  PASSWORD_FIELD,
  passingTexts,
  permitRead,
  READ_ERRORS,
  UNKNOWN_ID,
} from '../../calendar/events/index.ts'
import { PAGE_FIELDS, pageHeadersOf } from '../../http/paging.ts'
import { type ItemKey, itemRoute, suffixOf } from '../../http/resource.ts'
import { type AnyRoute, type Call, type Reply, route } from '../../http/route.ts'
import { date } from '../../model/kinds/date.ts'
import { field, type ValuesOf } from '../../model/kinds/field.ts'
import { positive } from '../../model/kinds/integer.ts'
import type { Site } from '../../model/site.ts'
import { ICALENDAR } from '../formats/icalendar.ts'
import { FILE_SIZE, isLarge, pageAsked, writeList } from '../formats/list.ts'
import { FEED_PATH } from './addresses.ts'
import { CALENDAR_TYPE, calendarFile, eventTexts, seriesTexts } from './calendar.ts'
import { CALENDAR } from './schema.ts'

/** What the routes need. */
export interface CalendarRouteDeps {
  readonly queries: EventsRoom['queries']
  readonly site: Site
}

interface RouteDeps {
  readonly events: EventQueries
  readonly site: Site
}

const [PAGE_FIELD] = PAGE_FIELDS

const [, , ...OTHER_FILTERS] = EVENT_FILTERS

const FILE_FIELDS = [
  PAGE_FIELD,
  field('per_page', positive, 'api.formats.numberEventsFile', { default: FILE_SIZE }),
  field('start_date', date, 'api.events.onlyEventsStartAfter', { declared: {}, shownDefault: monthBefore }),
  field('end_date', date, 'api.events.onlyEventsEndBefore', { declared: {} }),
  ...OTHER_FILTERS,
] as const

/** Subscribers keep what they were sent and want all that is to come: from a month ago, without an end. */
function feedWindow(today: string): { readonly start_date: string } {
  return { start_date: monthBefore(today) }
}

function monthBefore(today: string): string {
  return addToLocal(`${today} 00:00:00`, { months: -1 })
}

/** Events as iCalendar files: of a list with its filters, and of single events. */
export function calendarRoutes({ queries, site }: CalendarRouteDeps): AnyRoute[] {
  const parts = { events: queries(feedWindow), site }
  return [listRoute(parts), itemFileRoute(parts, 'id'), itemFileRoute(parts, 'slug')]
}

function listRoute({ events, site }: RouteDeps): AnyRoute {
  return route({
    method: 'GET',
    path: FEED_PATH,
    operation: 'getCalendar',
    summary: 'api.formats.ics.list',
    description: 'api.formats.ics.listAbout',
    group: { name: 'events', about: EVENTS_ABOUT },
    pathFields: [],
    fields: FILE_FIELDS,
    hasBody: false,
    fillsDefaults: true,
    isCostly: true,
    response: { status: 200, schema: CALENDAR, list: 'events', type: CALENDAR_TYPE },
    errors: ['event-archive-page-not-found'],
    scope: 'read',
    open: () => true,
    resolve: (call, _item, refusals) => events.resolveList(call, refusals),
    handle: async (call, _item, resolved) => {
      const context = { events, site, call }
      const asked = pageAsked(context, FILE_SIZE)
      const paging = asked ?? { page: 1, perPage: FILE_SIZE, offset: 0 }
      const { ids, secret = false, freshness, ...counted } = await events.page(call, { resolved, paging })
      if ((asked === undefined && counted.total > FILE_SIZE) || (await isLarge(context, ids)))
        return writeList(context, { format: ICALENDAR, path: FEED_PATH, resolved, paging: asked })
      const headers = pageHeadersOf({ address: call.urls.api(FEED_PATH), ...counted, paging }, ids.length)
      const { texts, dependencies } = await textsOf({ events, site }, call, ids)
      const file = calendarFile(texts, { site, isFeed: true })
      return { ...fileReply(file, 'events.ics', headers), secret, freshness: freshnessWith(freshness, dependencies) }
    },
  })
}

function itemFileRoute({ events, site }: RouteDeps, by: ItemKey): AnyRoute {
  const found = { resource: 'event', schema: CALENDAR, about: EVENTS_ABOUT, find: events.find } as const
  return route({
    ...itemRoute(found, by),
    path: by === 'id' ? '/events/:id.ics' : '/events/by-slug/:slug.ics',
    method: 'GET',
    operation: `getEventCalendar${suffixOf(by)}`,
    summary: 'api.formats.ics.read',
    description: 'api.formats.ics.readAbout',
    fields: [PASSWORD_FIELD],
    hasBody: false,
    response: { status: 200, schema: CALENDAR, type: CALENDAR_TYPE },
    errors: by === 'id' ? [...READ_ERRORS, UNKNOWN_ID] : READ_ERRORS,
    scope: 'read',
    open: () => true,
    permit: (call: Call<unknown>, row) => permitRead(call, row),
    handle: async (call, row) => {
      const { event, secret, freshness } = await events.read(call, row)
      const isSeries = row.occasion?.series.id === row.id
      const [made] = isSeries ? await seriesMade({ events, site }, call, [row.id]) : []
      const text = made === undefined ? await eventTexts([event], { site, urls: call.urls }) : [made.text]
      const file = calendarFile(text, { site, isFeed: false })
      const all = freshnessWith(freshness, made?.dependencies ?? [])
      return { ...fileReply(file, `event-${row.id}.ics`), secret, ...(all && { freshness: all }) }
    },
  })
}

/** The texts of listed events, recurring ones whole where a file can show them so. */
async function textsOf(deps: RouteDeps, call: ListCall, ids: readonly number[]): Promise<EventTexts> {
  const wanted = await deps.events.fileParts(ids)
  const idsOf = (kind: (typeof wanted)[number]['kind']): number[] =>
    wanted.flatMap((part) => (part.kind === kind ? part.id : []))
  const events = await textsBy(call, idsOf('event'), {
    name: '/events.ics',
    make: (some) => eventsMade(deps, call, some),
  })
  const [series, ...others] = idsOf('series')
  if (series === undefined) return events
  const whole = await textsBy(call, [series, ...others], {
    name: '/events.ics series',
    make: (some) => seriesMade(deps, call, some),
  })
  return { texts: [...events.texts, ...whole.texts], dependencies: [...events.dependencies, ...whole.dependencies] }
}

type Secret = { readonly password?: string | undefined }

type ListCall = Call<ValuesOf<typeof FILE_FIELDS>>

/** Texts of events; those that anonymous readers get are cached. */
async function textsBy(
  { fragments, urls, values }: ListCall,
  ids: readonly number[],
  { name, make }: { readonly name: string; make(ids: readonly number[]): Promise<EventText[]> },
): Promise<EventTexts> {
  if (fragments === undefined || values.password !== undefined) return passingTexts(await make(ids))
  return keptTexts(fragments, ids, { name: urls.api(name), make })
}

async function eventsMade({ events, site }: RouteDeps, call: ListCall, ids: readonly number[]): Promise<EventText[]> {
  const made = await events.events(call, ids)
  const texts = await eventTexts(made, { site, urls: call.urls })
  return made.map(({ row, dependencies }, index) => ({ id: row.id, text: texts[index] ?? NOTHING, dependencies }))
}

async function seriesMade(
  { events, site }: RouteDeps,
  call: Call<Secret>,
  ids: readonly number[],
): Promise<EventText[]> {
  const made = await events.series(call, ids)
  const texts = await seriesTexts(made, { site, urls: call.urls })
  return made.map(({ base, exceptions }, index) => {
    const dependencies = [base, ...exceptions].flatMap((one) => one.dependencies)
    return { id: base.row.id, text: texts[index] ?? NOTHING, dependencies }
  })
}

const NOTHING = Buffer.alloc(0)

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
