import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Answer, openTestApp, type Sending } from '../support/app.ts'

/*
 * The examples of the interface for reading, refusals, and what a page of another site may read.
 */

const FLAGS = { siteZone: 'Europe/Berlin', baseUrl: 'https://cal.example' }
const app = await openTestApp({ after }, FLAGS)
/** The same calendar in SQLite, whatever is tested. */
const folder = await mkdtemp(join(tmpdir(), 'kalends-tec-'))
after(() => rm(folder, { recursive: true, force: true }))
const other = await openTestApp({ after }, { ...FLAGS, database: `sqlite:${join(folder, 'other.db')}` })

const get = (path: string, sending: Sending = {}): Promise<Answer> =>
  app.call('anonymous', 'GET', `${app.origin}/wp-json/tec/v1${path}`, sending)

async function make(path: string, json: object): Promise<number> {
  const ids = [app, other].map(async ({ call, clock }) => {
    clock.now = Date.UTC(2031, 0, 10, 8)
    const { status, body } = await call('administrator', 'POST', path, { json })
    assert.equal(status, 201, JSON.stringify(body))
    return body.id
  })
  const [id, same] = await Promise.all(ids)
  assert.equal(id, same)
  return id
}

const hall = await make('/venues', { venue: 'Hall', city: 'Köln' })
await make('/organizers', { organizer: 'Łódź', email: 'jo@one.example' })
await make('/organizers', { organizer: 'lotus' })
const cafe = { title: 'Repair café', start_date: '2031-05-31 14:00:00', end_date: '2031-05-31 17:00:00' }
const repair = await make('/events', { ...cafe, venue: hall })
await make('/events', { title: 'Walk', start_date: '2031-05-01 09:00:00', end_date: '2031-05-01 10:00:00' })
await make('/events', { title: 'Night', start_date: '2031-05-31 22:00:00', end_date: '2031-06-01 04:00:00' })

test('a list is a bare array with totals and links that carry what took effect', async () => {
  const question = 'start_date=2031-05-01&end_date=2031-05-31&order=desc&per_page=1'
  const { status, headers, body } = await get(`/events?${question}`)
  assert.equal(status, 200)
  for (const name of ['x-wp-total', 'x-wp-totalpages', 'x-tec-total', 'x-tec-totalpages'])
    assert.equal(headers.get(name), '2', name)
  const address = `https://cal.example/wp-json/tec/v1/events?${question}`
  assert.match(headers.get('link') ?? '', new RegExp(`, <${address.replaceAll('?', '\\?')}&page=2>; rel="next"$`))
  assert.ok(headers.get('x-kalends-cursor'))
  assert.equal(body.length, 1)
  const [event] = body
  assert.deepEqual(Object.keys(event).slice(0, 4), ['id', 'date', 'date_gmt', 'guid'])
  assert.deepEqual(
    { ...event, dates: undefined, venues: undefined, schedule_details: undefined, short_schedule_details: undefined },
    {
      ...{ id: repair, date: '2031-01-10T09:00:00', date_gmt: '2031-01-10T08:00:00' },
      guid: { rendered: 'https://cal.example/event/repair-cafe/' },
      ...{ modified: '2031-01-10T09:00:00', modified_gmt: '2031-01-10T08:00:00', slug: 'repair-cafe' },
      ...{ status: 'publish', type: 'tribe_events', link: 'https://cal.example/event/repair-cafe/' },
      ...{ title: { rendered: 'Repair café' }, content: { rendered: '', protected: false } },
      ...{ excerpt: { rendered: '', protected: false }, author: event.author, featured_media: 0, template: '' },
      ...{ tags: [], tribe_events_cat: [], class_list: event.class_list },
      ...{ start_date: '2031-05-31 14:00:00', start_date_utc: '2031-05-31 12:00:00' },
      ...{ end_date: '2031-05-31 17:00:00', end_date_utc: '2031-05-31 15:00:00', dates: undefined },
      ...{ timezone: 'Europe/Berlin', duration: '10800', multiday: false, is_past: false, is_now: false },
      ...{ all_day: false, starts_this_week: null, ends_this_week: null, this_week_duration: null },
      ...{ happens_this_week: null, displays_on: [], featured: false, sticky: false, cost: '' },
      ...{ organizer_names: [], organizers: [], venues: undefined },
      ...{ schedule_details: undefined, short_schedule_details: undefined },
    },
  )
  assert.deepEqual(event.venues, [(await get(`/venues/${hall}`)).body])
})

test('must hold 10: both databases give the same bytes', async () => {
  for (const path of [
    '/events',
    '/events?per_page=1&page=2&orderby=title',
    '/events?search=cafe',
    `/events?venue=${hall}&exclude=99`,
    `/events/${repair}`,
    '/venues',
    '/venues?city=KOLN',
    '/organizers?email=JO@one.example',
    '/organizers?orderby=title&order=desc',
    '/events?venue=99',
  ]) {
    const [here, there] = await Promise.all(
      [app, other].map(async ({ origin }) => {
        const answer = await fetch(`${origin}/tec/v1${path}`)
        const headers = ['link', 'etag', 'x-wp-total', 'cache-control', 'vary'].map((name) => answer.headers.get(name))
        return [answer.status, headers, await answer.text()]
      }),
    )
    assert.deepEqual(here, there, path)
  }
})

