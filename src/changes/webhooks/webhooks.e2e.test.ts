import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { openTestApp, type TestApp } from '../../../test/support/app.ts'
import {
  eventually,
  openReceiver,
  type ReceivedMessage,
  type Receiver,
} from '../../../test/support/webhook-receiver.ts'
import type { Delivery, Webhook } from './types.ts'

const FLAGS = { fetchAllow: '127.0.0.1', baseUrl: 'https://calendar.example' }
const VENUES = ['venue.created', 'venue.updated', 'venue.deleted']
const HOUR = 3_600_000

/** A calendar with a webhook, and who receives its messages. */
interface Scene {
  readonly app: TestApp
  readonly receiver: Receiver
  readonly hook: Webhook & { readonly secret: string }
}

// biome-ignore lint/complexity/useMaxParams: method, path, content: a request line
async function ask(app: TestApp, method: string, path: string, json?: object) {
  const sending = json === undefined ? {} : { json }
  return app.call(
    'administrator',
    method,
    `${app.origin}/kalends/v1${path.startsWith('/webhook-') ? '' : '/webhooks'}${path}`,
    sending,
  )
}

async function openScene(t: TestContext, more: object = {}): Promise<Scene> {
  const receiver = await openReceiver(t)
  const app = await openTestApp(t, FLAGS)
  const { status, body } = await ask(app, 'POST', '', { url: `${receiver.origin}/in`, events: VENUES, ...more })
  assert.equal(status, 201, JSON.stringify(body))
  return { app, receiver, hook: body }
}

async function makeVenue(app: TestApp, venue: string, more: object = {}): Promise<number> {
  const { status, body } = await app.call('administrator', 'POST', '/venues', { json: { venue, ...more } })
  assert.equal(status, 201)
  return body.id
}

function changeVenue(app: TestApp, id: number, json: object) {
  return app.call('administrator', 'POST', `/venues/${id}`, { json })
}

async function logOf({ app, hook }: Scene, query = ''): Promise<Delivery[]> {
  const { status, body } = await ask(app, 'GET', `/${hook.id}/deliveries${query}`)
  assert.equal(status, 200)
  return body.deliveries
}

/** The log once all its deliveries have been tried so often at least, oldest first. */
async function tried(scene: Scene, attempts: readonly number[]): Promise<Delivery[]> {
  let log: Delivery[] = []
  await eventually(`attempts ${attempts.join()}`, async () => {
    log = (await logOf(scene)).reverse()
    return log.length === attempts.length && log.every((one, index) => one.attempts >= (attempts[index] ?? 0))
  })
  return log
}

/** Sets the clock forward and has the sender look: it does after each commit. */
async function pass({ app }: Scene, milliseconds: number): Promise<void> {
  app.clock.now += milliseconds
  await app.call('administrator', 'POST', '/tags', { json: { name: `tag at ${app.clock.now}` } })
}

const eventsOf = (receiver: Receiver): string[] => receiver.messages.map(({ json }) => `${json.type} ${json.data.id}`)

test('a change becomes a signed message that names it, with the item as lists show it', async (t) => {
  const { app, receiver, hook } = await openScene(t)
  const id = await makeVenue(app, 'Town hall')
  await eventually('a message', () => receiver.messages.length === 1)
  const [message] = receiver.messages as [ReceivedMessage]
  const { type, timestamp, data } = message.json
  assert.deepEqual([type, timestamp, message.path], ['venue.created', '2026-11-20T18:00:00Z', '/in'])
  const { item, ...change } = data
  assert.deepEqual(change, { seq: data.seq, resource: 'venue', id, action: 'created', revision: 1 })
  const listed = await fetch(`${app.origin}/cal/events/v1/venues`, { headers: { host: 'calendar.example' } })
  const body = (await listed.json()) as { venues: object[] }
  const address = (text: string): string => text.replaceAll(app.origin, 'https://calendar.example')
  assert.deepEqual(item, JSON.parse(address(JSON.stringify(body.venues[0]))))
  const { headers } = message
  const sent = new Date(Number(headers['webhook-timestamp']) * 1000)
  assert.equal(sent.getTime(), app.clock.now)
  const signature = new Verifier(hook.secret).sign(String(headers['webhook-id']), sent, message.body)
  assert.equal(headers['webhook-signature'], signature)
  assert.deepEqual([headers['content-type'], headers['authorization']], ['application/json', undefined])
})

