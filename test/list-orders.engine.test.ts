import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { fold } from '../src/base/text/fold.ts'
import { type Answer, openTestApp } from './support/app.ts'
import { draws } from './support/draws.ts'

/*
 * Lists are sorted by what was asked for, compared with a naive model that sorts the whole list; the list itself, its
 * total and its pages stay what they are.
 */

const app = await openTestApp({ after }, { perPageMax: '50' })
const { call, clock } = app

interface Item {
  readonly id: number
  readonly title: string
  readonly text: string
  readonly start: string
  readonly published: string
  readonly modified: string
  readonly lat: number | undefined
}

const TITLES = [
  'Jazz night',
  'jazz Night',
  'Über jazz',
  'Uber Jazz',
  'Acid jazzers',
  'Open air',
  'Zebra, jazz!',
  '9 jazz',
]
const TEXTS = ['', '<p>A jazzy text</p>', '<p>Old jazz, new jazz.</p>', `<p>${'More of jazz. '.repeat(900)}</p>`]
const LATS = [46.9, 47.1, 47.3]

let seed = 11
function pick<Value>(values: readonly Value[]): Value {
  seed = (seed * 48_271) % 2_147_483_647
  return values[seed % values.length] as Value
}

async function made(path: string, json: object): Promise<Answer['body']> {
  const { status, body } = await call('editor', 'POST', path, { json })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

async function changed(path: string, json: object): Promise<Answer['body']> {
  const { status, body } = await call('editor', 'PATCH', path, { json })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const halls: { readonly id: number; readonly lat: number | undefined }[] = []
for (const lat of [...LATS, undefined]) {
  const place = lat === undefined ? {} : { geo_lat: lat, geo_lng: 7.4 }
  halls.push({ id: (await made('/venues', { venue: `Hall ${lat}`, ...place })).id, lat })
}

const items: Item[] = []
for (let n = 0; n < 60; n += 1) {
  const hall = pick(halls)
  const start = `2027-0${pick([1, 2, 3])}-1${pick([0, 1, 2])} 10:00:00`
  const json = { title: pick(TITLES), description: pick(TEXTS), venue: hall.id }
  const dates = { start_date: start, end_date: `${start.slice(0, 10)} 12:00:00` }
  const event = await made('/events', { ...json, ...dates, date: `2026-0${pick([1, 2])}-05 10:00:00` })
  items.push({
    id: event.id,
    title: json.title,
    text: fold(`${json.title} ${json.description.replace(/<[^>]*>/g, '')}`),
    start,
    published: event.date_utc,
    modified: event.modified_utc,
    lat: hall.lat,
  })
  clock.now += pick([0, 1_000, 60_000])
}

type Query = Readonly<Record<string, string | number>>

async function idsOf(path: string, query: Query): Promise<number[]> {
  const ids: number[] = []
  let page = await call('anonymous', 'GET', path, { query: { per_page: 7, ...query } })
  for (;;) {
    assert.equal(page.status, 200, JSON.stringify(page.body))
    ids.push(...page.body[path.slice(1)].map((one: { id: number }) => one.id))
    const { total, next_rest_url } = page.body
    if (next_rest_url === undefined) {
      assert.equal(total, ids.length)
      return ids
    }
    page = await call('anonymous', 'GET', next_rest_url)
  }
}

function compare(one: number | string, other: number | string): number {
  return one < other ? -1 : Number(one > other)
}

/** Whether a word stands by itself. */
function isWhole(text: string, word: string): boolean {
  return new RegExp(`(^|[^\\p{L}\\p{N}])${word}([^\\p{L}\\p{N}]|$)`, 'u').test(text)
}

function rank({ title, text }: Item, word: string): number {
  const line = fold(title)
  if (isWhole(line, word)) return 3
  return line.includes(word) ? 2 : Number(isWhole(text, word))
}

const KEYS: Readonly<Record<string, (item: Item) => number | string>> = {
  published: (item) => item.published,
  modified: (item) => item.modified,
  title: (item) => fold(item.title),
  distance: (item) => item.lat ?? 0,
  relevance: (item) => rank(item, 'jazz'),
}
const DESCENDING = ['published', 'modified', 'relevance']

/** The naive model: all items that the query names, sorted in memory. */
function expected(by: string, order: string | undefined, found: readonly Item[]): number[] {
  const sign = (order ?? (DESCENDING.includes(by) ? 'desc' : 'asc')) === 'desc' ? -1 : 1
  const byStart = (one: Item, other: Item): number =>
    compare(one.start, other.start) || compare(one.published, other.published) || one.id - other.id
  const key = KEYS[by]
  const sorted = found.toSorted((one, other) => {
    if (key === undefined) return sign * byStart(one, other)
    const ties = by === 'distance' || by === 'relevance' ? byStart(one, other) : one.id - other.id
    return sign * compare(key(one), key(other)) || ties
  })
  return sorted.map(({ id }) => id)
}

const WINDOW = { start_date: '2027-01-01', end_date: '2027-12-31' }
const NEAR = { geoloc_lat: 46, geoloc_lng: 7.4, geoloc_radius: 500 }

test('events are listed in any order as a naive model sorts them, on all pages, with every way of reading', async () => {
  const asking = fc.record({
    by: fc.constantFrom('start', ...Object.keys(KEYS)),
    order: fc.constantFrom(undefined, 'asc', 'desc'),
    venue: fc.constantFrom(undefined, [0], [0, 1], [1, 2, 3]),
    searches: fc.boolean(),
    isNear: fc.boolean(),
    isOpen: fc.boolean(),
  })
  const property = fc.asyncProperty(asking, async ({ by, order, venue, searches, isNear, isOpen }) => {
    const words = searches || by === 'relevance' ? { search: 'jazz' } : {}
    const place = isNear || by === 'distance' ? NEAR : {}
    const chosen = venue?.map((index) => halls[index]?.id).join()
    const query = {
      ...(isOpen ? { ends_after: '2027-01-31' } : WINDOW),
      ...words,
      ...place,
      ...(chosen !== undefined && { venue: chosen }),
      ...((by !== 'start' || order === undefined) && { orderby: by }),
      ...(order !== undefined && { order }),
    }
    const found = items.filter(
      (item) =>
        (!isOpen || item.start > '2027-02') &&
        (words.search === undefined || item.text.includes('jazz')) &&
        (!('geoloc_lat' in place) || item.lat !== undefined) &&
        (venue === undefined || venue.some((index) => halls[index]?.lat === item.lat)),
    )
    assert.deepEqual(await idsOf('/events', query), expected(by, order, found), JSON.stringify(query))
  })
  await fc.assert(property, { numRuns: draws(400), seed: 20_261_123 })
})

test('named events are listed in the order that is asked for', async () => {
  const some = items.slice(0, 12)
  const include = some.map(({ id }) => id).join()
  for (const by of ['start', 'title', 'modified'])
    assert.deepEqual(await idsOf('/events', { include, orderby: by }), expected(by, undefined, some))
})

test('the dates of a series are sorted like events', async () => {
  const json = { title: 'Yoga', start_date: '2028-01-03 10:00:00', end_date: '2028-01-03 11:00:00' }
  await made('/events', { ...json, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  await made('/events', { ...json, title: 'Aikido', recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  const query = { start_date: '2028-01-01', end_date: '2028-12-31', orderby: 'title' }
  const { body } = await call('anonymous', 'GET', '/events', { query })
  const told = body.events.map((one: { title: string; start_date: string }) => [one.title, one.start_date.slice(8, 10)])
  assert.deepEqual(told, [
    ['Aikido', '03'],
    ['Aikido', '04'],
    ['Yoga', '03'],
    ['Yoga', '04'],
    ['Yoga', '05'],
  ])
  const first = await call('anonymous', 'GET', '/events', { query: { ...query, hide_subsequent_recurrences: 'true' } })
  assert.deepEqual(
    first.body.events.map((one: { start_date: string }) => one.start_date.slice(8, 10)),
    ['03', '03'],
  )
})

test('a cached list is sorted anew when what it is sorted by changes', async () => {
  const one = await made('/events', { title: 'Alpha', start_date: '2029-01-01', end_date: '2029-01-01' })
  const other = await made('/events', { title: 'Beta', start_date: '2029-01-02', end_date: '2029-01-02' })
  const query = { start_date: '2029-01-01', end_date: '2029-12-31', orderby: 'title' }
  assert.deepEqual(await idsOf('/events', query), [one.id, other.id])
  await changed(`/events/${one.id}`, { title: 'Gamma' })
  assert.deepEqual(await idsOf('/events', query), [other.id, one.id])
  await changed(`/events/${one.id}`, { description: '<p>x</p>' })
  const modified = { ...query, orderby: 'modified' }
  clock.now += 1_000
  await changed(`/events/${other.id}`, { description: '<p>x</p>' })
  assert.deepEqual(await idsOf('/events', modified), [other.id, one.id])
})

test('venues and organizers are sorted by name, change, publication, relevance, and venues by distance', async () => {
  const names = ['Ärger', 'arena', 'Zoo', 'Bar', 'bärbel']
  const made_: { readonly id: number; readonly name: string }[] = []
  for (const name of names) made_.push({ id: (await made('/organizers', { organizer: name })).id, name })
  const byName = made_.toSorted((a, b) => compare(fold(a.name), fold(b.name)) || a.id - b.id).map(({ id }) => id)
  assert.deepEqual(await idsOf('/organizers', { orderby: 'title' }), byName)
  assert.deepEqual(
    await idsOf('/organizers', { order: 'asc' }),
    made_.map(({ id }) => id),
  )
  clock.now += 1_000
  await changed(`/organizers/${made_[2]?.id}`, { phone: '1' })
  assert.equal((await idsOf('/organizers', { orderby: 'modified' }))[0], made_[2]?.id)
  assert.deepEqual(
    await idsOf('/venues', { orderby: 'distance', ...NEAR }),
    halls.slice(0, 3).map(({ id }) => id),
  )
  const first = await made('/venues', { venue: 'Townhall', description: '<p>a hall</p>' })
  const ranked = await idsOf('/venues', { orderby: 'relevance', search: 'hall' })
  assert.equal(ranked.at(-1), first.id)
})

test('an order that a list does not have is refused, and the allowed ones are named', async () => {
  for (const [path, query, name, says] of [
    ['/events', { orderby: 'cost' }, 'orderby', 'start, published, modified, title, distance, relevance'],
    ['/venues', { orderby: 'start' }, 'orderby', 'published, modified, title, relevance, distance'],
    ['/organizers', { orderby: 'distance' }, 'orderby', 'published, modified, title, relevance'],
    ['/organizers', { order: 'up' }, 'order', 'asc, desc'],
    ['/events', { orderby: 'distance', geoloc: 'true' }, 'orderby', 'geoloc_lat, geoloc_lng'],
    ['/venues', { orderby: 'relevance' }, 'orderby', 'search'],
  ] as const) {
    const { status, body } = await call('anonymous', 'GET', path, { query })
    assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], path)
    assert.ok(body.data.params[name].endsWith(` ${says}.`), JSON.stringify(body.data.params))
  }
})
