import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import type { Role } from '../src/http/auth/rights.ts'
import { type Answer, openTestApp, type Sending, type TestApp } from './support/app.ts'

const EVENT = {
  title: 'Concert',
  start_date: '2027-04-17 09:30:00',
  end_date: '2027-04-17 11:00:00',
  status: 'publish',
}

// biome-ignore lint/complexity/useMaxParams: where, who, content, headers: a request
function batch(app: TestApp, as: Role | 'anonymous', json: object, sending: Sending = {}): Promise<Answer> {
  return app.call(as, 'POST', `${app.origin}/kalends/v1/batch`, { ...sending, json })
}

async function total(app: TestApp, path: string): Promise<number> {
  return (await app.call('administrator', 'GET', path)).body.total
}

test('a batch makes its requests in order, and later ones refer to earlier responses', async (t) => {
  const app = await openTestApp(t)
  const { status, body } = await batch(app, 'editor', {
    requests: [
      { id: 'hall', method: 'POST', path: '/venues', body: { venue: 'Hall' } },
      { id: 'band', method: 'POST', path: '/organizers', body: { organizer: 'Band' } },
      { id: 'music', method: 'POST', path: '/categories', body: { name: 'Music' } },
      { id: 'jazz', method: 'POST', path: '/categories', body: { name: 'Jazz', parent: '$ref:music.id' } },
      { id: 'loud', method: 'POST', path: '/tags', body: { name: 'Loud' } },
      {
        id: 'concert',
        method: 'POST',
        path: '/cal/events/v1/events',
        body: {
          ...EVENT,
          venue: '$ref:hall.id',
          organizer: ['$ref:band.id'],
          categories: ['$ref:jazz.id'],
          tags: ['$ref:loud.slug'],
          description: 'It costs $ref:none.at all.',
        },
      },
      { method: 'PATCH', path: '/events/$ref:concert.id', body: { title: 'Great concert' } },
      { method: 'GET', path: '/wp-json/cal/events/v1/events/$ref:concert.id?_fields=title,venue.venue' },
      { method: 'DELETE', path: '/tags/$ref:loud.id' },
    ],
  })
  assert.equal(status, 200, JSON.stringify(body))
  const { responses } = body
  assert.deepEqual(
    responses.map((one: { status: number }) => one.status),
    [201, 201, 201, 201, 201, 201, 200, 200, 200],
  )
  const concert = responses[5]
  assert.equal(concert.id, 'concert')
  assert.equal(concert.headers.location, `${app.origin}/cal/events/v1/events/${concert.body.id}`)
  assert.deepEqual(responses[7].body, { title: 'Great concert', venue: { venue: 'Hall' } })
  const read = await app.call('anonymous', 'GET', `/events/${concert.body.id}`)
  assert.deepEqual(
    [read.body.title, read.body.venue.venue, read.body.categories[0].name, read.body.tags],
    ['Great concert', 'Hall', 'Jazz', []],
  )
  assert.equal((await app.call('anonymous', 'GET', '/events', { query: { search: 'concert' } })).body.total, 1)
})

test('a path is any address of an item, as responses have it, in every language', async (t) => {
  const app = await openTestApp(t)
  const made = await app.call('editor', 'POST', `${app.origin}/de/wp-json/cal/events/v1/tags`, {
    json: { name: 'Loud' },
  })
  const self = made.body.urls.self
  assert.equal(self, `${app.origin}/de/wp-json/cal/events/v1/tags/${made.body.id}`)
  const { body } = await app.call('editor', 'POST', `${app.origin}/de/kalends/v1/batch`, {
    json: {
      requests: [
        { method: 'PATCH', path: self, body: { description: 'Over 85 dB' } },
        {
          id: 'talk',
          method: 'POST',
          path: '/fr/tribe/events/v1/events',
          body: { ...EVENT, venue: { venue: 'Hall' } },
        },
        { id: 'hall', method: 'GET', path: '/venues/$ref:talk.venue.id' },
      ],
    },
  })
  assert.deepEqual(
    body.responses?.map((one: { status: number }) => one.status),
    [200, 201, 200],
    JSON.stringify(body),
  )
  assert.equal(body.responses[2].body.venue, 'Hall')
})

