import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { addPassword } from '../src/accounts/users/index.ts'
import { deleteOldKeys, expiredBefore } from '../src/storage/idempotency-keys.ts'
import { type Answer, openTestApp, type Sending, type TestApp } from './support/app.ts'
import { paint } from './support/images.ts'

/*
 * A write with an Idempotency-Key takes effect once (IETF draft-ietf-httpapi-idempotency-key-header): whoever sends it
 * again gets the first response.
 */

const EVENT = { title: 'Regatta', start_date: '2027-05-01 10:00:00', end_date: '2027-05-01 12:00:00' }

function keyed(key: string, more: Sending = {}): Sending {
  return { ...more, headers: { ...more.headers, 'idempotency-key': key } }
}

async function countOf({ call }: TestApp, collection: string): Promise<number> {
  const { body } = await call('editor', 'GET', `/${collection}`, { query: { status: 'any', hide_empty: 'false' } })
  return body.total
}

/** The second is the first one again. */
function assertReplay(again: Answer, first: Answer): void {
  assert.equal(first.headers.get('idempotency-replayed'), null)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.deepEqual([again.status, again.body], [first.status, first.body])
  for (const name of ['location', 'etag', 'last-modified', 'content-type', 'allow', 'link', 'vary'])
    assert.equal(again.headers.get(name), first.headers.get(name), name)
}

const WRITES: readonly (readonly [string, object])[] = [
  ['events', EVENT],
  ['venues', { venue: 'Boathouse' }],
  ['organizers', { organizer: 'Rowing club' }],
  ['categories', { name: 'Rowing' }],
  ['tags', { name: 'outdoors' }],
]

for (const [collection, json] of WRITES) {
  test(`${collection}: creates, updates and deletions that are sent again get the first answer`, async (t) => {
    const app = await openTestApp(t)
    const { call, clock } = app
    const created = await call('editor', 'POST', `/${collection}`, keyed('create', { json }))
    assert.equal(created.status, 201)
    const path = `/${collection}/${created.body.id}`
    const read = await call('editor', 'GET', path)
    assert.equal(created.headers.get('etag'), read.headers.get('etag'))
    assert.equal(created.headers.get('last-modified'), read.headers.get('last-modified'))
    const change = { description: 'Boats' }
    const updated = await call('editor', 'PUT', path, keyed('update', { json: change }))
    assert.equal(updated.status, 200)
    assert.equal(updated.headers.get('etag'), (await call('editor', 'GET', path)).headers.get('etag'))
    clock.now += 60_000
    assertReplay(await call('editor', 'POST', `/${collection}`, keyed('create', { json })), created)
    assert.equal(await countOf(app, collection), 1)
    await call('editor', 'PATCH', path, { json: { description: 'Ships' } })
    assertReplay(await call('editor', 'PUT', path, keyed('update', { json: change })), updated)
    assert.match((await call('editor', 'GET', path)).body.description, /Ships/)
    const removed = await call('editor', 'DELETE', path, keyed('"remove"'))
    assert.equal(removed.status, 200)
    assertReplay(await call('editor', 'DELETE', path, keyed('remove')), removed)
  })
}

test('a key means one method, target and body', async (t) => {
  const app = await openTestApp(t)
  const { call } = app
  const { body } = await call('editor', 'POST', '/events', keyed('one', { json: EVENT }))
  const others: readonly (readonly [string, string, Sending])[] = [
    ['POST', '/events', { json: { ...EVENT, title: 'Other' } }],
    ['POST', '/events?lang=de', { json: EVENT }],
    ['POST', '/venues', { json: EVENT }],
    ['PUT', `/events/${body.id}`, { json: EVENT }],
    ['POST', '/events', { form: EVENT }],
    ['DELETE', `/events/${body.id}`, {}],
  ]
  for (const [method, path, sending] of others) {
    const answer = await call('editor', method, path, keyed('one', sending))
    assert.deepEqual([answer.status, answer.body.code], [422, 'idempotency_mismatch'], `${method} ${path}`)
  }
  assert.equal(await countOf(app, 'events'), 1)
})

