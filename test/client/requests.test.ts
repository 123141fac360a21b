import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { inspect } from 'node:util'
import { KalendsError, kalends, type Options, Unsupported } from '../../clients/typescript/src/index.ts'
import { recordWaits } from '../support/client-waits.ts'
import { type FakeAnswer, fakeSite, type SentRequest } from '../support/fake-site.ts'

const KALENDS = ['cal/events/v1', 'tribe/events/v1', 'kalends/v1']
const BUSY = { status: 503, body: { code: 'rest_too_busy', message: 'Busy' } }
const CUT = new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })

function clientOf(answer: (request: SentRequest, index: number) => FakeAnswer, options: Options = {}) {
  const site = fakeSite(KALENDS, answer)
  return { sent: site.sent, c: kalends('https://calendar.example', { ...site, ...options }) }
}

/** The lengths of all waits, of which chance makes none shorter or longer. */
function evenWaits(t: TestContext): number[] {
  t.mock.method(Math, 'random', () => 0.5)
  return recordWaits(t)
}

test('a write that got no answer is sent again with the same key, and waits longer each time', async (t) => {
  const waits = evenWaits(t)
  const { c, sent } = clientOf((_request, index) =>
    index < 3 ? [CUT, BUSY, { status: 429 }][index]! : { body: { id: 7 } },
  )
  assert.equal((await c.events.create({ title: 'Talk', start_date: '2031-01-01', end_date: '2031-01-01' })).id, 7)
  assert.deepEqual(waits, [250, 500, 1000])
  assert.equal(new Set(sent.map((one) => one.headers.get('idempotency-key'))).size, 1)
  assert.equal(new Set(sent.map((one) => one.body)).size, 1)
  await c.events.create({ title: 'Other', start_date: '2031-01-01', end_date: '2031-01-01' })
  assert.equal(new Set(sent.map((one) => one.headers.get('idempotency-key'))).size, 2)
})

test('a request is repeated as often as wanted, and then its error is thrown', async (t) => {
  evenWaits(t)
  const failing = clientOf(() => CUT)
  await assert.rejects(failing.c.events.get(1), { name: 'KalendsError', code: 'network', status: 0 })
  assert.equal(failing.sent.length, 5)
  const once = clientOf(() => BUSY, { retries: 0 })
  await assert.rejects(once.c.events.get(1), { code: 'rest_too_busy', status: 503 })
  assert.equal(once.sent.length, 1)
})

test('Retry-After is honoured up to a minute, in seconds or as a date, and named in the error beyond', async (t) => {
  const waits = evenWaits(t)
  const later = clientOf((_request, index) =>
    index === 0 ? { ...BUSY, headers: { 'Retry-After': '59' } } : { body: { id: 1 } },
  )
  await later.c.events.get(1)
  assert.deepEqual(waits, [59_000])
  const date = clientOf((_request, index) =>
    index === 0
      ? { ...BUSY, headers: { 'Retry-After': new Date(Date.now() + 20_000).toUTCString() } }
      : { body: { id: 1 } },
  )
  await date.c.events.get(1)
  assert.ok(waits[1]! > 15_000 && waits[1]! <= 20_000, String(waits[1]))
  const tooLong = clientOf(() => ({ ...BUSY, headers: { 'Retry-After': '61' } }))
  await assert.rejects(tooLong.c.events.get(1), { code: 'rest_too_busy', retryAfter: 61 })
  assert.equal(tooLong.sent.length, 1)
})

test('a key in use is waited for, and no other 4xx or 500 is repeated', async (t) => {
  evenWaits(t)
  const busy = clientOf((_request, index) =>
    index === 0 ? { status: 409, body: { code: 'idempotency_in_progress' } } : { body: { id: 1 } },
  )
  await busy.c.venues.create({ venue: 'Hall' })
  assert.equal(busy.sent.length, 2)
  for (const status of [400, 401, 403, 404, 408, 409, 410, 412, 422, 500]) {
    const { c, sent } = clientOf(() => ({
      status,
      body: { code: 'some_code', message: 'No', data: { params: { title: 'bad' } } },
    }))
    await assert.rejects(c.venues.create({ venue: 'Hall' }), { status, code: 'some_code', params: { title: 'bad' } })
    assert.equal(sent.length, 1, String(status))
  }
})