test('a reference inside a path names a text or a number, never the list of items', async (t) => {
  const app = await openTestApp(t)
  const talk = { id: 'talk', method: 'POST', path: '/events', body: { ...EVENT, venue: { venue: 'Hall' } } }
  const made = await batch(app, 'editor', {
    requests: [talk, { method: 'POST', path: '/events/$ref:talk.venue', body: EVENT }],
  })
  assert.deepEqual([made.status, made.body.data.failed.body.code], [400, 'batch_unknown_reference'])
  assert.equal(await total(app, '/events'), 0)
})

test('all or nothing: the request that fails is named, and nothing is stored or journalled', async (t) => {
  const app = await openTestApp(t)
  const before = (await app.call('anonymous', 'GET', `${app.origin}/kalends/v1/changes`)).body.cursor
  const { status, body } = await batch(app, 'editor', {
    requests: [
      { method: 'POST', path: '/venues', body: { venue: 'Hall' } },
      { id: 'bad', method: 'POST', path: '/events', body: { ...EVENT, start_date: 'never' } },
      { method: 'POST', path: '/venues', body: { venue: 'Shed' } },
    ],
  })
  assert.equal(status, 400)
  assert.equal(body.code, 'batch_failed')
  assert.deepEqual([body.data.failed.index, body.data.failed.id, body.data.failed.status], [1, 'bad', 400])
  assert.equal(body.data.failed.body.code, 'rest_invalid_param')
  assert.match(body.message, /bad/)
  assert.equal(await total(app, '/venues'), 0)
  assert.equal((await app.call('anonymous', 'GET', `${app.origin}/kalends/v1/changes`)).body.cursor, before)
})

test('without atomic each request stands for itself', async (t) => {
  const app = await openTestApp(t)
  const { status, body } = await batch(app, 'editor', {
    atomic: false,
    requests: [
      { id: 'a', method: 'POST', path: '/venues', body: { venue: 'Hall' } },
      { id: 'b', method: 'DELETE', path: '/events/99' },
      { method: 'POST', path: '/events', body: { ...EVENT, venue: '$ref:b.id' } },
      { method: 'POST', path: '/events', body: { ...EVENT, venue: '$ref:a.id' } },
    ],
  })
  assert.equal(status, 200)
  assert.deepEqual(
    body.responses.map((one: { status: number; body: { code?: string } }) => [one.status, one.body.code]),
    [
      [201, undefined],
      [404, 'rest-event-not-found'],
      [400, 'batch_unknown_reference'],
      [201, undefined],
    ],
  )
  assert.deepEqual([await total(app, '/venues'), await total(app, '/events')], [1, 1])
})

test('each request has the rights of the caller and its own If-Match', async (t) => {
  const app = await openTestApp(t)
  const event = (await app.call('editor', 'POST', '/events', { json: EVENT })).body
  const change = (headers: object) => ({ method: 'POST', path: `/events/${event.id}`, body: { title: 'New' }, headers })
  const denied = await batch(app, 'author', { requests: [change({})] })
  assert.deepEqual(
    [denied.status, denied.body.data.failed.status, denied.body.data.failed.body.code],
    [400, 403, 'rest_forbidden'],
  )
  assert.equal((await batch(app, 'anonymous', { requests: [change({})] })).status, 401)
  const stale = await batch(app, 'editor', { requests: [change({ 'If-Match': '"other"' })] })
  assert.deepEqual([stale.body.data.failed.status, stale.body.data.failed.body.code], [412, 'precondition_failed'])
  const { headers } = await app.call('editor', 'GET', `/events/${event.id}`)
  const done = await batch(app, 'editor', { requests: [change({ 'If-Match': headers.get('etag') })] })
  assert.equal(done.status, 200)
  const now = await app.call('editor', 'GET', `/events/${event.id}`)
  assert.equal(done.body.responses[0].headers.etag, now.headers.get('etag'))
})