test('an invalid parameter is explained by code, and which one it was', async () => {
  const { status, body } = await get('/events?page=zero&start_date=someday&venue=99&order=up&search=')
  assert.deepEqual([status, body.code, Object.keys(body)], [400, 'rest_invalid_param', ['code', 'message', 'data']])
  const codes = Object.entries(body.data.details).map(([name, one]) => [name, (one as { code: string }).code])
  assert.deepEqual(Object.fromEntries(codes), {
    page: 'tec_rest_invalid_positive_integer_argument',
    search: 'tec_rest_invalid_string_argument',
    start_date: 'tec_rest_invalid_date_time_argument',
    venue: 'rest_invalid_param',
    order: 'rest_invalid_param',
  })
  const message = 'page must be a whole number of 1 or more.'
  assert.deepEqual([body.data.status, body.data.params.page], [400, message])
  assert.deepEqual(body.data.details.page.data, { status: 400, argument: 'page', details: message })
})

test('a page past the end is not there, and an empty first page is', async () => {
  for (const path of ['/events', '/venues', '/organizers']) {
    const past = await get(`${path}?page=9`)
    assert.deepEqual([past.status, past.body.code], [404, 'tec_rest_organizers_page_not_found'])
    assert.deepEqual(past.body.data, { status: 404 })
    const empty = await get(`${path}?search=nothing-of-this`)
    assert.deepEqual([empty.status, empty.body, empty.headers.get('x-wp-total')], [200, [], '0'])
  }
})

test('parameters that mean nothing are ignored and named, or refused by a strict request', async () => {
  const { status, headers } = await get('/events?foo=1&provider=x')
  assert.deepEqual([status, headers.get('x-kalends-ignored')], [200, 'foo, provider'])
  const strict = await get('/events?foo=1&strict=1')
  assert.deepEqual([strict.status, Object.keys(strict.body.data.details)], [400, ['foo']])
})

test('a day is whole on the clock of the event, and a moment is one', async () => {
  const titles = async (query: string): Promise<string[]> =>
    (await get(`/events?${query}`)).body.map((event: { title: { rendered: string } }) => event.title.rendered)
  assert.deepEqual(await titles('end_date=2031-05-31'), ['Walk', 'Repair café'])
  assert.deepEqual(await titles('end_date=2031-05-31%2000:00:00'), ['Walk'])
  assert.deepEqual(await titles('starts_before=2031-05-31%2014:00:00'), ['Walk'])
  assert.deepEqual(await titles('starts_before=2031-05-31'), ['Walk', 'Repair café', 'Night'])
  assert.deepEqual(await titles('starts_after=2031-05-31T12:00:00Z'), ['Night'])
})

test('items that are not there, and methods and paths that are not, have the errors of the interface', async () => {
  for (const [method, path] of [
    ['GET', '/events/by-slug/repair-cafe'],
    ['GET', '/categories'],
    ['GET', '/events/x'],
    ['POST', `/venues/${hall}`],
  ] as const) {
    const sent = method === 'POST' ? { json: {} } : {}
    const { status, body } = await app.call('anonymous', method, `${app.origin}/tec/v1${path}`, sent)
    assert.deepEqual([status, body.code], [404, 'rest_no_route'], `${method} ${path}`)
  }
})

test('must hold 9: a page of another origin reads lists and headers with X-TEC-EEA', async () => {
  const origin = 'https://other.example'
  const asking = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-tec-eea' }
  const url = `${app.origin}/wp-json/tec/v1/events`
  const preflight = await app.call('anonymous', 'OPTIONS', url, { headers: asking })
  assert.equal(preflight.status, 200)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /\bX-TEC-EEA\b/)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const wanted = { ...asking, 'access-control-request-method': method }
    const path = method === 'POST' ? '/events' : `/events/${repair}`
    const { headers } = await app.call('anonymous', 'OPTIONS', `${app.origin}/tec/v1${path}`, { headers: wanted })
    assert.ok((headers.get('access-control-allow-methods') ?? '').split(', ').includes(method), method)
    assert.match(headers.get('access-control-allow-headers') ?? '', /\bX-TEC-EEA\b/)
  }
  const { status, headers } = await get('/events', { headers: { origin, 'x-tec-eea': 'I understand.' } })
  assert.deepEqual([status, headers.get('access-control-allow-origin')], [200, '*'])
  const exposed = headers.get('access-control-expose-headers') ?? ''
  for (const name of ['X-TEC-Total', 'X-TEC-TotalPages', 'X-WP-Total', 'X-WP-TotalPages', 'Link', 'ETag'])
    assert.ok(exposed.split(', ').includes(name), name)
})