test('the public hears of drafts when they appear, administrators of everything', async (t) => {
  const scene = await openScene(t)
  const { app, receiver, hook } = scene
  const events = [...VENUES, 'event.created']
  await ask(app, 'POST', '', { url: `${receiver.origin}/all`, events, audience: 'administrators' })
  const id = await makeVenue(app, 'Cellar', { status: 'draft' })
  await changeVenue(app, id, { status: 'publish' })
  await changeVenue(app, id, { phone: '1' })
  await changeVenue(app, id, { status: 'draft' })
  await eventually('seven messages', () => receiver.messages.length >= 7)
  const told = (path: string) => receiver.messages.filter((one) => one.path === path).map(({ json }) => json)
  const types = (path: string) => told(path).map(({ type }) => type.slice('venue.'.length))
  assert.deepEqual(types('/in'), ['created', 'updated', 'deleted'])
  assert.deepEqual(types('/all'), ['created', 'updated', 'updated', 'updated'])
  assert.equal(told('/in').at(-1).data.item, undefined)
  assert.equal(told('/all').at(-1).data.item.status, 'draft')
  await ask(app, 'PATCH', `/${hook.id}`, { events: ['venue.deleted'] })
  await changeVenue(app, id, { status: 'publish' })
  await app.call('administrator', 'DELETE', `/venues/${id}`)
  await eventually('ten messages', () => receiver.messages.length >= 10)
  assert.deepEqual(types('/in').slice(3), ['deleted'])
  const log = await tried(scene, [1, 1, 1, 1])
  assert.deepEqual(
    log.map(({ state }) => state),
    Array(4).fill('delivered'),
  )
})

