import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Role } from '../src/http/auth/rights.ts'
import { openTestApp } from './support/app.ts'
import { make } from './support/events.ts'

const app = await openTestApp({ after })

async function list(query: Record<string, string | number>, as: Role | 'anonymous' = 'anonymous') {
  const answer = await app.call(as, 'GET', '/events', { query })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const titles: string[] = answer.body.events.map((one: { title: string }) => one.title)
  return { titles, link: new URL(answer.body.rest_url).searchParams, body: answer.body, headers: answer.headers }
}

const WIDE = { start_date: '2020-01-01', end_date: '2040-01-01' }

const hall = (await app.call('editor', 'POST', '/venues', { json: { venue: 'Hall', geo_lat: 46.9, geo_lng: 7.4 } }))
  .body
const club = (await app.call('editor', 'POST', '/organizers', { json: { organizer: 'Club' } })).body
const common = { venue: hall.id, organizer: club.id, categories: ['Music'], tags: ['Live', 'Free entry'] }
const shown = await make(app, { title: 'Shown', ...common, tickets: [{ name: 'Adult' }] })
const hidden = await make(app, { title: 'Hidden', ...common, hide_from_listings: true, post_parent: shown.id })

test('a day that a filter names is the day of its text, and of UTC where the text is an instant', async () => {
  const days: readonly (readonly [sent: string, day: string])[] = [
    ['2028-02-10', '2028-02-10'],
    ['2028-02-10 23:30', '2028-02-10'],
    ['2028-02-10T23:30:00-05:00', '2028-02-11'],
    ['2028-02-11T00:30:00+09:00', '2028-02-10'],
    ['2028-02-10T23:30:00Z', '2028-02-10'],
    // 2028-02-11 02:00 UTC, which is still the 10th in New York.
    ['1833847200', '2028-02-11'],
  ]
  for (const [sent, day] of days) {
    assert.equal((await list({ start_date: sent })).link.get('start_date'), `${day} 00:00:00`, sent)
    for (const name of ['end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'])
      assert.equal((await list({ [name]: sent })).link.get(name), `${day} 23:59:59`, `${name} ${sent}`)
  }
})

test('strict dates are moments on the clock of the site, whatever clock they were sent on', async () => {
  const moments: readonly (readonly [sent: string, moment: string])[] = [
    ['2028-02-10 11:00', '2028-02-10 11:00:00'],
    ['2028-02-10T11:00:00Z', '2028-02-10 06:00:00'],
    ['2028-02-11T00:30:00+09:00', '2028-02-10 10:30:00'],
    ['1833847200', '2028-02-10 21:00:00'],
    ['2028-02-10 11:00 Europe/Rome', '2028-02-10 05:00:00'],
  ]
  for (const [sent, moment] of moments)
    assert.equal((await list({ starts_after: sent, strict_dates: 'on' })).link.get('starts_after'), moment, sent)
})

test('strict_dates takes every spelling of yes and no, other text is no, and nothing at all is refused', async () => {
  const start = async (strict_dates: string): Promise<string | null> =>
    (await list({ start_date: '2028-02-10 11:00', strict_dates })).link.get('start_date')
  for (const yes of ['true', 'TRUE', '1', 'yes', 'On']) assert.equal(await start(yes), '2028-02-10 11:00:00', yes)
  for (const no of ['false', '0', 'No', 'off', 'maybe', '2']) assert.equal(await start(no), '2028-02-10 00:00:00', no)
  for (const query of ['strict_dates=', 'strict_dates[]=1']) {
    const { status, body } = await app.call('anonymous', 'GET', `/events?${query}`)
    assert.deepEqual([status, Object.keys(body.data.params)], [400, ['strict_dates']], query)
  }
})

