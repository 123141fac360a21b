import { localFromMillis } from '../../base/time/zones.ts'
import { address, list, moment, named, object, text, word } from '../../http/openapi/parts.ts'
import { pagingOf } from '../../http/paging.ts'
import { areValuesOf, readFields } from '../../http/params.ts'
import { type AnyRoute, type Call, type InvalidParam, type Reply, route } from '../../http/route.ts'
import { EVENT_STATUSES } from '../../model/attendance.ts'
import { field, type ValuesOf } from '../../model/kinds/field.ts'
import { positive } from '../../model/kinds/integer.ts'
import { search } from '../../model/kinds/text.ts'
import { RESOURCES } from '../../model/resource.ts'
import { checkSearch } from '../shared/filters-search.ts'
import { NAMED_KINDS, type NamedKind } from '../shared/names/find.ts'
import type { NamedRow } from '../shared/names/store.ts'
import { pageUrl } from '../shared/present.ts'
import { EVENT_LIST_FIELDS } from './list/filters.ts'
import type { EventQueries } from './queries.ts'
import type { EventsDeps } from './routes-write.ts'
import { EVENTS_ABOUT } from './schema.ts'
import { searchedNames } from './searched-names.ts'
import type { EventWithRelations } from './show/with-relations.ts'

/** Items of each kind in a response, unless it asks for another number of events. */
const SHOWN = 10

/** Most events in a response. */
const MOST = 50

const FIELDS = [
  field('q', search, 'api.search.words', { required: true, example: 'jazz' }),
  field('per_page', positive, 'api.search.perPage', { default: SHOWN }),
] as const

const ABOUT = 'api.search.about'

const NAMED = object('api.search.found', {
  id: { type: 'integer', description: 'common.id', examples: [12] },
  name: text('api.search.name', 'Felsenkeller'),
  place: text('api.search.place', 'Hauptstraße 1, Leipzig'),
  url: address('api.search.url', 'https://calendar.example/venue/felsenkeller/'),
})

const RESULTS = named(
  'SearchResults',
  object(ABOUT, {
    q: text('api.search.read', 'jazz'),
    corrected: { type: 'boolean', description: 'api.search.corrected' },
    venues: list('api.search.venues', NAMED),
    organizers: list('api.search.organizers', NAMED),
    categories: list('api.search.categories', NAMED),
    tags: list('api.search.tags', NAMED),
    events: list(
      'api.search.events',
      object('api.search.event', {
        id: { type: 'integer', description: 'common.id', examples: [12] },
        title: text('api.events.titleEvent', 'Spring Regatta'),
        start_date: moment('api.events.localStart', '2027-04-17 09:30:00'),
        end_date: moment('api.events.localEnd', '2027-04-17 11:00:00'),
        event_status: word('api.search.status', EVENT_STATUSES),
        venue: text('api.search.venue', 'Felsenkeller'),
        url: address('api.search.url', 'https://calendar.example/event/spring-regatta/'),
      }),
    ),
  }),
)

type SearchCall = Call<ValuesOf<typeof FIELDS>>

type SearchDeps = Pick<EventsDeps, 'storage' | 'site' | 'lookups'> & { readonly queries: EventQueries }

/** `GET /search`: everything that people may mean by some words. Open to everybody, its work is bounded. */
export function searchRoute(deps: SearchDeps): AnyRoute {
  return route({
    method: 'GET',
    path: '/search',
    operation: 'search',
    summary: ABOUT,
    description: 'api.search.description',
    group: { name: 'events', about: EVENTS_ABOUT },
    pathFields: [],
    fields: FIELDS,
    hasBody: false,
    fillsDefaults: true,
    response: { status: 200, schema: RESULTS },
    isCostly: true,
    errors: [],
    scope: 'read',
    open: () => true,
    resolve: ({ values: { q } }, _item, refusals) =>
      checkSearch(deps.storage, { table: 'occurrence', search: q, name: 'q' }, refusals),
    handle: (call) => answer(deps, call),
  })
}

async function answer(deps: SearchDeps, call: SearchCall): Promise<Reply> {
  const sent = String(call.sent['q'])
  const { text, names, isCorrected } = await searchedNames({ ...deps, reader: deps.storage }, { ...call, text: sent })
  const events = await eventsFor(deps, call, sent)
  const body = {
    q: text,
    corrected: isCorrected,
    ...Object.fromEntries(
      NAMED_KINDS.map((kind) => [RESOURCES[kind].collection, names[kind].map(presentNamed(kind, call))]),
    ),
    events: events.map((event) => presentFound(event, call)),
  }
  return { status: 200, body }
}

function presentNamed(kind: NamedKind, { urls }: SearchCall) {
  return ({ id, name, slug, place }: NamedRow) => ({
    id,
    name,
    place: place.join(', '),
    url: urls.page(`/${RESOURCES[kind].page}/${slug}/`),
  })
}

function presentFound({ row, venues }: EventWithRelations, { urls }: SearchCall) {
  return {
    id: row.id,
    title: row.title,
    start_date: row.start_local,
    end_date: row.end_local,
    event_status: row.event_status,
    venue: venues[0]?.name ?? '',
    url: pageUrl('event', row, urls),
  }
}

/** What takes place first, then what was canceled, then what is over, the latest first. */
async function eventsFor(deps: SearchDeps, call: SearchCall, about: string): Promise<readonly EventWithRelations[]> {
  const local = localFromMillis(call.now, deps.site.zone)
  const takesPlace = EVENT_STATUSES.filter((status) => status !== 'canceled').join(',')
  const parts: readonly Readonly<Record<string, string>>[] = [
    { ends_after: local, event_status: takesPlace },
    { ends_after: local, event_status: 'canceled' },
    { ends_before: local, orderby: 'start', order: 'desc' },
  ]
  const ids: number[] = []
  for (const part of parts) {
    const room = Math.min(call.values.per_page ?? SHOWN, MOST) - ids.length
    if (room > 0) ids.push(...(await idsOf(deps, call, { about, per_page: String(room), ...part })))
  }
  return deps.queries.seen(call, ids)
}

async function idsOf(
  { queries }: SearchDeps,
  call: SearchCall,
  asked: Readonly<Record<string, string>>,
): Promise<readonly number[]> {
  const sent = { ...asked, strict_dates: 'true', hide_subsequent_recurrences: 'true' }
  const { values } = readFields(EVENT_LIST_FIELDS, { sent, context: call.context, fillsDefaults: true })
  if (!areValuesOf(EVENT_LIST_FIELDS, values)) return []
  const listCall = { ...call, sent, values }
  const refusals: InvalidParam[] = []
  const resolved = await queries.resolveList(listCall, refusals)
  if (refusals.length > 0) return []
  return (await queries.page(listCall, { resolved, paging: pagingOf(values, MOST) })).ids
}
