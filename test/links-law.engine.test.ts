import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Role } from '../src/http/auth/rights.ts'
import { openTestApp } from './support/app.ts'
import { draws } from './support/draws.ts'
import { make } from './support/events.ts'

const app = await openTestApp({ after })

const TITLES = ['Jazz & more', 'Łódź 100% "live"', '音楽 + jazz', 'a=b?c#d', "l'été"]
const { body: venue } = await app.call('editor', 'POST', '/venues', {
  json: { venue: 'Hall', geo_lat: 46.95, geo_lng: 7.44 },
})
for (let n = 0; n < 14; n += 1) {
  const day = String(1 + (n % 9)).padStart(2, '0')
  await make(app, {
    title: TITLES[n % TITLES.length],
    start_date: `2027-05-${day} 1${n % 3}:30:00`,
    end_date: `2027-05-${day} 23:00:00`,
    categories: n % 2 === 0 ? ['Jazz & Blues', 'Éveil'] : ['2024'],
    tags: ['a', 'b c'],
    venue: n % 3 === 0 ? [] : venue.id,
    featured: n % 2 === 0,
    status: n % 5 === 0 ? 'draft' : 'publish',
    ...(n % 4 === 0 && { tickets: [{ name: 'Adult' }] }),
  })
}

const moment = fc.constantFrom(
  ...['2027-05-03', '2027-05-03 11:30', '2027-05-03T23:30:00-05:00', '2027-05-04T00:30:00+14:00', '1809600000'],
  ...[
    'May 5, 2027',
    'now',
    '+6 months',
    'tomorrow noon',
    '2027-W18-2',
    '05/06/2027 7pm',
    '2027-05-04 10:30 Asia/Tokyo',
  ],
)
const flag = fc.constantFrom('true', 'false', 'YES', '0')
const FILTERS = {
  start_date: moment,
  end_date: moment,
  starts_before: moment,
  starts_after: moment,
  ends_before: moment,
  ends_after: moment,
  strict_dates: flag,
  search: fc.constantFrom('jazz', '"live"', 'jazz -more', 'a=b?c#d', '100%', '+', '&', "l'ete", ' jazz ', '音楽'),
  categories: fc.constantFrom('jazz-blues', '2024', '2024,eveil', 'Jazz & Blues'),
  tags: fc.constantFrom('a', 'b-c,a', 'b c'),
  venue: fc.constant(String(venue.id)),
  featured: flag,
  geoloc: flag,
  near: fc.constantFrom('46.9,7.4,20', '46.9,7.4,', '-0.5,7.25,12000'),
  include: fc.constantFrom('2,3,4,5,6,7,8', '5'),
  ticketed: flag,
}

/** The parameters of a request; a place is three of them. */
function queryOf(filter: Readonly<Record<string, string>>): Record<string, string> {
  const { near, ...query } = filter
  if (near === undefined) return query
  const [geoloc_lat = '', geoloc_lng = '', radius = ''] = near.split(',')
  return { ...query, geoloc_lat, geoloc_lng, ...(radius !== '' && { geoloc_radius: radius }) }
}

const asking = fc.record({
  as: fc.constantFrom<Role | 'anonymous'>('anonymous', 'contributor', 'editor'),
  filter: fc
    .subarray(Object.keys(FILTERS) as (keyof typeof FILTERS)[], { maxLength: 3 })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, FILTERS[name]] as const)))),
  status: fc.option(fc.constantFrom('publish', 'any', 'publish,draft', ''), { nil: undefined }),
  per_page: fc.integer({ min: 1, max: 6 }),
})

test('every link of a list asks for what the list itself asked for', async () => {
  let pages = 0
  const property = fc.asyncProperty(asking, async ({ as, filter, status, per_page }) => {
    const query = {
      ...queryOf(filter as Record<string, string>),
      per_page: String(per_page),
      ...(status !== undefined && as !== 'anonymous' && { status }),
    }
    let page = await app.call(as, 'GET', '/events', { query })
    let before: typeof page | undefined
    const seen: number[] = []
    for (;;) {
      assert.equal(page.status, 200, JSON.stringify(page.body))
      pages += 1
      const { events, rest_url, next_rest_url: next, previous_rest_url: previous, total } = page.body
      seen.push(...events.map((one: { id: number }) => one.id))
      assert.deepEqual((await app.call(as, 'GET', rest_url)).body, page.body)
      const links = (page.headers.get('link') ?? '').split(', ').filter((one) => !one.includes('api.w.org'))
      const told = [next && `<${next}>; rel="next"`, previous && `<${previous}>; rel="prev"`]
      assert.deepEqual(
        links,
        told.filter((one) => one !== undefined),
      )
      assert.equal(previous === undefined, before === undefined)
      if (before !== undefined) assert.deepEqual((await app.call(as, 'GET', previous)).body, before.body)
      if (next === undefined) {
        assert.deepEqual([seen.length, new Set(seen).size], [total, total], JSON.stringify(query))
        return
      }
      before = page
      page = await app.call(as, 'GET', next)
    }
  })
  await fc.assert(property, { numRuns: draws(40), seed: 20_261_120 })
  assert.ok(pages > 60, String(pages))
})

test('links carry the effective filters in the order of the wire, page first or last', async () => {
  const query = {
    ...{ ticketed: 'yes', tags: 'a', featured: '1', venue: `${venue.id}`, geoloc: 'yes', search: '-"x & y"' },
    ...{ ends_after: '2027-01-01', end_date: '2027-06-01', per_page: '1', page: '2' },
  }
  const { body } = await app.call('anonymous', 'GET', '/events', { query })
  const names = (url: string): string[] => [...new URL(url).searchParams.keys()]
  const filters = 'per_page end_date search geoloc status ends_after venue featured tags ticketed'.split(' ')
  assert.deepEqual(names(body.rest_url), ['page', ...filters])
  assert.deepEqual(names(body.previous_rest_url), filters)
  const { searchParams } = new URL(body.rest_url)
  assert.equal(searchParams.get('ends_after'), '2027-01-01 23:59:59')
  assert.equal(searchParams.get('status'), 'publish')
  assert.ok(body.rest_url.startsWith(`${app.origin}/cal/events/v1/events/?page=2&per_page=1&`))
  assert.ok(!/[ +"<>]/.test(body.rest_url))
})

test('no link names a password', async () => {
  await make(app, { title: 'Closed', password: 'open sesame' })
  const { body, headers } = await app.call('anonymous', 'GET', '/events', {
    query: { password: 'open sesame', per_page: 1 },
  })
  assert.ok(body.next_rest_url !== undefined)
  assert.ok(!/sesame/.test(JSON.stringify([body.rest_url, body.next_rest_url, headers.get('link')])))
})
