import assert from 'node:assert/strict'
import test from 'node:test'
import { kalends } from '../../clients/typescript/src/index.ts'
import { openTestApp } from '../support/app.ts'
import type { TestScope } from '../support/at-end.ts'
import { assertMirrors, MemoryStore } from '../support/calendar-copy.ts'
import { openRelay } from '../support/relay.ts'

const EVENT = { title: 'Talk', start_date: '2027-04-17 09:30:00', end_date: '2027-04-17 11:00:00' }
const WEEKLY = { ...EVENT, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }

/** A calendar with a mirror that visitors could run. */
async function open(t: TestScope) {
  const app = await openTestApp(t)
  const store = new MemoryStore()
  let client = kalends(app.origin)
  const send = async (method: string, path: string, json: object = {}) => {
    const { status, body } = await app.call('editor', method, path, { json })
    assert.ok(status < 300, JSON.stringify(body))
    return body
  }
  /** Brings the mirror up to date and compares it. */
  const check = async (): Promise<void> => {
    await client.mirror(store, { once: true })
    await assertMirrors(store, app.origin)
  }
  /** Another program continues with the store. */
  const restart = (): void => {
    client = kalends(app.origin)
  }
  return { app, store, send, check, restart }
}

test('a mirror has past events, unused terms, venues and organizers, with IDs in place of embedded items', async (t) => {
  const { store, send, check } = await open(t)
  await check()
  const old = { ...EVENT, start_date: '1999-01-01 10:00', end_date: '1999-01-01 11:00' }
  const { id, venue, categories } = await send('POST', '/events', {
    ...old,
    venue: { venue: 'Hall' },
    categories: ['Art'],
  })
  await send('POST', '/tags', { name: 'Unused' })
  await send('POST', '/organizers', { organizer: 'Club' })
  await send('POST', '/events', { ...EVENT, status: 'draft', tags: ['Hidden'] })
  await check()
  const stored = store.items.event.get(id) as Record<string, unknown>
  assert.deepEqual([stored['venue'], stored['organizer'], stored['categories']], [[venue.id], [], [categories[0].id]])
  assert.equal(store.items.tag.size, 1)
  const { count } = store.items.category.get(categories[0].id) as { count?: number }
  assert.equal(count, undefined)
})

test('events follow venues and organizers that go to the trash and come back', async (t) => {
  const { store, send, check, restart } = await open(t)
  const event = await send('POST', '/events', {
    ...EVENT,
    venue: { venue: 'Hall' },
    organizer: [{ organizer: 'Club' }],
  })
  await check()
  for (const path of [`/venues/${event.venue.id}`, `/organizers/${event.organizer[0].id}`]) {
    await send('DELETE', path)
    await check()
    // While it is away, the event is stored without it.
    await send('POST', `/events/${event.id}`, { title: `Talk without ${path}` })
    await check()
    await send('POST', path, { status: 'publish' })
    await check()
    restart()
    await send('DELETE', path)
    await check()
    await send('DELETE', path, { force: true })
    await check()
  }
  assert.deepEqual(store.items.venue.size, 0)
})

test('all dates of a series follow its changes, also after a restart', async (t) => {
  for (const isRestarted of [false, true]) {
    const { app, store, send, check, restart } = await open(t)
    const { id } = await send('POST', '/events', WEEKLY)
    const dates = async (): Promise<number[]> =>
      (await app.call('editor', 'GET', '/events', { query: { series: id } })).body.events.map(
        (one: { id: number }) => one.id,
      )
    const [first, second, third] = await dates()
    await check()
    assert.equal(store.items.event.size, 4)
    const step = async (method: string, path: string, json: object = {}): Promise<void> => {
      if (isRestarted) restart()
      await send(method, path, json)
      await check()
    }
    await step('POST', `/events/${second}`, { title: 'Only this' })
    await step('DELETE', `/events/${first}?scope=this`)
    assert.equal(store.items.event.size, 3)
    await step('POST', `/events/${third}`, { title: 'From now on', scope: 'following' })
    await step('POST', `/events/${id}`, { recurrence: ['RRULE:FREQ=DAILY;COUNT=60'], scope: 'all' })
    await step('DELETE', `/events/${id}?scope=all`)
    await step('POST', `/events/${id}`, { status: 'publish', scope: 'all' })
    await step('POST', `/events/${id}`, { recurrence: null, scope: 'all' })
    await step('POST', `/events/${id}`, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] })
    await step('DELETE', `/events/${id}?scope=all&force=true`)
  }
})