test('only administrators see webhooks, and a secret is shown once', async (t) => {
  const { app, receiver, hook } = await openScene(t, { description: 'Search' })
  assert.match(hook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const address = `${app.origin}/kalends/v1/webhooks`
  const ways = [
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${hook.id}`],
    ['PATCH', `/${hook.id}`],
    ['DELETE', `/${hook.id}`],
    ['POST', `/${hook.id}/secret`],
    ['POST', `/${hook.id}/test`],
    ['GET', `/${hook.id}/deliveries`],
  ] as const
  for (const [method, path] of ways)
    for (const role of ['anonymous', 'editor'] as const) {
      const json = { url: 'https://a.example/', events: VENUES }
      const { status } = await app.call(role, method, address + path, method === 'GET' ? {} : { json })
      assert.equal(status, role === 'editor' ? 403 : 401, `${method} ${path}`)
    }
  const { secret: _once, ...shown } = hook
  assert.deepEqual((await ask(app, 'GET', '')).body, { webhooks: [shown] })
  assert.deepEqual((await ask(app, 'GET', `/${hook.id}`)).body, shown)
  const changed = await ask(app, 'PATCH', `/${hook.id}`, { active: false, description: '' })
  assert.deepEqual(changed.body, { ...shown, active: false, description: '' })
  assert.deepEqual(receiver.messages, [])
  for (const id of [hook.id + 1, 2 ** 31, '9'.repeat(30)])
    assert.equal((await ask(app, 'GET', `/${id}`)).status, 404, String(id))
  assert.equal((await ask(app, 'GET', '/webhook-deliveries/1')).body.code, 'webhook-delivery-not-found')
  assert.equal((await ask(app, 'DELETE', `/${hook.id}`)).status, 200)
  assert.deepEqual((await ask(app, 'GET', '')).body, { webhooks: [] })
})

test('addresses and events that cannot be are refused', async (t) => {
  const { app } = await openScene(t)
  const good = { url: 'https://a.example/', events: VENUES }
  for (const wrong of [
    { url: 'ftp://a.example/' },
    { url: 'https://me:secret@a.example/' },
    { url: 'http://10.0.0.1/' },
    { url: 'http://[::1]/' },
    { url: 'http://169.254.169.254/latest' },
    { events: [] },
    { events: ['event.opened'] },
    { audience: 'everybody' },
  ])
    assert.equal((await ask(app, 'POST', '', { ...good, ...wrong })).status, 400, JSON.stringify(wrong))
  for (let count = 1; count < 50; count += 1) assert.equal((await ask(app, 'POST', '', good)).status, 201)
  const { status, body } = await ask(app, 'POST', '', good)
  assert.deepEqual([status, body.code], [400, 'bad_webhook'])
})

test('a name that leads to a private address is not connected to', async (t) => {
  const receiver = await openReceiver(t)
  const app = await openTestApp(t)
  const url = receiver.origin.replace('127.0.0.1', 'localhost')
  const { body: hook } = await ask(app, 'POST', '', { url, events: VENUES })
  const { body } = await ask(app, 'POST', `/${hook.id}/test`)
  assert.deepEqual([body.state, body.problem, body.status], ['failed', 'closed address', null])
  await makeVenue(app, 'Hall')
  const [log] = await tried({ app, receiver, hook }, [1, 1]).then((all) => all.slice(1))
  assert.deepEqual([log?.state, log?.problem, receiver.messages.length], ['pending', 'closed address', 0])
})

test('a new secret signs together with the one before it for a day', async (t) => {
  const scene = await openScene(t)
  const { app, receiver, hook } = scene
  const { body: rotated } = await ask(app, 'POST', `/${hook.id}/secret`)
  assert.notEqual(rotated.secret, hook.secret)
  const signatures = async (): Promise<string[]> => {
    await ask(app, 'POST', `/${hook.id}/test`)
    return String(receiver.messages.at(-1)?.headers['webhook-signature']).split(' ')
  }
  const expected = (secret: string): string => {
    const { headers, body } = receiver.messages.at(-1) as ReceivedMessage
    return new Verifier(secret).sign(String(headers['webhook-id']), new Date(app.clock.now), body)
  }
  assert.deepEqual(await signatures(), [expected(rotated.secret), expected(hook.secret)])
  app.clock.now += 24 * HOUR
  assert.deepEqual(await signatures(), [expected(rotated.secret)])
})

test('a test message is sent once and its outcome is returned and logged', async (t) => {
  const scene = await openScene(t)
  const { app, receiver, hook } = scene
  const { body } = await ask(app, 'POST', `/${hook.id}/test`)
  const { id, message, ...rest } = body
  assert.deepEqual(rest, {
    ...{
      webhook: hook.id,
      event: 'webhook.test',
      seq: 0,
      item_id: 0,
      state: 'delivered',
      attempts: 1,
      status: 204,
      problem: '',
    },
    ...{ queued_at: '2026-11-20 18:00:00', next_attempt: null, last_attempt: '2026-11-20 18:00:00' },
  })
  assert.deepEqual(receiver.messages[0]?.json.data, { webhook: hook.id })
  assert.equal(receiver.messages[0]?.headers['webhook-id'], message)
  assert.deepEqual((await ask(app, 'GET', `/webhook-deliveries/${id}`)).body, body)
  receiver.answer = (response) => void response.writeHead(302, { location: `${receiver.origin}/other` }).end()
  const redirected = await ask(app, 'POST', `/${hook.id}/test`)
  assert.deepEqual([redirected.body.state, redirected.body.status], ['failed', 302])
  assert.deepEqual(
    receiver.messages.map(({ path }) => path),
    ['/in', '/in'],
  )
})

test('while the messages about one item fail, others arrive; each item is told in order', async (t) => {
  const scene = await openScene(t)
  const { app, receiver } = scene
  const bad = await makeVenue(app, 'Bad')
  await eventually('the first message', () => receiver.messages.length === 1)
  receiver.answer = (response, { json }) => void response.writeHead(json.data.id === bad ? 500 : 204).end()
  await changeVenue(app, bad, { phone: '1' })
  await changeVenue(app, bad, { phone: '2' })
  const good = await makeVenue(app, 'Good')
  await changeVenue(app, good, { phone: '3' })
  const waiting = await tried(scene, [1, 1, 0, 1, 1])
  assert.deepEqual(
    waiting.map(({ state }) => state),
    ['delivered', 'pending', 'pending', 'delivered', 'delivered'],
  )
  receiver.answer = (response) => void response.writeHead(204).end()
  await pass(scene, 10_000)
  await tried(scene, [1, 2, 1, 1, 1])
  const told = (id: number) => receiver.messages.filter(({ json }) => json.data.id === id).map(({ json }) => json.data)
  assert.deepEqual(
    told(good).map(({ revision }) => revision),
    [1, 2],
  )
  assert.deepEqual(
    told(bad).map(({ revision }) => revision),
    [1, 2, 2, 3],
  )
  const ids = receiver.messages.map(({ headers }) => headers['webhook-id'])
  assert.equal(new Set(ids).size, 5, 'a message keeps its identifier when it is sent again')
})

test('a receiver that is away is asked for three days, less and less often; then the message is given up', async (t) => {
  const scene = await openScene(t)
  const { app, receiver, hook } = scene
  receiver.answer = (response) => void response.writeHead(503).end()
  const began = app.clock.now
  const id = await makeVenue(app, 'Hall')
  await changeVenue(app, id, { phone: '1' })
  const pauses: number[] = []
  let [last] = (await tried(scene, [1, 0])) as [Delivery]
  while (last.state === 'pending') {
    const pause = Date.parse(`${last.next_attempt}Z`) - app.clock.now
    pauses.push(pause / 1000)
    // Nothing is sent before its time.
    const sent = receiver.messages.length
    await pass(scene, pause - 1000)
    assert.equal(receiver.messages.length, sent)
    await pass(scene, 1000)
    ;[last] = (await tried(scene, [last.attempts + 1, 0])) as [Delivery]
  }
  const usual = [5, 15, 45, 135, 405, 1215, 3645, 10_935]
  for (const [index, pause] of pauses.slice(0, 8).entries()) {
    const mean = usual[index] ?? 0
    assert.ok(pause >= Math.floor(mean * 0.8) && pause <= Math.ceil(mean * 1.2), `pause ${index}: ${pause}`)
  }
  for (const pause of pauses.slice(8)) assert.ok(pause <= 7.2 * 3600)
  assert.equal(new Set(pauses.slice(8, -1)).size > 1, true, 'pauses vary')
  assert.deepEqual([last.state, last.problem, last.status], ['failed', 'the receiver answered 503', 503])
  assert.equal(app.clock.now - began, 72 * HOUR)
  const { body: failing } = await ask(app, 'GET', `/${hook.id}`)
  assert.deepEqual([failing.active, failing.problem], [true, last.problem])
  assert.ok(failing.failures >= last.attempts)
  // What comes after it has its turn: an attempt at least, although its time is over as well.
  await eventually('both are given up', async () => (await logOf(scene, '?state=failed')).length === 2)
  assert.deepEqual(
    (await logOf(scene)).map(({ attempts }) => attempts),
    [1, last.attempts],
  )
  receiver.answer = (response) => void response.writeHead(204).end()
  await changeVenue(app, id, { phone: '2' })
  await eventually('a delivery', async () => (await logOf(scene, '?state=delivered')).length === 1)
  assert.equal((await ask(app, 'GET', `/${hook.id}`)).body.failures, 0)
})

test('a receiver that is back gets at once what waits for it, and says itself how long it wants to be left alone', async (t) => {
  const scene = await openScene(t)
  const { app, receiver } = scene
  receiver.answer = (response) => void response.writeHead(503, { 'retry-after': '7200' }).end()
  for (let count = 1; count <= 6; count += 1) await makeVenue(app, `Hall ${count}`)
  const waiting = await tried(scene, [1, 1, 1, 1, 1, 1])
  assert.deepEqual(new Set(waiting.map(({ next_attempt }) => next_attempt)), new Set(['2026-11-20 20:00:00']))
  receiver.answer = (response) => void response.writeHead(204).end()
  await pass(scene, 1000)
  await makeVenue(app, 'New hall')
  const told = await tried(scene, [2, 2, 2, 2, 2, 2, 1])
  assert.deepEqual(new Set(told.map(({ state }) => state)), new Set(['delivered']))
})

test('410 switches a webhook off; switched on again it hears of what happens from then on', async (t) => {
  const scene = await openScene(t)
  const { app, receiver, hook } = scene
  receiver.answer = (response) => void response.writeHead(410).end()
  const id = await makeVenue(app, 'Hall')
  await eventually('the webhook is off', async () => !(await ask(app, 'GET', `/${hook.id}`)).body.active)
  assert.equal((await ask(app, 'GET', `/${hook.id}`)).body.problem, 'the receiver answered 410')
  await changeVenue(app, id, { phone: '1' })
  receiver.answer = (response) => void response.writeHead(204).end()
  const [only] = await logOf(scene)
  const refused = await ask(app, 'POST', `/webhook-deliveries/${only?.id}/replay`)
  assert.deepEqual([refused.status, refused.body.code], [400, 'bad_webhook'])
  await ask(app, 'PATCH', `/${hook.id}`, { active: true })
  await changeVenue(app, id, { phone: '2' })
  await eventually('a message', () => receiver.messages.length === 2)
  assert.deepEqual(receiver.messages.at(-1)?.json.data.revision, 3)
})

test('a webhook that is switched off loses what it has not been told, and a message can be sent again', async (t) => {
  const scene = await openScene(t)
  const { app, receiver, hook } = scene
  receiver.answer = (response) => void response.writeHead(500).end()
  const id = await makeVenue(app, 'Hall')
  await changeVenue(app, id, { phone: '1' })
  await tried(scene, [1, 0])
  await ask(app, 'PATCH', `/${hook.id}`, { active: false })
  const canceled = await logOf(scene)
  assert.deepEqual(
    canceled.map(({ state }) => state),
    ['canceled', 'canceled'],
  )
  receiver.answer = (response) => void response.writeHead(204).end()
  await ask(app, 'PATCH', `/${hook.id}`, { active: true })
  const first = canceled.at(-1) as Delivery
  const { body } = await ask(app, 'POST', `/webhook-deliveries/${first.id}/replay`)
  assert.deepEqual([body.state, body.attempts, body.message], ['pending', 0, first.message])
  await eventually('the message', () => receiver.messages.length === 2)
  const [failed, again] = receiver.messages as [ReceivedMessage, ReceivedMessage]
  assert.equal(again.headers['webhook-id'], failed.headers['webhook-id'])
  assert.deepEqual([again.json.data.item.phone, again.json.data.revision], ['1', 1])
  const missing = await ask(app, 'POST', `/webhook-deliveries/${first.id + 1000}/replay`)
  assert.equal(missing.body.code, 'webhook-delivery-not-found')
})

test('the log is read in pages and forgotten after 30 days', async (t) => {
  const scene = await openScene(t)
  const { app, receiver } = scene
  for (let count = 1; count <= 3; count += 1) await makeVenue(app, `Hall ${count}`)
  await tried(scene, [1, 1, 1])
  const [newest, ...older] = (await logOf(scene)) as [Delivery, ...Delivery[]]
  assert.deepEqual(await logOf(scene, '?limit=1'), [newest])
  assert.deepEqual(await logOf(scene, `?before=${newest.id}`), older)
  assert.deepEqual(eventsOf(receiver).length, 3)
  await pass(scene, 31 * 24 * HOUR)
  await eventually('the log is empty', async () => (await logOf(scene)).length === 0)
})

test('an answer without an end is not read to its end', async (t) => {
  const { app, receiver, hook } = await openScene(t)
  receiver.answer = (response) => {
    response.writeHead(200)
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(16_384)));
    }
    response.on('drain', more)
    more()
  }
  const { body } = await ask(app, 'POST', `/${hook.id}/test`)
  assert.deepEqual([body.state, body.problem], ['failed', 'too many bytes'])
})