test('what means nothing in a request of a batch is named, and refused where it is strict', async (t) => {
  const app = await openTestApp(t)
  const tag = (name: string, more: object = {}, query = '') => ({
    method: 'POST',
    path: `/tags${query}`,
    body: { name, ...more },
  })
  for (const atomic of [true, false]) {
    const told = await batch(app, 'editor', {
      atomic,
      requests: [tag(`Told ${atomic}`, { colour: 'red' }, '?shade=2'), tag(`Plain ${atomic}`)],
    })
    assert.equal(told.status, 200, JSON.stringify(told.body))
    const [first, second] = told.body.responses
    assert.deepEqual([first.status, first.headers['x-kalends-ignored']], [201, 'colour, shade'])
    assert.deepEqual([second.status, second.headers['x-kalends-ignored']], [201, undefined])
    for (const [batchIs, requests] of [
      [{ strict: true }, [tag('No', { colour: 1 })]],
      [{}, [tag('No', { colour: 1, strict: '1' })]],
      [{}, [tag('No', { colour: 1 }, '?strict=1')]],
    ] as const) {
      const { body } = await batch(app, 'editor', { atomic, ...batchIs, requests })
      const refused = atomic ? body.data.failed : body.responses[0]
      assert.deepEqual([refused.status, refused.body.code], [400, 'rest_invalid_param'])
      assert.deepEqual(Object.keys(refused.body.data.params), ['colour'])
    }
  }
  assert.equal(await total(app, '/tags?hide_empty=false'), 4)
})

test('a repeated Idempotency-Key repeats the responses and makes nothing twice', async (t) => {
  const app = await openTestApp(t)
  for (const atomic of [true, false]) {
    const json = { atomic, requests: [{ method: 'POST', path: '/tags', body: { name: `Calm ${atomic}` } }] }
    const sending = { headers: { 'idempotency-key': `key-${atomic}` } }
    const first = await batch(app, 'editor', json, sending)
    const second = await batch(app, 'editor', json, sending)
    assert.equal(first.status, 200)
    assert.deepEqual(second.body, first.body)
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
    const other = await batch(app, 'editor', { requests: [{ method: 'DELETE', path: '/tags/1' }] }, sending)
    assert.equal(other.status, 422)
  }
  assert.equal((await app.call('editor', 'GET', '/tags', { query: { hide_empty: 0 } })).body.total, 2)
})

test('series, passwords and long texts are part of a batch; files, lists and other namespaces are not', async (t) => {
  const app = await openTestApp(t)
  const long = `<p>${'word '.repeat(30_000)}</p>`
  const { status, body } = await batch(app, 'editor', {
    requests: [
      { id: 'yoga', method: 'POST', path: '/events', body: { ...EVENT, recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] } },
      { method: 'POST', path: '/events', body: { ...EVENT, password: 'sesame' } },
      { id: 'long', method: 'POST', path: '/events', body: { ...EVENT, description: long } },
      { method: 'POST', path: '/events/$ref:long.id', body: { title: 'Longer' } },
    ],
  })
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500))
  assert.equal(
    (await app.call('anonymous', 'GET', '/events', { query: { series: body.responses[0].body.id } })).body.total,
    5,
  )
  const locked = `/events/${body.responses[1].body.id}`
  assert.equal((await app.call('anonymous', 'GET', locked)).status, 403)
  assert.equal((await app.call('anonymous', 'GET', locked, { query: { password: 'sesame' } })).status, 200)
  const image = 'http://192.0.2.1/a.png'
  for (const [request, code] of [
    [{ method: 'POST', path: '/events', body: { ...EVENT, image } }, 'batch_without_media'],
    [{ method: 'GET', path: '/events?search=all' }, 'batch_unsuitable_request'],
    [{ method: 'POST', path: '/nowhere' }, 'rest_no_route'],
    [{ method: 'DELETE', path: '/events/$ref:x.id' }, 'batch_unknown_reference'],
  ] as const) {
    const refused = await batch(app, 'editor', { requests: [request] })
    assert.equal(refused.body.data.failed?.body.code, code, JSON.stringify(refused.body))
  }
})

