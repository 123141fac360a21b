import { OWN_NAMESPACE } from '../src/base/config/namespaces.ts'
import type { Ground } from './ground.ts'
import type { LoadRequest } from './load.ts'
import { RARE_NAMES, rareName } from './seed.ts'
import { SOUGHT } from './vocabulary.ts'

/** What stands beside the calendar in a round. */
export type Beside = 'raw' | 'floor' | 'no-caches' | 'big'

/** One kind of requests that is measured. */
export interface Workload {
  readonly name: string
  readonly title: string
  readonly connections: number
  /** Fresh: no answer is asked for a second time within a run, as far as there are enough things to ask for. */
  requests(ground: Ground): readonly LoadRequest[]
  /** `raw`: `node:http` sends the first answer; `floor`: bare queries; `big`: the big calendar. */
  readonly beside: readonly Beside[]
}

type Query = Readonly<Record<string, string | number>>

function get(ground: Ground, path: string, query: Query = {}): LoadRequest {
  return getAt(`${ground.base}${path}`, query)
}

function getAt(path: string, query: Query): LoadRequest {
  const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  const text = new URLSearchParams(parameters).toString()
  return { method: 'GET', path: text === '' ? path : `${path}?${text}` }
}

/** Number of different requests of a workload that asks for something else each time. */
const MANY = 20_000

/** The same where a server responds to more than `MANY` in a round: hardly a response may be cached when its turn comes again. */
const MANY_MORE = 66_000

function many(make: (number: number) => LoadRequest, length = MANY): readonly LoadRequest[] {
  return Array.from({ length }, (_none, number) => make(number))
}

/** A day by its distance from the first one of the windows. */
function dayAfter(ground: Ground, days: number): string {
  return new Date(Date.parse(ground.today) + days * 86_400_000).toISOString().slice(0, 10)
}

/** Windows that start on one of 60 days and last 200 days or up to 1,100 more, so that no two of `MANY_MORE` are alike. */
function windowOf(ground: Ground, number: number): Query {
  const [first, length] = [number % 60, 200 + Math.floor(number / 60)]
  return { start_date: `${dayAfter(ground, first)} 00:00:00`, end_date: `${dayAfter(ground, first + length)} 23:59:59` }
}

/** Windows that start and end at another second each time: no number of one is of any use to another. */
function secondsOf(ground: Ground, number: number): Query {
  const { start_date, end_date } = windowOf(ground, number)
  const at = (seconds: number): string => new Date((seconds % 86_400) * 1_000).toISOString().slice(11, 19)
  return {
    start_date: `${String(start_date).slice(0, 10)} ${at(number * 7)}`,
    end_date: `${String(end_date).slice(0, 10)} ${at(number * 11 + 5)}`,
    strict_dates: 'true',
  }
}

/** Months as a calendar shows them: what overlaps 28 to 42 days. */
function monthOf(ground: Ground, number: number): Query {
  const [first, length] = [number % 700, 28 + Math.floor(number / 700)]
  return { ends_after: dayAfter(ground, first), starts_before: dayAfter(ground, first + length) }
}

/** Workloads whose pages must not take much longer in a large calendar. */
export const GROWING: readonly string[] = ['first-page-fresh', 'category', 'venue', 'window']

const CALENDAR_FILE = `/${OWN_NAMESPACE}/events.ics`

/** Asked for no page, it holds all events of the list. */
const A_PAGE: Query = { page: 1, per_page: 1_000 }

const READ_CONNECTIONS = 8

const read = (workload: Omit<Workload, 'connections' | 'beside'> & Partial<Workload>): Workload => ({
  connections: READ_CONNECTIONS,
  beside: [],
  ...workload,
})