test('a deletion without a body and one with an empty body are the same, as processes hand them to each other', async (t) => {
  const app = await openTestApp(t)
  const { body: created } = await app.call('editor', 'POST', '/events', { json: EVENT })
  const path = `/cal/events/v1/events/${created.id}`
  const headers = { authorization: app.authorization('editor'), 'idempotency-key': 'gone' }
  const first = await fetch(app.origin + path, { method: 'DELETE', headers })
  assert.equal(first.status, 200)
  // As a request is framed that one process forwards to another.
  const again = request(app.origin + path, {
    method: 'DELETE',
    headers: { ...headers, 'transfer-encoding': 'chunked' },
    agent: false,
  }).end()
  const [answer] = (await once(again, 'response')) as [IncomingMessage]
  assert.deepEqual([answer.statusCode, answer.headers['idempotency-replayed']], [200, 'true'])
  assert.equal((await answer.setEncoding('utf8').toArray()).join(''), await first.text())
})

test('keys are those of a credential, and mean nothing without one or with a read', async (t) => {
  const app = await openTestApp(t)
  const { call, origin } = app
  const first = await call('editor', 'POST', '/events', keyed('mine', { json: EVENT }))
  const other = await call('administrator', 'POST', '/events', keyed('mine', { json: EVENT }))
  const { password } = await addPassword(app.app, { name: 'editor' })
  const authorization = `Basic ${Buffer.from(`editor:${password}`).toString('base64')}`
  const headers = { authorization, 'idempotency-key': 'mine' }
  const program = await call('anonymous', 'POST', '/events', { json: EVENT, headers })
  assert.equal(new Set([first.body.id, other.body.id, program.body.id]).size, 3)
  for (let turn = 0; turn < 2; turn += 1) {
    const refused = await call('anonymous', 'POST', '/events', keyed('mine', { json: EVENT }))
    assert.deepEqual([refused.status, refused.headers.get('idempotency-replayed')], [401, null])
    const read = await call('editor', 'GET', `${origin}/cal/events/v1/events/${first.body.id}`, keyed('mine'))
    assert.equal(read.headers.get('idempotency-replayed'), null)
  }
  const keys = await app.app.storage.all(app.app.storage.db.selectFrom('idempotency_key').selectAll())
  assert.equal(keys.length, 3)
  assert.ok(!JSON.stringify(keys.map(({ id, owner, fingerprint }) => [id, owner, fingerprint])).includes('mine'))
})

test('a key is the same however the credential of the caller is written', async (t) => {
  const { call, authorization } = await openTestApp(t)
  const [, login = '', password = ''] = /^(.*?):(.*)$/.exec(
    Buffer.from(authorization('editor').slice('Basic '.length), 'base64').toString(),
  ) ?? ['']
  const basic = (text: string): string => `basic  ${Buffer.from(text).toString('base64')}`
  const ids = new Set<unknown>()
  for (const written of [
    authorization('editor'),
    basic(`${login}:${password}`),
    basic(`${login.toUpperCase()}@example.org:${password.replace(/(?=(?:.{4})+$)/g, ' ')}`),
  ]) {
    const headers = { authorization: written, 'idempotency-key': 'once' }
    const answer = await call('anonymous', 'POST', '/events', { json: EVENT, headers })
    assert.equal(answer.status, 201)
    ids.add(answer.body.id)
  }
  assert.equal(ids.size, 1)
})

test('a key has 1 to 255 visible characters, with or without quotes', async (t) => {
  const { call } = await openTestApp(t)
  for (const key of ['a', 'x'.repeat(255), `"${'y'.repeat(255)}"`, '"with \\"quotes\\""'.replaceAll(' ', '-'), 'a"b'])
    assert.equal((await call('editor', 'POST', '/events', keyed(key, { json: EVENT }))).status, 201, key)
  for (const key of ['', 'x'.repeat(256), '"open', '""', 'a b', '"a b"', '"a";q=1', 'ü']) {
    const answer = await call('editor', 'POST', '/events', keyed(key, { json: EVENT }))
    assert.deepEqual([answer.status, answer.body.code], [400, 'rest_invalid_header'], key)
  }
})