test('passwords of a batch are stretched before its transaction, in which everybody waits', async (t) => {
  const app = await openTestApp(t)
  const within = t.mock.method(crypto, 'scryptSync')
  syncBuiltinESMExports()
  t.after(() => {
    within.mock.restore()
    syncBuiltinESMExports()
  })
  const { status, body } = await batch(app, 'author', {
    requests: [
      { id: 'first', method: 'POST', path: '/events', body: { ...EVENT, password: 'sesame' } },
      { id: 'second', method: 'POST', path: '/events', body: { ...EVENT, password: 'Spe\u0301lling' } },
      { method: 'PUT', path: '/events/$ref:second.id', body: { password: 'sesame' } },
      { method: 'GET', path: '/events/$ref:first.id?password=sesame' },
    ],
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(within.mock.callCount(), 0)
  for (const index of [0, 1]) {
    const locked = `/events/${body.responses[index].body.id}`
    assert.equal((await app.call('anonymous', 'GET', locked)).status, 403)
    assert.equal((await app.call('anonymous', 'GET', locked, { query: { password: 'sesame' } })).status, 200)
  }
  // Only an earlier response tells this one.
  const told = await batch(app, 'author', {
    requests: [
      { id: 'open', method: 'POST', path: '/tags', body: { name: 'Open' } },
      { method: 'PUT', path: `/events/${body.responses[0].body.id}`, body: { password: '$ref:open.slug' } },
    ],
  })
  assert.equal(told.status, 200, JSON.stringify(told.body))
  assert.equal(within.mock.callCount(), 1)
  const opened = await app.call('anonymous', 'GET', `/events/${body.responses[0].body.id}`, {
    query: { password: 'open' },
  })
  assert.equal(opened.status, 200)
})

test('a batch is bounded, and counts as as many writes', async (t) => {
  const app = await openTestApp(t)
  const requests = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ method: 'POST', path: '/tags', body: { name: `Tag ${at}` } }))
  for (const wrong of [
    [],
    requests(101),
    [{ method: 'POST' }],
    [{ id: 'a b', method: 'GET', path: '/events/1' }],
    'all',
  ]) {
    const refused = await batch(app, 'author', { requests: wrong })
    assert.deepEqual([refused.status, refused.body.code], [400, 'rest_invalid_param'])
  }
  const limited = await openTestApp(t, { limitWrites: '50/60' })
  const late = await batch(limited, 'administrator', { requests: requests(60) })
  assert.equal(late.status, 429)
  assert.equal((await limited.call('editor', 'GET', '/tags', { query: { hide_empty: 0 } })).body.total, 0)
})

test('a few bytes make no long work: what references repeat and what is answered are bounded', async (t) => {
  const app = await openTestApp(t)
  const description = `<p>${'word '.repeat(30_000)}</p>`
  const made = await app.call('contributor', 'POST', '/events', { json: { ...EVENT, status: 'draft', description } })
  const path = `/events/${made.body.id}`
  const repeated = { ...EVENT, status: 'draft', description: '$ref:long.description' }
  const requests = [
    { id: 'long', method: 'GET', path },
    { method: 'POST', path: '/events', body: repeated },
    { method: 'POST', path: '/events', body: repeated },
  ]
  const undone = await batch(app, 'contributor', { requests })
  const { index, body } = undone.body.data.failed
  assert.deepEqual([undone.status, index, body.code], [400, 2, 'batch_too_much'])
  const one = await total(app, '/events?status=draft')
  const each = await batch(app, 'contributor', { requests, atomic: false })
  const statuses = each.body.responses.map((response: { status: number }) => response.status)
  assert.deepEqual([one, statuses, await total(app, '/events?status=draft')], [1, [200, 201, 413], 2])
  // What was made is told; what comes after 8 MiB is not made.
  const change = { method: 'POST', path, body: { title: 'Again' } }
  const many = await batch(app, 'contributor', { requests: Array(100).fill(change), atomic: false })
  const told: number[] = many.body.responses.map((response: { status: number }) => response.status)
  const done = told.indexOf(413)
  assert.ok(done > 0 && done < 60 && told.slice(done).every((status) => status === 413), String(told))
  assert.ok(JSON.stringify(many.body).length < 9 * 1024 ** 2)
})
