import { fail } from '../../base/errors.ts'
import {
  EVENT_FILTERS,
  EVENTS_ABOUT,
  type EventListValues,
  type EventQueries,
  freshnessWith,
  PASSWORD_FIELD,
  permitRead,
  READ_ERRORS,
  UNKNOWN_ID,
} from '../../calendar/events/index.ts'
import { PAGE_FIELDS, pagingOf } from '../../http/paging.ts'
import { type ItemKey, itemRoute, suffixOf } from '../../http/resource.ts'
import { type AnyRoute, type Call, type Reply, route } from '../../http/route.ts'
import { field } from '../../model/kinds/field.ts'
import { positive } from '../../model/kinds/integer.ts'
import type { Site } from '../../model/site.ts'
import { CSV } from './csv.ts'
import type { EventFormat } from './format.ts'
import { ICALENDAR } from './icalendar.ts'
import { JCAL } from './jcal.ts'
import { JSCALENDAR } from './jscalendar.ts'
import { JSON_FEED } from './json-feed.ts'
import { JSON_LD } from './json-ld.ts'
import { dependenciesOf, FILE_SIZE, fileText, pageAsked, replyOf, writeList } from './list.ts'
import { RSS } from './rss.ts'

/** What the routes need. */
export interface FormatDeps {
  /** With the window of the interface. */
  readonly events: EventQueries
  readonly site: Site
}

const LISTS: readonly EventFormat[] = [CSV, JSON_FEED, RSS, JCAL, JSCALENDAR, JSON_LD]
const ITEMS: readonly EventFormat[] = [JCAL, JSCALENDAR, JSON_LD]
const ALL: readonly EventFormat[] = [ICALENDAR, ...LISTS]

const [PAGE_FIELD] = PAGE_FIELDS

const FILE_FIELDS = [
  PAGE_FIELD,
  field('per_page', positive, 'api.formats.numberEventsPerPage'),
  ...EVENT_FILTERS,
] as const

/** Formats other than JSON: their own routes, and what they add to those of the interface. */
export interface Formats {
  /** Lists and single events, at addresses of their own. */
  readonly routes: readonly AnyRoute[]
  /** The routes of the interface for events, which respond in these formats to requests that prefer them. */
  of(routes: readonly AnyRoute[]): AnyRoute[]
}

/** Opens the formats. */
export function openFormats(deps: FormatDeps): Formats {
  const item = (by: ItemKey, suffix: (format: EventFormat) => string) => (format: EventFormat) =>
    itemFormatRoute(deps, format, { by, ending: suffix(format) })
  const ending = (format: EventFormat): string => `.${format.ending}`
  const none = (): string => ''
  const forms = new Map<string, AnyRoute['forms']>([
    ['/events', formsOf((format) => listFormatRoute(deps, format, false))],
    ['/events/:id', formsOf(item('id', none))],
    ['/events/by-slug/:slug', formsOf(item('slug', none))],
  ])
  return {
    routes: [
      ...LISTS.map((format) => listFormatRoute(deps, format, true)),
      ...ITEMS.flatMap((format) => [item('id', ending)(format), item('slug', ending)(format)]),
    ],
    of: (routes) =>
      routes.map((one) => {
        const own = one.method === 'GET' ? forms.get(one.path) : undefined
        return own === undefined ? one : { ...one, forms: own }
      }),
  }
}

function formsOf(make: (format: EventFormat) => AnyRoute): ReadonlyMap<string, AnyRoute> {
  return new Map(ALL.map((format): [string, AnyRoute] => [format.type, negotiated(make(format))]))
}

/** The same address responds in several types, so caches must know what decides. */
function negotiated(one: AnyRoute): AnyRoute {
  return {
    ...one,
    handle: async (call, item, loaded) => {
      const reply: Reply = await one.handle(call, item, loaded)
      return { ...reply, headers: { ...reply.headers, vary: 'Origin, Accept' } }
    },
  }
}

/** Of its own address all events; of that of the interface the same page as in JSON. */
function listFormatRoute({ events, site }: FormatDeps, format: EventFormat, isOwn: boolean): AnyRoute {
  const path = isOwn ? `/events.${format.ending}` : '/events'
  return route({
    method: 'GET',
    path,
    operation: `list${format.schema.name}`,
    summary: format.said.list,
    description: format.said.aboutList,
    group: { name: 'events', about: EVENTS_ABOUT },
    pathFields: [],
    fields: FILE_FIELDS,
    hasBody: false,
    fillsDefaults: true,
    isCostly: isOwn,
    response: { status: 200, schema: format.schema, list: 'events', type: format.type },
    errors: ['event-archive-page-not-found'],
    scope: 'read',
    open: () => true,
    resolve: (call, _item, refusals) => events.resolveList(call, refusals),
    handle: (call, _item, resolved) => {
      const context = { events, site, call }
      const paging = isOwn ? pageAsked(context, FILE_SIZE) : pagingOf(call.values, site.perPageMax)
      return writeList(context, { format, path, resolved, paging })
    },
  })
}

interface ItemAddress {
  readonly by: ItemKey
  /** `.jcal`, or '' for the address of the interface. */
  readonly ending: string
}

function itemFormatRoute({ events, site }: FormatDeps, format: EventFormat, { by, ending }: ItemAddress): AnyRoute {
  const found = { resource: 'event', schema: format.schema, about: EVENTS_ABOUT, find: events.find } as const
  const declared = itemRoute(found, by)
  return route({
    ...declared,
    path: declared.path + ending,
    method: 'GET',
    operation: `getEvent${format.schema.name}${suffixOf(by)}`,
    summary: format.said.read,
    description: format.said.aboutRead,
    fields: [PASSWORD_FIELD],
    hasBody: false,
    response: { status: 200, schema: format.schema, type: format.type },
    errors: by === 'id' ? [...READ_ERRORS, UNKNOWN_ID] : READ_ERRORS,
    scope: 'read',
    open: () => true,
    permit: (call: Call<unknown>, row) => permitRead(call, row),
    handle: async (call: Call<EventListValues>, row) => {
      const { secret, freshness } = await events.read(call, row)
      const context = { events, site, call }
      const texts = await format.texts(context, [
        { kind: row.occasion?.series.id === row.id ? 'series' : 'event', id: row.id },
      ])
      const [first] = texts
      // Public texts reveal nothing of a protected event.
      if (first === undefined) throw fail('event-password-protected')
      const address = call.urls.api(`/events/${row.id}${ending}`)
      const file = { ...context, address }
      const text = Buffer.from(format.single?.(first.text, file) ?? fileText(format, texts, file))
      return {
        ...replyOf(format, `event-${row.id}.${format.ending}`),
        text,
        secret,
        freshness: freshnessWith(freshness, dependenciesOf(texts)),
      }
    },
  })
}