test('terms appear and vanish with the events that use them, and follow the categories above them', async (t) => {
  const { store, send, check } = await open(t)
  const { id } = await send('POST', '/events', { ...EVENT, status: 'draft', tags: ['Secret'] })
  await check()
  assert.equal(store.items.tag.size, 0)
  await send('POST', `/events/${id}`, { status: 'publish' })
  await check()
  assert.equal(store.items.tag.size, 1)
  await send('POST', `/events/${id}`, { status: 'private' })
  await check()
  const above = await send('POST', '/categories', { name: 'Arts' })
  await send('POST', '/categories', { name: 'Music', parent: above.id })
  await check()
  await send('POST', `/categories/${above.id}`, { slug: 'fine-arts' })
  await check()
  await send('DELETE', `/categories/${above.id}`)
  await check()
})

test('protected and hidden events are stored as lists show them', async (t) => {
  const { store, send, check } = await open(t)
  const { id } = await send('POST', '/events', { ...EVENT, password: 'sesame', description: 'Behind the door' })
  await check()
  assert.doesNotMatch(JSON.stringify(store.items.event.get(id)), /Behind/)
  await send('POST', `/events/${id}`, { hide_from_listings: true })
  await check()
  await send('POST', `/events/${id}`, { hide_from_listings: false, password: '' })
  await check()
  assert.match(JSON.stringify(store.items.event.get(id)), /Behind/)
})