test('refusals are kept, too', async (t) => {
  const app = await openTestApp(t)
  const { call } = app
  const made = await call('editor', 'POST', '/events', { json: EVENT })
  const path = `/events/${made.body.id}`
  const requests: readonly (readonly ['editor' | 'author', string, string, Sending, number])[] = [
    ['editor', 'POST', '/events', { json: { title: 'No date' } }, 400],
    ['editor', 'POST', '/events', { raw: '{', headers: { 'content-type': 'application/json' } }, 400],
    ['author', 'PUT', path, { json: { title: 'Mine' } }, 403],
    ['editor', 'PUT', '/events/99999', { json: {} }, 404],
    ['editor', 'PUT', path, { json: {}, headers: { 'if-match': '"x"' } }, 412],
  ]
  for (const [place, [as, method, target, sending, status]] of requests.entries()) {
    const first = await call(as, method, target, keyed(`refusal-${place}`, sending))
    assert.equal(first.status, status)
    assertReplay(await call(as, method, target, keyed(`refusal-${place}`, sending)), first)
  }
})

test('what is sent while the first is under way is told to come again; nothing happens twice', async (t) => {
  const app = await openTestApp(t)
  const attempt = (): Promise<Answer> => app.call('editor', 'POST', '/events', keyed('burst', { json: EVENT }))
  const answers = await Promise.all(Array.from({ length: 20 }, attempt))
  const made = answers.filter(({ status }) => status === 201)
  const waiting = answers.filter(({ status }) => status === 409)
  assert.equal(made.length + waiting.length, 20)
  assert.equal(made.filter(({ headers }) => !headers.has('idempotency-replayed')).length, 1)
  assert.ok(waiting.length > 0)
  for (const { headers, body } of waiting)
    assert.deepEqual([body.code, headers.get('retry-after')], ['idempotency_in_progress', '1'])
  assert.equal((await attempt()).status, 201)
  assert.equal(await countOf(app, 'events'), 1)
})

test('a day later the key is a new one, and the old response is deleted', async (t) => {
  const app = await openTestApp(t)
  const { call, clock } = app
  const first = await call('editor', 'POST', '/events', keyed('daily', { json: EVENT }))
  clock.now += 24 * 3600 * 1000 - 1000
  assertReplay(await call('editor', 'POST', '/events', keyed('daily', { json: EVENT })), first)
  clock.now += 1000
  const second = await call('editor', 'POST', '/events', keyed('daily', { json: EVENT }))
  assert.notEqual(second.body.id, first.body.id)
  const { storage } = app.app
  await call('editor', 'POST', '/events', keyed('later', { json: EVENT }))
  const kept = () => storage.all(storage.db.selectFrom('idempotency_key').select('id'))
  await storage.write((tx) => deleteOldKeys(tx, expiredBefore(clock.now)))
  assert.equal((await kept()).length, 2)
  assertReplay(await call('editor', 'POST', '/events', keyed('daily', { json: EVENT })), second)
})

test('uploads happen once, also when the form is sent with another boundary', async (t) => {
  const { origin, authorization } = await openTestApp(t)
  const bytes = new Uint8Array(await paint(40, 32).png().toBuffer())
  const send = async (title: string) => {
    const form = new FormData()
    form.set('title', title)
    form.set('file', new File([bytes], 'boat.png'))
    const headers = { authorization: authorization('author'), 'idempotency-key': 'upload' }
    const response = await fetch(`${origin}/wp-json/kalends/v1/media`, { method: 'POST', body: form, headers })
    return {
      status: response.status,
      replayed: response.headers.get('idempotency-replayed'),
      body: await response.json(),
    }
  }
  const first = await send('Boat')
  const again = await send('Boat')
  assert.deepEqual([first.status, first.replayed], [201, null])
  assert.deepEqual([again.status, again.replayed, again.body], [201, 'true', first.body])
  assert.equal((await send('Other')).status, 422)
})

