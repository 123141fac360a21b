import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { type Answer, openTestApp } from './support/app.ts'
import { draws } from './support/draws.ts'

/* `hide_subsequent_recurrences` leaves, of each series, the first date that all other filters leave, in whatever order. */

const { call } = await openTestApp({ after })

type Query = Readonly<Record<string, string | number>>
type Item = Answer['body']

let seed = 5
function pick<Value>(values: readonly Value[]): Value {
  seed = (seed * 48_271) % 2_147_483_647
  return values[seed % values.length] as Value
}

async function sent(method: string, path: string, json: object): Promise<Item> {
  const { status, body } = await call('editor', method, path, { json })
  assert.ok(status < 300, JSON.stringify(body))
  return body
}

async function whole(query: Query): Promise<Item[]> {
  const all: Item[] = []
  let page = await call('anonymous', 'GET', '/events', { query })
  for (;;) {
    if (page.status === 404) return all
    assert.equal(page.status, 200, JSON.stringify(page.body))
    all.push(...page.body.events)
    const { total, next_rest_url } = page.body
    if (next_rest_url === undefined) {
      assert.equal(total, all.length, JSON.stringify(query))
      return all
    }
    page = await call('anonymous', 'GET', next_rest_url)
  }
}

const COSTS = ['', 'Free admission', '5', '12']
const STATUSES = ['scheduled', 'canceled', 'postponed']
const halls: number[] = []
for (const lat of [47, 48])
  halls.push((await sent('POST', '/venues', { venue: `Hall ${lat}`, geo_lat: lat, geo_lng: 7 })).id)

const TITLES = ['Jazz night', 'Open air', 'Acid jazzers']

function facts(): object {
  return { title: pick(TITLES), tags: [pick(['calm', 'loud'])], cost: pick(COSTS), venue: pick([...halls, 0]) }
}

for (let number = 0; number < 24; number += 1) {
  const day = `2027-0${pick([1, 2, 3])}-1${pick([0, 1, 2])}`
  const times = { start_date: `${day} ${pick(['10', '18'])}:00`, end_date: `${day} 20:00` }
  const rule = pick(['', 'FREQ=DAILY;COUNT=5', 'FREQ=WEEKLY;COUNT=6', 'FREQ=MONTHLY;COUNT=4'])
  const { id } = await sent('POST', '/events', {
    ...{ ...facts(), ...times },
    ...(rule !== '' && { recurrence: [`RRULE:${rule}`] }),
  })
  if (rule === '') continue
  const dates = await whole({ series: id, start_date: '2027-01-01', end_date: '2028-01-01', per_page: 50 })
  for (const date of [pick(dates), pick(dates), pick(dates)]) {
    const change = pick([facts(), { event_status: pick(STATUSES) }, { is_virtual: true }, { featured: true }])
    await sent('PATCH', `/events/${date.id}`, { ...change, scope: 'this' })
  }
  const moved = pick(dates.slice(1))
  await sent('PATCH', `/events/${moved.id}`, {
    scope: 'this',
    start_date: '2027-01-05 09:00',
    end_date: '2027-01-05 10:00',
  })
}

const FILTERS: Readonly<Record<string, readonly (string | number)[]>> = {
  search: ['jazz', 'open -jazz', '"acid jazz"'],
  tags: ['calm', 'loud', 'calm,loud'],
  cost: ['free'],
  cost_min: [5, 6],
  cost_max: [0, 5],
  event_status: ['canceled', 'scheduled', 'canceled,postponed'],
  is_virtual: ['true', 'false'],
  featured: ['true'],
  venue: [halls[0] ?? 0, halls.join()],
  starts_after: ['2027-01-20', '2027-02-13 12:00'],
  ends_before: ['2027-02-20', '2027-03-15'],
  geoloc: ['true', 'false'],
}

const ORDERS = ['start', 'published', 'modified', 'title', 'distance', 'relevance']
const asking = fc.record({
  filters: fc.record(
    Object.fromEntries(Object.entries(FILTERS).map(([name, values]) => [name, fc.constantFrom(...values)])),
    { requiredKeys: [] },
  ),
  kept: fc.subarray(Object.keys(FILTERS), { maxLength: 3 }),
  orderby: fc.constantFrom(undefined, ...ORDERS),
  order: fc.constantFrom(undefined, 'asc', 'desc'),
  isNear: fc.boolean(),
  per_page: fc.constantFrom(3, 10, 50),
})

let hidden = 0

test('of each series the first date that the other filters leave is listed, with the total of that', async () => {
  const law = fc.asyncProperty(asking, async ({ filters, kept, orderby, order, isNear, per_page }) => {
    const chosen = Object.fromEntries(
      kept.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])),
    )
    const needsPlace = isNear || orderby === 'distance'
    const query: Query = {
      ...{ start_date: '2027-01-01', end_date: '2027-12-31', ...chosen },
      ...(orderby !== undefined && { orderby }),
      ...(orderby === 'relevance' && { search: chosen['search'] ?? 'jazz' }),
      ...(needsPlace && { geoloc_lat: 47, geoloc_lng: 7, geoloc_radius: 60 }),
      ...(order !== undefined && { order }),
    }
    const all = await whole({ ...query, per_page: 50 })
    const byStart = (one: Item, other: Item): number => (one.start_date < other.start_date ? -1 : 1)
    const first = new Map<number, Item>()
    for (const one of all.toSorted(byStart)) {
      const of = one.series?.id ?? one.id
      if (!first.has(of)) first.set(of, one)
    }
    const expected = all.filter((one) => first.get(one.series?.id ?? one.id) === one)
    hidden += all.length - expected.length
    const listed = await whole({ ...query, per_page, hide_subsequent_recurrences: 'true' })
    const told = (some: Item[]) => some.map(({ id }) => id)
    assert.deepEqual(told(listed), told(expected), JSON.stringify(query))
  })
  await fc.assert(law, { numRuns: draws(150), seed: 20_261_124 })
  assert.ok(hidden > 100, `${hidden} dates left out`)
})