test('a date that is shown of a hidden series follows the series', async (t) => {
  const { store, send, check } = await open(t)
  const { id } = await send('POST', '/events', { ...WEEKLY, hide_from_listings: true })
  await send('POST', `/events/${id}`, { hide_from_listings: false, scope: 'this' })
  await check()
  assert.equal(store.items.event.size, 1)
  await send('POST', `/events/${id}`, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'], scope: 'all' })
  await check()
  await send('POST', `/events/${id}`, { password: 'sesame', scope: 'all' })
  await check()
  await send('DELETE', `/events/${id}?scope=all&force=true`)
  await check()
  assert.equal(store.items.event.size, 0)
})

test('a mirror of an editor has drafts', async (t) => {
  const { app, send } = await open(t)
  const [name = '', password = ''] = atob(app.authorization('editor').slice('Basic '.length)).split(/:(.*)/)
  const store = new MemoryStore()
  const client = kalends(app.origin, { login: [name, password] })
  const { id } = await send('POST', '/events', {
    ...EVENT,
    status: 'draft',
    tags: ['Secret'],
    venue: { venue: 'Hall' },
  })
  await client.mirror(store, { once: true })
  await send('POST', `/events/${id}`, { title: 'Better' })
  await client.mirror(store, { once: true })
  await assertMirrors(store, app.origin, app.authorization('editor'))
  assert.equal(store.items.event.size, 1)
})

test('a mirror that dies between two changes loses none of them', async (t) => {
  const { store, send, check, restart } = await open(t)
  await send('POST', '/events', { ...WEEKLY, venue: { venue: 'Hall' } })
  for (let step = 0, left = 0; ; step += 1) {
    left = step
    store.disturb = () => {
      if (left === 0) throw new Error('died')
      left -= 1
    }
    const isDone = await check().then(
      () => true,
      (error: Error) => error.message !== 'died' && Promise.reject(error),
    )
    restart()
    if (isDone && left > 0) break
    // Fewer than what a step brings.
    if (step % 4 === 0) await send('POST', '/venues', { venue: `Hall ${step}` })
  }
})

test('an expired cursor starts over, and only changes are read otherwise', async (t) => {
  const { app, store, send } = await open(t)
  const relay = await openRelay(t, app.origin)
  const mirror = async (): Promise<string[]> => {
    relay.requests.length = 0
    await kalends(relay.origin).mirror(store, { once: true })
    await assertMirrors(store, relay.origin)
    return relay.requests.map(({ path }) => path)
  }
  const { id } = await send('POST', '/events', EVENT)
  await mirror()
  const isOfEvents = (path: string): boolean => path.includes('/events?')
  const ofCheck = 1
  assert.equal((await mirror()).filter(isOfEvents).length, ofCheck)
  await send('POST', '/events', EVENT)
  assert.equal((await mirror()).filter(isOfEvents).length, ofCheck)
  store.cursor(Buffer.from('c1:999999').toString('base64url'))
  await send('DELETE', `/events/${id}`)
  assert.equal((await mirror()).filter(isOfEvents).length, ofCheck + 1)
  assert.equal(store.items.event.size, 1)
})

test('items that slip to a page that was read already are not missed', async (t) => {
  const { app, send } = await open(t)
  const relay = await openRelay(t, app.origin)
  const made: number[] = []
  for (let count = 0; count < 60; count += 1) made.push((await send('POST', '/events', EVENT)).id)
  for (const gone of [1, 15]) {
    const doomed = made.splice(0, gone)
    relay.mishap = async ({ path }) => {
      if (/\/events\?.*&page=2/.test(path)) for (const id of doomed.splice(0)) await send('DELETE', `/events/${id}`)
      return undefined
    }
    const store = new MemoryStore()
    await kalends(relay.origin).mirror(store, { once: true })
    assert.deepEqual(doomed, [])
    await assertMirrors(store, relay.origin)
  }
})

test('a mirror follows until it is stopped', async (t) => {
  const { app, store, send } = await open(t)
  const stop = new AbortController()
  const running = kalends(app.origin).mirror(store, { signal: stop.signal })
  const { id } = await send('POST', '/events', EVENT)
  const isStored = async (title: string): Promise<void> => {
    for (let wait = 0; wait < 500; wait += 1) {
      if (JSON.stringify(store.items.event.get(id) ?? '').includes(title)) return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    assert.fail(`${title} was not stored`)
  }
  await isStored('Talk')
  await send('POST', `/events/${id}`, { title: 'Long talk' })
  await isStored('Long talk')
  stop.abort()
  await running
})

test('a mirror outlives a server that asks for more than a minute', async (t) => {
  const { app, store, send } = await open(t)
  const { id } = await send('POST', '/events', EVENT)
  const waits: number[] = []
  const { setTimeout } = globalThis
  t.mock.method(globalThis, 'setTimeout', ((done: () => void, milliseconds: number) => {
    if (milliseconds === 300_000) waits.push(milliseconds)
    return setTimeout(done, milliseconds === 300_000 ? 0 : milliseconds)
  }) as unknown as typeof setTimeout)
  const stop = new AbortController()
  const client = kalends(app.origin, {
    fetch: async (input, init) => {
      const isAway = waits.length === 0 && String(input).includes('/events?')
      return isAway ? new Response('', { status: 503, headers: { 'Retry-After': '300' } }) : fetch(input, init)
    },
  })
  store.disturb = () => {
    if (store.items.event.has(id)) stop.abort()
  }
  await client.mirror(store, { signal: stop.signal })
  assert.deepEqual(waits, [300_000])
  assert.ok(store.items.event.has(id))
})

test('a mirror starts over once when the calendar was restored from a backup', async (t) => {
  const { app, send } = await open(t)
  for (let count = 0; count < 60; count += 1) await send('POST', '/venues', { venue: `Hall ${count}` })
  const ofFuture = Buffer.from('c1:999999').toString('base64url')
  const sent: string[] = []
  let isBefore = true
  const client = kalends(app.origin, {
    retries: 0,
    fetch: async (input, init) => {
      assert.ok(sent.push(String(input)) < 200, 'it never ends')
      const response = await fetch(input, init)
      if (!isBefore || !response.headers.has('X-Kalends-Cursor') || !/\/venues/.test(String(input))) return response
      // The cursor that it had before.
      const headers = new Headers(response.headers)
      headers.delete('Content-Encoding')
      headers.set('X-Kalends-Cursor', ofFuture)
      return new Response(await response.arrayBuffer(), { headers })
    },
  })
  for await (const { cursor } of client.venues.list({}).pages()) assert.equal(cursor, ofFuture)
  isBefore = false
  const store = new MemoryStore()
  store.cursor(ofFuture)
  await client.mirror(store, { once: true })
  await assertMirrors(store, app.origin)
})