test('the default window is today and two years, each side on its own, and none with another date filter', async () => {
  const today = ['2026-11-20 00:00:00', '2028-11-20 23:59:59']
  const window = async (query: Record<string, string>) => {
    const { link } = await list(query)
    return [link.get('start_date'), link.get('end_date')]
  }
  assert.deepEqual(await window({}), today)
  assert.deepEqual(await window({ strict_dates: 'true' }), today)
  assert.deepEqual(await window({ start_date: '2027-01-01' }), ['2027-01-01 00:00:00', today[1]])
  assert.deepEqual(await window({ end_date: '2027-01-01' }), [today[0], '2027-01-01 23:59:59'])
  for (const name of ['starts_before', 'starts_after', 'ends_before', 'ends_after']) {
    assert.deepEqual(await window({ [name]: '2027-01-01' }), [null, null])
    assert.deepEqual(await window({ [name]: '2027-01-01', start_date: '2026-01-01' }), ['2026-01-01 00:00:00', null])
  }
  assert.deepEqual(await window({ include: '1', start_date: '2027-01-01', ends_after: '2027-01-01' }), [null, null])
})

test('an event that is hidden from listings is in no list, whoever asks and however', async () => {
  const questions: Record<string, string | number>[] = [
    {},
    WIDE,
    { include: `${shown.id},${hidden.id}` },
    { venue: hall.id },
    { organizer: club.id },
    { categories: 'music' },
    { tags: 'live' },
    { categories: 'music', tags: 'live,free-entry', venue: hall.id, organizer: club.id },
    { search: 'board -nothing', ...WIDE },
    { geoloc: 'true' },
    { geoloc_lat: 46.9, geoloc_lng: 7.4 },
    { ends_after: '2026-01-01' },
    { starts_after: '2026-01-01', per_page: 1 },
  ]
  for (const as of ['anonymous', 'author', 'administrator'] as const) {
    for (const query of questions) {
      const { titles, body, headers } = await list(query, as)
      const expected = 'search' in query ? [] : ['Shown']
      assert.deepEqual(titles, expected, JSON.stringify(query))
      assert.deepEqual([body.total, headers.get('x-tec-total')], [expected.length, String(expected.length)])
    }
    assert.deepEqual((await list({ post_parent: shown.id }, as)).titles, [])
    assert.equal((await app.call(as, 'GET', `/events/${hidden.id}`)).status, 200)
  }
})

test('an empty status asks writers for what is published and the private ones they may read', async () => {
  for (const [title, as, status] of [
    ['Private of the author', 'author', 'private'],
    ['Draft of the author', 'author', 'draft'],
    ['Private of the editor', 'editor', 'private'],
  ] as const) {
    const json = { title, status, start_date: '2027-04-01', end_date: '2027-04-02' }
    assert.equal((await app.call(as, 'POST', '/events', { json })).status, 201)
  }
  assert.deepEqual((await list({ status: '' }, 'editor')).titles, [
    'Shown',
    'Private of the author',
    'Private of the editor',
  ])
  assert.deepEqual((await list({ status: '' }, 'author')).titles, ['Shown', 'Private of the author'])
  assert.deepEqual((await list({ status: '' }, 'contributor')).titles, ['Shown'])
  for (const as of ['anonymous', 'subscriber'] as const) {
    for (const status of ['', 'any', 'draft', 'publish,draft', 'nothing'])
      assert.equal((await app.call(as, 'GET', '/events', { query: { status } })).status, 400, `${as} ${status}`)
  }
})

test('page and per_page take whole numbers of 1 or more in every way of writing them', async () => {
  for (const [sent, number] of [
    ['01', '1'],
    ['1.0', '1'],
    ['1e0', '1'],
    [' 1', '1'],
  ] as const)
    assert.equal((await list({ page: sent })).link.get('page'), number, sent)
  for (const [sent, number] of [
    ['2.0', '2'],
    ['1e1', '10'],
    ['010', '10'],
    ['51', '50'],
    ['100000', '50'],
  ] as const)
    assert.equal((await list({ per_page: sent })).link.get('per_page'), number, sent)
  for (const name of ['page', 'per_page']) {
    for (const sent of ['0', '-1', 'abc', '1.5', '', '10abc', '99999999999999999999'])
      assert.equal((await app.call('anonymous', 'GET', '/events', { query: { [name]: sent } })).status, 400, sent)
  }
})

