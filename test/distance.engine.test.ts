import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openTestApp } from './support/app.ts'
import { draws } from './support/draws.ts'

/*
 * Venues, and events by their venues, are found by distance: the same circle on the same sphere (decisions: geoloc).
 */

const { call } = await openTestApp({ after })

interface Place {
  readonly name: string
  readonly lat: number
  readonly lng: number
  /** Id of the venue, and of the event that takes place there. */
  readonly venue: number
  readonly event: number
}

const POINTS: readonly (readonly [name: string, lat: number, lng: number])[] = [
  ['Bern', 46.948, 7.4474],
  ['Thun', 46.758, 7.628],
  ['Zurich', 47.3769, 8.5417],
  ['Suva', -18.1416, 178.4419],
  ['Taveuni east', -16.85, -179.97],
  ['Taveuni west', -16.85, 179.97],
  ['Apia', -13.8333, -171.7667],
  ['North pole', 90, 0],
  ['Near the north pole', 89.9, 120],
  ['Near the north pole, over there', 89.9, -60],
  ['South pole', -90, 45],
  ['Null island', 0, 0],
  ['Its antipode', 0, 180],
  ['The same antipode', 0, -180],
]

const places: Place[] = []
for (const [name, lat, lng] of POINTS) {
  const json = { venue: name, geo_lat: lat, geo_lng: lng }
  const { body: venue } = await call('editor', 'POST', '/venues', { json })
  const span = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }
  const { body: event } = await call('editor', 'POST', '/events', { json: { title: name, ...span, venue: venue.id } })
  places.push({ name, lat, lng, venue: venue.id, event: event.id })
}
await call('editor', 'POST', '/venues', { json: { venue: 'Nowhere' } })

type Query = Readonly<Record<string, string | number>>

async function found(path: '/venues' | '/events', query: Query): Promise<number[]> {
  const { status, body } = await call('anonymous', 'GET', path, { query: { per_page: 50, ...query } })
  assert.equal(status, 200, JSON.stringify(body))
  const ids = body[path.slice(1)].map((one: { id: number }) => one.id)
  assert.equal(body.total, ids.length)
  return ids.sort((a: number, b: number) => a - b)
}

/** Names of the venues within a circle. */
async function near(lat: number, lng: number, radius?: number): Promise<(string | undefined)[]> {
  const query = { geoloc_lat: lat, geoloc_lng: lng, ...(radius !== undefined && { geoloc_radius: radius }) }
  const ids = await found('/venues', query)
  const events = await found('/events', query)
  assert.deepEqual(
    events,
    ids.map((id) => places.find((one) => one.venue === id)?.event),
  )
  return ids.map((id) => places.find((one) => one.venue === id)?.name)
}

test('venues and events are found within 40 km, or within the distance that is asked for', async () => {
  assert.deepEqual(await near(46.948, 7.4474), ['Bern', 'Thun'])
  assert.deepEqual(await near(46.948, 7.4474, 20), ['Bern'])
  assert.deepEqual(await near(46.948, 7.4474, 100), ['Bern', 'Thun', 'Zurich'])
  assert.deepEqual(await near(46.948, 7.4474, 0), ['Bern'])
  assert.deepEqual(await near(0, -30, 10), [])
  assert.equal((await near(46.948, 7.4474, 20_100)).length, POINTS.length)
})

test('neither the date line nor a pole is in the way', async () => {
  assert.deepEqual(await near(-16.85, 180, 5), ['Taveuni east', 'Taveuni west'])
  assert.deepEqual(await near(-16.85, -180, 5), ['Taveuni east', 'Taveuni west'])
  assert.deepEqual(await near(-18, 179.9, 250), ['Suva', 'Taveuni east', 'Taveuni west'])
  assert.deepEqual(await near(89.95, -60, 20), ['North pole', 'Near the north pole', 'Near the north pole, over there'])
  assert.deepEqual(await near(89.9, 120, 12), ['North pole', 'Near the north pole'])
  assert.deepEqual(await near(-90, -120, 1), ['South pole'])
  assert.deepEqual(await near(0, 180, 0), ['Its antipode', 'The same antipode'])
})