/** Everything that is read, in the order of the report. */
export const READS: readonly Workload[] = [
  read({
    name: 'first-page',
    title: 'first page of upcoming events, always the same',
    requests: (ground) => [get(ground, '/events')],
    beside: ['raw'],
  }),
  read({
    name: 'first-page-fresh',
    title: 'first page, another window each time',
    requests: (ground) => many((number) => get(ground, '/events', windowOf(ground, number)), MANY_MORE),
    beside: ['raw', 'floor', 'no-caches', 'big'],
  }),
  read({
    name: 'first-page-seconds',
    title: 'first page, begins and ends at another second each time',
    requests: (ground) => many((number) => get(ground, '/events', secondsOf(ground, number)), MANY_MORE),
    beside: ['raw'],
  }),
  read({
    name: 'page-50',
    title: 'page 50 and those after it',
    requests: (ground) =>
      many((number) => get(ground, '/events', { page: 50 + (number % 20), ...windowOf(ground, number) })),
    beside: ['big'],
  }),
  read({
    name: 'category',
    title: 'first page of a category, another window each time',
    requests: (ground) =>
      many((number) => get(ground, '/events', { categories: ground.category ?? 0, ...windowOf(ground, number) })),
    beside: ['big'],
  }),
  read({
    name: 'venue',
    title: 'first page of a venue, another window each time',
    requests: (ground) =>
      many((number) => get(ground, '/events', { venue: ground.venue ?? 0, ...windowOf(ground, number) })),
    beside: ['big'],
  }),
  read({
    name: 'window',
    title: 'a day or up to four weeks, others each time',
    requests: (ground) =>
      many((number) => {
        const [first, length] = [number % 700, Math.floor(number / 700)]
        const [start, end] = [dayAfter(ground, first), dayAfter(ground, first + length)]
        return get(ground, '/events', { start_date: `${start} 00:00:00`, end_date: `${end} 23:59:59` })
      }),
    beside: ['big'],
  }),
  read({
    name: 'overlap',
    title: 'what overlaps a month, another one each time',
    requests: (ground) => many((number) => get(ground, '/events', monthOf(ground, number))),
    beside: ['big'],
  }),
  read({
    name: 'search-rare',
    title: 'search for a rare word, another one each time',
    requests: (ground) => many((number) => get(ground, '/events', { search: rareName(number % RARE_NAMES) })),
    beside: ['big'],
  }),
  read({
    name: 'search-common',
    title: 'search for a common word, another window each time',
    connections: 2,
    requests: (ground) =>
      many((number) =>
        get(ground, '/events', {
          search: SOUGHT.common[number % SOUGHT.common.length] ?? '',
          ...windowOf(ground, number),
        }),
      ),
  }),
  read({
    name: 'search-absent',
    title: 'search for an absent word',
    requests: (ground) => SOUGHT.absent.map((word) => get(ground, '/events', { search: word })),
    beside: ['big'],
  }),
  read({
    name: 'geo',
    title: 'within 25 km of a point, another one each time',
    connections: 2,
    requests: (ground) =>
      many((number) =>
        get(ground, '/events', {
          geoloc_lat: 48 + (number % 600) / 100,
          geoloc_lng: 7 + (number % 700) / 100,
          geoloc_radius: 25,
        }),
      ),
  }),
  read({
    name: 'by-id',
    title: 'one event by id, always the same',
    requests: (ground) => [get(ground, `/events/${ground.ids[0]}`)],
    beside: ['raw'],
  }),
  read({
    name: 'by-id-fresh',
    title: 'one event by id, another address each time',
    // There are fewer IDs than requests in a round: what nobody reads keeps whole answers from being sent again.
    requests: (ground) =>
      many((number) => get(ground, `/events/${ground.ids[number % ground.ids.length]}`, { n: number })),
    beside: ['raw', 'no-caches', 'big'],
  }),
  read({
    name: 'by-slug',
    title: 'one event by slug, another one each time',
    requests: (ground) => ground.slugs.map((slug) => get(ground, `/events/by-slug/${slug}`)),
    beside: ['big'],
  }),
  read({
    name: 'categories',
    title: 'list of categories',
    requests: (ground) => [1, 2, 3, 4].map((page) => get(ground, '/categories', { page })),
    beside: ['big'],
  }),
  read({
    name: 'tags',
    title: 'list of tags by number of events',
    requests: (ground) => [1, 2, 3].map((page) => get(ground, '/tags', { page, orderby: 'count', order: 'desc' })),
    beside: ['big'],
  }),
  read({
    name: 'venues-upcoming',
    title: 'venues with events to come',
    connections: 2,
    requests: (ground) => [1, 2, 3, 4].map((page) => get(ground, '/venues', { page, only_with_upcoming: 'true' })),
  }),
  read({
    name: 'venues-used',
    title: 'venues with events',
    connections: 2,
    requests: (ground) => [1, 2, 3, 4].map((page) => get(ground, '/venues', { page, has_events: 'true' })),
  }),
  read({
    name: 'signed-in',
    title: 'first page as an administrator, another window each time',
    requests: (ground) =>
      many((number) => ({ ...get(ground, '/events', windowOf(ground, number)), ...signed(ground) })),
    beside: ['big'],
  }),
  read({
    name: 'page-front',
    title: 'front page for visitors, always the same',
    requests: () => [getAt('/', {})],
    beside: ['raw'],
  }),
  read({
    name: 'page-month',
    title: 'page of this month for visitors, always the same',
    requests: (ground) => [getAt(`/events/${ground.today.slice(0, 7)}/`, {})],
    beside: ['raw'],
  }),
  read({
    name: 'page-event',
    title: 'page of an event for visitors, always the same',
    requests: (ground) => [getAt(`/event/${ground.slugs[0]}/`, {})],
    beside: ['raw'],
  }),
  read({
    name: 'calendar-file',
    title: 'iCalendar file of 1,000 events, always the same',
    connections: 2,
    requests: () => [getAt(CALENDAR_FILE, A_PAGE)],
    beside: ['raw'],
  }),
  read({
    name: 'calendar-file-fresh',
    title: 'iCalendar file of 1,000 events, another window each time',
    connections: 2,
    // Windows of a year and a half and more.
    requests: (ground) => many((number) => getAt(CALENDAR_FILE, { ...A_PAGE, ...windowOf(ground, number + MANY) })),
    beside: ['raw', 'big'],
  }),
]

