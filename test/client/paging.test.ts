import assert from 'node:assert/strict'
import test from 'node:test'
import { kalends } from '../../clients/typescript/src/index.ts'
import { type FakeAnswer, fakeSite, type SentRequest } from '../support/fake-site.ts'

const BASE = 'https://calendar.example/wp-json/tribe/events/v1'

function listing(answer: (request: SentRequest, index: number) => FakeAnswer) {
  const { fetch, sent } = fakeSite(['tribe/events/v1'], answer)
  return { c: kalends('https://calendar.example', { fetch }), sent }
}

/** Lists of a site of The Events Calendar with items of the given IDs, as its versions write them. */
function pagesOf(kind: string, ids: readonly number[], { total }: { readonly total: number | string }) {
  return ({ url }: SentRequest): FakeAnswer => {
    const size = Math.min(Number(url.searchParams.get('per_page') ?? 10), 50)
    const page = Number(url.searchParams.get('page') ?? 1)
    const items = ids.slice((page - 1) * size, page * size).map((id) => ({ id }))
    if (items.length === 0 && page > 1) {
      const body = {
        code: 'event-archive-page-not-found',
        message: 'The requested page was not found',
        data: { status: 404 },
      }
      return kind === 'events' ? { status: 404, body } : { body: { [kind]: [], total } }
    }
    const next =
      page * size < ids.length && `${BASE}/${kind}/?page=${page + 1}${kind === 'events' ? `&per_page=${size}` : ''}`
    return { body: { [kind]: items, rest_url: `${BASE}/${kind}/`, total, ...(next && { next_rest_url: next }) } }
  }
}

const NUMBERS = Array.from({ length: 120 }, (_none, index) => index + 1)

test('a list is read to its last page, whose total may be text', async () => {
  for (const total of [120, '120']) {
    const { c, sent } = listing(pagesOf('events', NUMBERS, { total }))
    const found = await c.events.list({ search: 'jazz' }).toArray()
    assert.deepEqual(
      found.map((one) => one.id),
      NUMBERS,
    )
    assert.deepEqual(
      sent.map(({ url }) => url.href),
      ['per_page=50&search=jazz', 'per_page=50&search=jazz&page=2', 'per_page=50&search=jazz&page=3'].map(
        (query) => `${BASE}/events?${query}`,
      ),
    )
    assert.equal(await c.events.list().total(), 120)
    assert.equal((await c.events.list().first())?.id, 1)
    assert.equal((await c.events.list().toArray(60)).length, 60)
    assert.deepEqual(await c.events.list().toArray(0), [])
  }
})

test('links to the next page that forget parameters do not change the size of pages', async () => {
  const { c } = listing(pagesOf('categories', NUMBERS, { total: 120 }))
  const sizes = []
  for await (const { items, total } of c.categories.list().pages()) sizes.push([items.length, total])
  assert.deepEqual(sizes, [
    [50, 120],
    [50, 120],
    [20, 120],
  ])
})

test('an empty calendar has neither items nor pages', async () => {
  for (const answer of [
    { body: { events: [], total: 0, total_pages: 0 } },
    { body: { events: [], total: '0', next_rest_url: `${BASE}/events?page=2` } },
    { body: {} },
    { status: 404, body: { code: 'event-archive-page-not-found', data: { status: 404 } } },
  ]) {
    const { c, sent } = listing(() => answer)
    assert.deepEqual(await c.events.list().toArray(), [])
    assert.equal(await c.events.list().total(), 0)
    assert.equal(await c.events.list().first(), undefined)
    assert.equal(sent.length, 3)
  }
})

test('a list whose last page has vanished ends', async () => {
  const { c } = listing(({ url }, index) => {
    const shrunk = index === 0 ? NUMBERS.slice(0, 60) : NUMBERS.slice(0, 50)
    return pagesOf('events', shrunk, { total: shrunk.length })({ url } as SentRequest)
  })
  assert.equal((await c.events.list().toArray()).length, 50)
})

test('a site that repeats a page is noticed, and dates of a series with one ID are not repetitions', async () => {
  const repeating = listing(() => ({
    body: { events: [{ id: 1 }, { id: 2 }], next_rest_url: `${BASE}/events?page=2` },
  }))
  await assert.rejects(repeating.c.events.list().toArray(), { code: 'paging_loop' })
  assert.equal(repeating.sent.length, 2)
  const series = listing((_request, index) => ({
    body: {
      events: [{ id: 1, start_date: `2031-01-0${index + 1} 10:00:00` }],
      ...(index < 4 && { next_rest_url: `${BASE}/events?page=${index + 2}` }),
    },
  }))
  assert.equal((await series.c.events.list().toArray()).length, 5)
})

test('a last page without new items is not a repetition', async () => {
  const moved = listing((_request, index) => ({
    body:
      index === 0
        ? { events: [{ id: 1 }, { id: 2 }], next_rest_url: `${BASE}/events?page=2` }
        : { events: [{ id: 2 }] },
  }))
  assert.deepEqual(
    (await moved.c.events.list().toArray()).map(({ id }) => id),
    [1, 2],
  )
})

test('a link to another host or path is not left for', async () => {
  for (const next of [
    'http://calendar.example/wp-json/tribe/events/v1/events?page=2',
    'https://evil.example/x?page=2',
    '/other?page=2',
  ]) {
    const { c, sent } = listing((_request, index) => ({
      body: { events: index === 0 ? [{ id: 1 }] : [], next_rest_url: next },
    }))
    assert.equal((await c.events.list().toArray()).length, 1)
    assert.deepEqual(
      sent.map(({ url }) => url.href),
      [`${BASE}/events?per_page=50`, `${BASE}/events?per_page=50&page=2`],
    )
  }
})