test('a response of more than a megabyte is kept with the identifier alone', async (t) => {
  const { call } = await openTestApp(t)
  const long = (times: number): string => `<p>${'long words '.repeat(times)}</p>`
  const json = { ...EVENT, description: long(88_000), excerpt: long(20_000) }
  const first = await call('editor', 'POST', '/events', keyed('long', { json }))
  assert.equal(first.status, 201)
  const again = await call('editor', 'POST', '/events', { ...keyed('long', { json }), isBroken: true })
  assert.deepEqual([again.status, again.body], [201, { id: first.body.id }])
  assert.equal(again.headers.get('location'), first.headers.get('location'))
  assert.equal(again.headers.get('etag'), null, 'the ETag is that of the whole')
})

test('who has used too many keys is told so, and nothing is written', async (t) => {
  const app = await openTestApp(t)
  const { call } = app
  await call('editor', 'POST', '/events', keyed('first', { json: EVENT }))
  const { storage } = app.app
  await storage.write((tx) => tx.run(tx.db.updateTable('idempotency_key').set({ place: 1 - 100_000 + 1 })))
  await call('editor', 'POST', '/events', keyed('second', { json: EVENT }))
  await storage.write((tx) =>
    tx.run(tx.db.updateTable('idempotency_key').set({ place: 100_000 }).where('place', '>', -99_998)),
  )
  const refused = await call('editor', 'POST', '/events', keyed('third', { json: EVENT }))
  assert.deepEqual([refused.status, refused.body.code], [429, 'idempotency_limit'])
  assert.equal(await countOf(app, 'events'), 2)
  assert.equal((await call('author', 'POST', '/events', keyed('third', { json: EVENT }))).status, 201)
})

const CALENDAR = 'https://rowers.example/diary.ics'
const RECEIVER = 'https://receiver.example/calendar'

test('webhooks and subscriptions are made, changed and removed together with the key, or not at all', async (t) => {
  const app = await openTestApp(t)
  const { storage } = app.app
  const own = (method: string, path: string, sending: Sending = {}): Promise<Answer> =>
    app.call('administrator', method, `${app.origin}/kalends/v1${path}`, sending)
  const items = {
    webhooks: { url: RECEIVER, events: ['venue.created'] },
    subscriptions: { url: CALENDAR, paused: true },
  }
  const paths: string[] = []
  for (const [collection, json] of Object.entries(items)) {
    const made = await own('POST', `/${collection}`, keyed(collection, { json }))
    assert.equal(made.status, 201, JSON.stringify(made.body))
    assertReplay(await own('POST', `/${collection}`, keyed(collection, { json })), made)
    const path = `/${collection}/${made.body.id}`
    const change = keyed(`${collection}-change`, { json: { url: `${json.url}?2` } })
    const changed = await own('PUT', path, change)
    assert.deepEqual([changed.status, changed.body.url], [200, `${json.url}?2`])
    assertReplay(await own('PUT', path, change), changed)
    paths.push(path)
  }
  // No further key has room.
  const full = { place: -100_000 }
  await storage.write((tx) => tx.run(tx.db.updateTable('idempotency_key').set(full).where('place', '=', 1)))
  const state = async (): Promise<unknown[]> =>
    Promise.all(['/webhooks', '/subscriptions', ...paths].map(async (path) => (await own('GET', path)).body))
  const before = await state()
  const refused: readonly (readonly [string, string, object?])[] = [
    ['POST', '/webhooks', { ...items.webhooks, description: 'another' }],
    ['POST', '/subscriptions', { ...items.subscriptions, url: `${CALENDAR}?3` }],
    ...paths.map((path) => ['PATCH', path, { url: 'https://other.example/' }] as const),
    ...paths.map((path) => ['DELETE', path] as const),
  ]
  for (const [method, path, json] of refused) {
    const answer = await own(method, path, keyed(`refused ${method} ${path}`.replaceAll(' ', '-'), json && { json }))
    assert.deepEqual([answer.status, answer.body.code], [429, 'idempotency_limit'], `${method} ${path}`)
  }
  assert.deepEqual(await state(), before)
  const secret = await own('POST', `${paths[0]}/secret`, keyed('secret'))
  assert.deepEqual([secret.status, secret.body.code], [429, 'idempotency_limit'])
  for (const path of paths) assert.equal((await own('DELETE', path)).status, 200)
})