function signed(ground: Ground): Pick<LoadRequest, 'authorization'> {
  return ground.authorization === undefined ? {} : { authorization: ground.authorization }
}

/** Days on which new events take place. */
const DAYS = 300

/** Creates: each event has a title of its own, and as long as there are venues an evening there that no other has. */
export function creates(ground: Ground, count: number): LoadRequest[] {
  return Array.from({ length: count }, (_none, number) => ({
    method: 'POST',
    path: `${ground.base}/events`,
    ...signed(ground),
    body: JSON.stringify(newEvent(ground, number)),
  }))
}

function newEvent(ground: Ground, number: number): object {
  const day = dayAfter(ground, number % DAYS)
  const venue = ground.venues[Math.floor(number / DAYS) % ground.venues.length]
  return {
    title: `Benchmark evening ${number}`,
    description: `<p>${'A paragraph of words as people write them, with <strong>some</strong> weight. '.repeat(8)}</p>`,
    start_date: `${day} 19:00:00`,
    end_date: `${day} 21:30:00`,
    ...(venue !== undefined && { venue }),
    ...(ground.category !== undefined && { categories: [ground.category] }),
    cost: '12',
  }
}

/** Creates of daily series that have so many dates each, without a venue. */
export function seriesCreates(
  ground: Ground,
  { count, dates }: { readonly count: number; readonly dates: number },
): LoadRequest[] {
  return creates({ ...ground, venues: [] }, count).map((request) => ({
    ...request,
    body: JSON.stringify({ ...JSON.parse(request.body ?? '{}'), recurrence: [`RRULE:FREQ=DAILY;COUNT=${dates}`] }),
  }))
}

/** Updates of events, each with another title. */
export function updates(ground: Ground, count: number): readonly LoadRequest[] {
  return Array.from({ length: count }, (_none, number) => ({
    method: 'POST',
    path: `${ground.base}/events/${ground.ids[number % ground.ids.length]}`,
    ...signed(ground),
    body: JSON.stringify({ title: `Changed title ${number}` }),
  }))
}

/** Nineteen reads of different kinds to one write. */
export function mixed(ground: Ground): readonly LoadRequest[] {
  const writes = creates(ground, MANY / 20)
  const pages = READS.filter((one) => ['first-page-fresh', 'by-id-fresh', 'category', 'window'].includes(one.name))
  const reads = pages.map((one) => one.requests(ground))
  return many((number) => {
    if (number % 20 === 19) return writes[Math.floor(number / 20)] as LoadRequest
    const kind = reads[number % reads.length] as readonly LoadRequest[]
    return kind[number % kind.length] as LoadRequest
  })
}

/** The requests of a read, see `READS`; none where no read has that name. */
export function requestsOf(name: string, { ground }: { readonly ground: Ground }): readonly LoadRequest[] {
  return READS.find((one) => one.name === name)?.requests(ground) ?? []
}