/** Distance by the angle between two vectors: another formula than the one under test. */
function distance(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const [x, y] = [a, b].map(({ lat, lng }) => {
    const [phi, lambda] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180]
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)] as const
  })
  if (x === undefined || y === undefined) return 0
  const cross = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
  return 6371.0088 * Math.atan2(Math.hypot(...cross), x[0] * y[0] + x[1] * y[1] + x[2] * y[2])
}

test('every circle holds exactly what lies within it', async () => {
  const centre = fc.record({
    lat: fc.double({ min: -90, max: 90, noNaN: true }).map((one) => Number(one.toFixed(4))),
    lng: fc.double({ min: -180, max: 180, noNaN: true }).map((one) => Number(one.toFixed(4))),
    radius: fc.oneof(fc.integer({ min: 0, max: 20_100 }), fc.integer({ min: 0, max: 400 })),
  })
  await fc.assert(
    fc.asyncProperty(centre, async ({ lat, lng, radius }) => {
      const expected = places.filter((one) => distance(one, { lat, lng }) <= radius)
      const names = expected.map((one) => one.name)
      assert.deepEqual(await near(lat, lng, radius), names)
    }),
    { numRuns: draws(60), seed: 20_261_120 },
  )
})

test('half a centre, and one outside of the earth, are refused; a distance alone asks for nothing', async () => {
  const all = await found('/venues', {})
  assert.deepEqual(await found('/venues', { geoloc_radius: 5 }), all)
  for (const path of ['/venues', '/events'] as const) {
    for (const [query, names] of [
      [{ geoloc_lat: 1 }, ['geoloc_lat']],
      [{ geoloc_lng: 1 }, ['geoloc_lng']],
      [{ geoloc_lat: 91, geoloc_lng: 1 }, ['geoloc_lat']],
      [{ geoloc_lat: 1, geoloc_lng: -180.1 }, ['geoloc_lng']],
      [{ geoloc_lat: 'north', geoloc_lng: '' }, ['geoloc_lat', 'geoloc_lng']],
      [{ geoloc_lat: 1, geoloc_lng: 1, geoloc_radius: -1 }, ['geoloc_radius']],
      [{ geoloc_lat: 1, geoloc_lng: 1, geoloc_radius: 'far' }, ['geoloc_radius']],
    ] as const) {
      const { status, body } = await call('anonymous', 'GET', path, { query })
      assert.deepEqual([status, body.code, Object.keys(body.data.params)], [400, 'rest_invalid_param', names])
    }
  }
})

test('links of venues repeat the circle and lead to the same places', async () => {
  const query = { geoloc_lat: 46.948, geoloc_lng: 7.4474, geoloc_radius: 150, per_page: 2, search: 'n' }
  const first = await call('anonymous', 'GET', '/venues', { query })
  assert.equal(
    new URL(first.body.rest_url).search,
    '?page=1&per_page=2&search=n&geoloc_lat=46.948&geoloc_lng=7.4474&geoloc_radius=150&status=publish',
  )
  assert.deepEqual((await call('anonymous', 'GET', first.body.rest_url)).body, first.body)
  const { body: plain } = await call('anonymous', 'GET', '/venues')
  assert.equal(new URL(plain.rest_url).search, '?page=1&per_page=10&status=publish')
})

test('organizers know no distance, and a hidden venue is found by nobody who may not read it', async () => {
  const query = { geoloc_lat: 'x', geoloc_radius: 'y' }
  assert.equal((await call('anonymous', 'GET', '/organizers', { query })).status, 200)
  const json = { venue: 'Hidden', geo_lat: 60, geo_lng: 60, status: 'private' }
  await call('author', 'POST', '/venues', { json })
  const there = { geoloc_lat: 60, geoloc_lng: 60 }
  for (const [as, total] of [
    ['anonymous', 0],
    ['contributor', 0],
    ['author', 1],
    ['editor', 1],
  ] as const)
    assert.equal((await call(as, 'GET', '/venues', { query: there })).body.total, total, as)
})