test('an answer that takes too long counts as a timeout', async () => {
  const slow = fakeSite(KALENDS, () => ({}))
  const c = kalends('https://calendar.example', {
    timeout: 20,
    retries: 1,
    fetch: async (input, init) => {
      if (!String(input).includes('/events/')) return slow.fetch(input, init)
      return new Promise((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      )
    },
  })
  const waiting = setInterval(() => undefined, 50)
  await assert.rejects(c.events.get(1), { code: 'timeout' })
  clearInterval(waiting)
})

test('errors show neither credentials nor the message of the runtime', async (t) => {
  evenWaits(t)
  const site = fakeSite(KALENDS, (request) => new Error(`invalid header ${request.headers.get('authorization')}`))
  for (const [base, options] of [
    ['https://ann:secret-word@calendar.example', {}],
    ['https://calendar.example', { token: 'kal_secret-word' }],
    ['https://calendar.example', { login: ['ann', 'secret-word'] as const }],
  ] as const) {
    const error = await kalends(base, { ...site, ...options })
      .events.get(1)
      .then(String, (thrown: unknown) => thrown)
    assert.ok(error instanceof KalendsError)
    for (const text of [String(error), error.stack ?? '', JSON.stringify(error), String(error.cause)]) {
      assert.ok(!text.includes('secret-word') && !text.includes(btoa('ann:secret-word')), text)
    }
  }
  assert.deepEqual(
    [...new Set(site.sent.map((one) => one.headers.get('authorization')))],
    [`Basic ${btoa('ann:secret-word')}`, 'Bearer kal_secret-word'],
  )
  assert.throws(
    () => kalends('https://calendar.example', { token: 'kal_secret\n' }),
    (error) => !String(error).includes('secret'),
  )
})

test('a response is revalidated, and 304 returns a copy of it', async () => {
  const { c, sent } = clientOf((request) =>
    request.headers.get('if-none-match') === '"one"'
      ? { status: 304 }
      : { body: { id: 1, title: 'Talk' }, headers: { ETag: '"one"' } },
  )
  const first = await c.events.get(1)
  const second = await c.events.get(1)
  assert.deepEqual(second, first)
  assert.notEqual(second, first)
  first.title = 'mine'
  assert.equal((await c.events.get(1)).title, 'Talk')
  assert.equal(sent.length, 3)
})

test('a list that is revalidated has the cursor of the revalidation', async () => {
  const { c } = clientOf((_request, index) => ({
    status: index === 0 ? 200 : 304,
    body: { venues: [{ id: 1 }], total: 1 },
    headers: { ETag: '"one"', 'X-Kalends-Cursor': `c${index}` },
  }))
  const cursors = []
  for (let index = 0; index < 2; index += 1)
    for await (const { items, cursor } of c.venues.list().pages()) cursors.push(items.length, cursor)
  assert.deepEqual(cursors, [1, 'c0', 1, 'c1'])
})

test('a response that is no JSON is asked for again, and does not stay in the cache', async (t) => {
  evenWaits(t)
  const site = fakeSite(KALENDS, () => ({ body: { id: 1 } }))
  let isBroken = true
  const c = kalends('https://calendar.example', {
    retries: 0,
    fetch: async (input, init) => {
      if (!String(input).includes('/events/')) return site.fetch(input, init)
      const isKnown = new Headers(init?.headers).has('if-none-match')
      if (isKnown) return new Response(null, { status: 304 })
      return new Response(isBroken ? '{"id": ' : '{"id": 1}', { headers: { ETag: '"one"' } })
    },
  })
  await assert.rejects(c.events.get(1), { code: 'network', message: /no valid JSON/ })
  isBroken = false
  assert.equal((await c.events.get(1)).id, 1)
})

test('an error of a proxy names the address without its parameters', async () => {
  const site = fakeSite(KALENDS, () => ({}))
  const c = kalends('https://calendar.example', {
    fetch: async (input, init) => {
      if (!String(input).includes('/events/')) return site.fetch(input, init)
      return Object.defineProperty(new Response('<h1>Not found</h1>', { status: 404 }), 'url', { value: String(input) })
    },
  })
  await assert.rejects(c.events.get(1, { password: 'secret-word' }), {
    code: 'network',
    status: 404,
    message: 'https://calendar.example/wp-json/cal/events/v1/events/1 responded with status 404.',
  })
})

test('a cache has 500 responses, and clients that share it do not share what they may see', async () => {
  const cache = new Map()
  const answer = (request: SentRequest) => ({ body: { id: 1 }, headers: { ETag: `"${request.url.pathname}"` } })
  const one = clientOf(answer, { cache, token: 'kal_one' })
  const other = clientOf(answer, { cache, token: 'kal_other' })
  await one.c.events.get(1)
  await other.c.events.get(1)
  assert.equal(other.sent.at(-1)?.headers.get('if-none-match'), null)
  for (let id = 1; id <= 510; id += 1) await one.c.events.get(id)
  assert.equal(cache.size, 500)
  const without = clientOf(answer, { cache: false })
  await without.c.events.get(1)
  await without.c.events.get(1)
  assert.equal(without.sent.at(-1)?.headers.get('if-none-match'), null)
})

test('the tag of an object that was read goes with its changes, unless it is turned off', async () => {
  const { c, sent } = clientOf((request) => ({
    body: { id: 1, title: 'Talk' },
    headers: { ETag: `"${request.method}"` },
  }))
  const tags = () => sent.splice(0).map((one) => [one.method, one.headers.get('if-match')])
  const read = await c.events.get(1)
  const changed = await c.events.update(read, { cost: '5' })
  await c.events.update(changed, { cost: '6' }, { ifMatch: false })
  await c.events.update(changed, { cost: '6' }, { ifMatch: '"mine"' })
  await c.events.remove(changed)
  await c.events.update(1, { cost: '7' })
  assert.deepEqual(tags(), [
    ['GET', null],
    ['PATCH', '"GET"'],
    ['PATCH', null],
    ['PATCH', '"mine"'],
    ['DELETE', '"PATCH"'],
    ['PATCH', null],
  ])
  await c.events.update({ id: 1, title: 'Talk' } as never, { cost: '8' })
  assert.deepEqual(tags(), [
    ['GET', null],
    ['PATCH', '"GET"'],
  ])
  await assert.rejects(c.events.update({ id: 1, title: 'Old' } as never, { cost: '8' }), {
    name: 'Conflict',
    status: 412,
  })
  assert.deepEqual(tags(), [['GET', null]])
})

test('a tag that a proxy has made weak is sent as the server made it', async () => {
  const { c, sent } = clientOf(({ url }) =>
    url.pathname.endsWith('/batch')
      ? { body: { responses: [{ status: 200, headers: { etag: 'W/"made"' }, body: { id: 2 } }] } }
      : { body: { id: 1 }, headers: { ETag: 'W/"read"' } },
  )
  const read = await c.venues.get(1)
  const made = await c.batch((b) => b.venues.create({ venue: 'Hall' }))
  sent.length = 0
  await c.venues.update(read, { city: 'Graz' })
  await c.venues.update(made, { city: 'Graz' })
  assert.deepEqual(
    sent.map((one) => one.headers.get('if-match')),
    ['"read"', '"made"'],
  )
})

test('what is no address of a site is refused at once, without being quoted', () => {
  for (const base of [
    'localhost:3000',
    'calendar.example',
    'ftp://calendar.example',
    'https://ann:secret/word@x',
    '',
  ]) {
    assert.throws(
      () => kalends(base),
      (error) => error instanceof TypeError && /base must be/.test(error.message) && !inspect(error).includes('secret'),
      base,
    )
  }
})

test('on a TEC site everything but reading is refused before it is sent', async () => {
  const { fetch, sent } = fakeSite(['tribe/events/v1', 'wp/v2'], () => ({ body: { id: 1 } }))
  const c = kalends('https://calendar.example', { fetch })
  assert.equal((await c.site()).kind, 'tec')
  const follow = async () => {
    for await (const _change of c.changes()) return
  }
  for (const attempt of [
    () => c.events.create({ title: 'Talk', start_date: '2031-01-01', end_date: '2031-01-01' }),
    () => c.events.update({ id: 1 }, {}),
    () => c.events.remove(1),
    () => c.events.restore(1),
    () => c.tags.create({ name: 'Jazz' }),
    () => c.media.upload(new Blob(['x'])),
    () => c.batch((b) => b.venues.create({ venue: 'Hall' })),
    follow,
  ]) {
    await assert.rejects(attempt(), Unsupported)
  }
  assert.deepEqual(sent, [])
})

test('a batch of more than a hundred writes is refused before it is sent', async () => {
  const { c, sent } = clientOf(() => ({}))
  const crowd = c.batch((b) => Array.from({ length: 101 }, (_none, index) => b.tags.create({ name: `Tag ${index}` })))
  await assert.rejects(crowd, { code: 'batch_too_much', status: 0 })
  assert.deepEqual(await c.batch(() => []), [])
  assert.deepEqual(sent, [])
})

test('later writes of a batch refer to earlier ones, by member or as the item to change', async () => {
  const { c, sent } = clientOf(() => ({
    body: {
      responses: [
        { status: 201, headers: { etag: '"hall"' }, body: { id: 5 } },
        { status: 201, headers: {}, body: { id: 6 } },
        { status: 200, headers: {}, body: { id: 6, cost: '5' } },
      ],
    },
  }))
  const result = await c.batch((b) => {
    const hall = b.venues.create({ venue: 'Hall' })
    const talk = b.events.create({ title: 'Talk', start_date: '2031-01-01', end_date: '2031-01-01', venue: hall.id })
    return { hall, changed: [b.events.update(talk, { cost: '5' })] }
  })
  assert.deepEqual(result, { hall: { id: 5 }, changed: [{ id: 6, cost: '5' }] })
  assert.deepEqual(JSON.parse(sent[0]?.body ?? ''), {
    requests: [
      { id: 'r0', method: 'POST', path: '/venues', body: { venue: 'Hall' } },
      {
        id: 'r1',
        method: 'POST',
        path: '/events',
        body: { title: 'Talk', start_date: '2031-01-01', end_date: '2031-01-01', venue: '$ref:r0.id' },
      },
      { id: 'r2', method: 'PATCH', path: '/events/$ref:r1.id', headers: {}, body: { cost: '5' } },
    ],
  })
  assert.ok(sent[0]?.headers.get('idempotency-key'))
  await c.venues.update(result.hall, { city: 'Graz' }).catch(() => undefined)
  assert.equal(sent[1]?.headers.get('if-match'), '"hall"')
})