test('terms are named by id, slug or name, and everything unknown is refused', async () => {
  const music = (await app.call('anonymous', 'GET', '/categories')).body.categories[0]
  for (const categories of ['music', 'Music', 'MUSIC', ` ${music.id} , ,`, `${music.id},music`])
    assert.deepEqual((await list({ categories })).titles, ['Shown'], categories)
  assert.deepEqual((await list({ tags: 'Free entry' })).titles, ['Shown'])
  for (const categories of ['', ',', '0', '999', 'live', `${music.id},999`])
    assert.equal((await app.call('anonymous', 'GET', '/events', { query: { categories } })).status, 400, categories)
  for (const venue of ['', '0', 'hall', `${club.id}`, `${hall.id},999`])
    assert.equal((await app.call('anonymous', 'GET', '/events', { query: { venue } })).status, 400, venue)
})

test('a search takes 256 characters, whatever their size', async () => {
  assert.deepEqual((await list({ search: '😀'.repeat(256) })).titles, [])
  for (const search of ['😀'.repeat(257), 'x'.repeat(257), ''])
    assert.equal((await app.call('anonymous', 'GET', '/events', { query: { search } })).status, 400)
})

test('a search compares and orders the dates of all years', async () => {
  const starts = [
    '1000-01-01 00:00:00',
    '1582-10-10 12:00:00',
    '1969-12-31 23:59:59',
    '1970-01-01 00:00:00',
    '2038-01-19 03:14:08',
    '9999-12-31 10:00:00',
  ]
  // The last moment of all: an hour later in New York is the year 10000 in UTC.
  const endOf = (start: string): string =>
    start.startsWith('9999') ? '9999-12-31 18:59:59' : `${start.slice(0, 10)} 23:59:59`
  for (const start_date of starts.toReversed())
    await make(app, { title: `Aeon ${start_date}`, start_date, end_date: endOf(start_date) })
  const found = async (query: Record<string, string>): Promise<string[]> => {
    const { titles, body } = await list({ search: 'aeon', strict_dates: 'yes', per_page: 3, ...query })
    const rest =
      body.total > 3 ? (await list({ search: 'aeon', strict_dates: 'yes', per_page: 3, page: 2, ...query })).titles : []
    assert.equal(body.total, titles.length + rest.length)
    return [...titles, ...rest].map((title) => title.slice('Aeon '.length))
  }
  assert.deepEqual(await found({ start_date: '1000-01-01', end_date: '9999-12-31 23:59:59' }), starts)
  for (const [index, start] of starts.entries()) {
    const end = endOf(start)
    assert.deepEqual(await found({ start_date: start, end_date: '9999-12-31 23:59:59' }), starts.slice(index), start)
    assert.deepEqual(await found({ starts_after: start }), starts.slice(index + 1), start)
    assert.deepEqual(await found({ starts_before: start }), starts.slice(0, index), start)
    assert.deepEqual(await found({ ends_after: end }), starts.slice(index + 1), start)
  }
})

test('what nobody knows is ignored, an order among it', async () => {
  const { titles } = await list({ foo: '1', order: 'desc', orderby: 'title', context: 'edit', fields: 'id' })
  assert.deepEqual(titles, ['Shown'])
})

test('a search ends where its window does, to the second, and tells what starts at once by when it was published', async () => {
  const when = { start_date: '2028-05-01 10:00:00', end_date: '2028-05-01 12:00:00' }
  for (const [title, date] of [
    ['Equinox third', '2026-03-03 10:00:00'],
    ['Equinox first', '2026-01-01 10:00:00'],
    ['Equinox second', '2026-02-02 10:00:00'],
  ])
    await make(app, { title, date, ...when })
  const found = async (query: Record<string, string>): Promise<string[]> =>
    (await list({ search: 'equinox', strict_dates: 'yes', start_date: '2028-05-01', ...query })).titles
  const all = ['Equinox first', 'Equinox second', 'Equinox third']
  assert.deepEqual(await found({ end_date: '2028-05-01 12:00:00' }), all)
  assert.deepEqual(await found({ end_date: '2028-05-01 11:59:59' }), [])
  assert.deepEqual(await found({ ends_before: '2028-05-01 12:00:01' }), all)
  assert.deepEqual(await found({ ends_before: '2028-05-01 12:00:00' }), [])
  assert.deepEqual(await found({ start_date: '2028-05-01 10:00:00', end_date: '2028-05-02' }), all)
  assert.deepEqual(await found({ start_date: '2028-05-01 10:00:01', end_date: '2028-05-02' }), [])
})
