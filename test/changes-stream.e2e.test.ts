import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { changePassword } from '../src/accounts/sessions/index.ts'
import { addPassword, disableUser, findLogin, revokePassword, setRole } from '../src/accounts/users/index.ts'
import { visitor } from './support/admin.ts'
import { openTestApp } from './support/app.ts'
import { openStream } from './support/event-stream.ts'
import { administratorOf } from './support/processes.ts'
import { kalends, openDataFolder, startServer } from './support/server.ts'

const VENUE = { venue: 'Hall' }

test('a stream sends what has happened since its cursor and then each change, and resumes after Last-Event-ID', async (t) => {
  const { call, origin } = await openTestApp(t)
  const { cursor } = (await call('anonymous', 'GET', `${origin}/kalends/v1/changes`)).body
  const first = (await call('editor', 'POST', '/venues', { json: VENUE })).body
  const url = `${origin}/kalends/v1/changes/stream?since=${cursor}&expand=item`
  const stream = await openStream(t, url)
  assert.equal(stream.response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(stream.response.headers.get('etag'), null)
  const created = await stream.next()
  assert.deepEqual([created.data.action, created.data.id, created.data.item.venue], ['created', first.id, 'Hall'])
  const second = (await call('editor', 'POST', '/venues', { json: { venue: 'Shed' } })).body
  assert.equal((await stream.next()).data.id, second.id)
  stream.close()
  const resumed = await openStream(t, url, { 'last-event-id': created.id })
  assert.equal((await resumed.next()).data.id, second.id)
})

test('a stream shows each caller what they may see', async (t) => {
  const { call, origin, authorization } = await openTestApp(t)
  const url = `${origin}/kalends/v1/changes/stream`
  const visitor = await openStream(t, url)
  const editor = await openStream(t, url, { authorization: authorization('editor') })
  const draft = (await call('editor', 'POST', '/venues', { json: { ...VENUE, status: 'draft' } })).body
  const open = (await call('editor', 'POST', '/venues', { json: { venue: 'Shed' } })).body
  assert.deepEqual([(await editor.next()).data.id, (await editor.next()).data.id], [draft.id, open.id])
  assert.equal((await visitor.next()).data.id, open.id)
})

test('a stream tells of events that no list shows where that is wanted, and another one does not', async (t) => {
  const { call, origin } = await openTestApp(t)
  const url = `${origin}/kalends/v1/changes/stream`
  const usual = await openStream(t, url)
  const whole = await openStream(t, `${url}?include_hidden=true`)
  const times = { start_date: '2027-04-17 09:30:00', end_date: '2027-04-17 11:00:00' }
  const json = { ...times, title: 'Hidden', hide_from_listings: true }
  const hidden = (await call('editor', 'POST', '/events', { json })).body
  const open = (await call('editor', 'POST', '/venues', { json: VENUE })).body
  assert.deepEqual([(await whole.next()).data.id, (await whole.next()).data.id], [hidden.id, open.id])
  assert.equal((await usual.next()).data.id, open.id)
})

test('streams hold up no other request for the same address, and HEAD has no body', async (t) => {
  const { call, origin } = await openTestApp(t)
  const url = `${origin}/kalends/v1/changes/stream`
  const streams = [await openStream(t, url), await openStream(t, url), await openStream(t, url)]
  const head = await fetch(url, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
  const { id } = (await call('editor', 'POST', '/venues', { json: VENUE })).body
  for (const stream of streams) assert.equal((await stream.next()).data.id, id)
})

test('a client has at most fifty streams, and another cursor than ours is refused', async (t) => {
  const { origin } = await openTestApp(t)
  const url = `${origin}/kalends/v1/changes/stream`
  const streams = await Promise.all(Array.from({ length: 50 }, () => openStream(t, url)))
  const busy = await fetch(url)
  assert.deepEqual([busy.status, ((await busy.json()) as { code: string }).code], [503, 'rest_too_busy'])
  for (const stream of streams) stream.close()
  assert.equal((await fetch(`${url}?since=nonsense`)).status, 400)
  const future = Buffer.from('c1:999999').toString('base64url')
  assert.equal((await fetch(`${url}?since=${future}`)).status, 410)
})

test('a process has at most a thousand streams, whoever they are for, and more when some have ended', async (t) => {
  const { origin } = await openTestApp(t)
  const address = (number: number): string => `127.0.0.${1 + Math.floor(number / 50)}`
  const streams = await Promise.all(
    Array.from({ length: 1000 }, (_none, number) => streamFrom(origin, address(number))),
  )
  assert.ok(streams.every(({ status }) => status === 200))
  const busy = await streamFrom(origin, address(1000))
  assert.equal(busy.status, 503)
  streams[0]?.end()
  // The server is told of the end after it.
  for (let status = 503; status === 503; ) {
    const next = await streamFrom(origin, address(1000))
    status = next.status
    streams.push(next)
  }
  for (const { end } of streams) end()
})

/** A stream for a client at an address; the status of its head. */
async function streamFrom(origin: string, localAddress: string) {
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  socket.write('GET /kalends/v1/changes/stream HTTP/1.1\r\nHost: x\r\n\r\n')
  const [head] = (await once(socket, 'data')) as [Buffer]
  return { status: Number(head.toString().split(' ')[1]), end: () => socket.destroy() }
}

test('streams end when the server closes', async (t) => {
  const { origin, app } = await openTestApp(t)
  const stream = await openStream(t, `${origin}/kalends/v1/changes/stream`)
  const ended = stream.ended()
  app.refuse?.()
  await ended
})

test('a stream ends when its credentials are revoked, and shows nothing of what comes after', async (t) => {
  const site = await openTestApp(t)
  const { app, call, origin, authorization } = site
  const url = `${origin}/kalends/v1/changes/stream`
  const password = await addPassword(app, { name: 'editor' })
  const revoked = `Basic ${Buffer.from(`editor:${password.password}`).toString('base64')}`
  const { cookie } = await visitor(site, 'author')
  const ends: readonly (readonly [string, Record<string, string>, () => Promise<unknown>])[] = [
    ['password', { authorization: revoked }, () => revokePassword(app, { name: 'editor', id: password.id })],
    [
      'role',
      { authorization: authorization('contributor') },
      () => setRole(app, { name: 'contributor', role: 'author' }),
    ],
    [
      'session',
      { cookie },
      async () => changePassword(app, (await findLogin(app.storage, 'author'))?.id ?? 0, 'nine quiet otters'),
    ],
    ['user', { authorization: authorization('administrator') }, () => disableUser(app, { name: 'administrator' })],
  ]
  const others = await openStream(t, url, { authorization: authorization('editor') })
  const visitors = await openStream(t, url)
  for (const [name, headers, end] of ends) {
    const stream = await openStream(t, url, headers)
    await end()
    await call('editor', 'POST', '/venues', { json: { venue: `Secret ${name}`, status: 'draft' } })
    assert.deepEqual(
      (await stream.rest()).filter((block) => block.includes('data: ')),
      [],
      name,
    )
    assert.equal((await others.next()).data.action, 'created')
  }
  const { id } = (await call('editor', 'POST', '/venues', { json: VENUE })).body
  assert.deepEqual([(await visitors.next()).data.id, (await others.next()).data.id], [id, id])
})

test('a session that ends by itself ends its streams, though nothing is written', async (t) => {
  const site = await openTestApp(t)
  const { cookie } = await visitor(site, 'editor')
  const stream = await openStream(t, `${site.origin}/kalends/v1/changes/stream`, { cookie })
  site.clock.now += 15 * 86_400_000
  await stream.ended()
})

test('a command that disables a user ends their streams', async (t) => {
  const data = await openDataFolder(t)
  const server = await startServer(data)
  const headers = { authorization: administratorOf(server) }
  const url = `${server.origin}/kalends/v1/changes/stream`
  const streams = await Promise.all(Array.from({ length: 6 }, () => openStream(t, url, headers)))
  await kalends('user', 'add', 'ann', '--role', 'administrator', '--email', 'ann@example.org', '--data', data)
  await kalends('user', 'disable', 'admin', '--data', data)
  for (const stream of streams) await stream.ended()
})

test('a client that does not read gets no further item: each is as it is when its turn comes', async (t) => {
  const { call, origin } = await openTestApp(t)
  const times = { start_date: '2027-04-17 09:30:00', end_date: '2027-04-17 11:00:00', status: 'publish' }
  const { cursor } = (await call('anonymous', 'GET', `${origin}/kalends/v1/changes`)).body
  const description = `<p>${'word '.repeat(190_000)}</p>`
  const ids: number[] = []
  for (let index = 0; index < 10; index += 1)
    ids.push((await call('editor', 'POST', '/events', { json: { ...times, title: 'Before', description } })).body.id)
  const stream = await openStream(t, `${origin}/kalends/v1/changes/stream?since=${cursor}&expand=item`)
  // More than what the system takes for a connection lies before the last one.
  assert.equal((await stream.next()).data.item.title, 'Before')
  await new Promise((resolve) => setTimeout(resolve, 500))
  await call('editor', 'PUT', `/events/${ids[9]}`, { json: { title: 'After' } })
  const titles: string[] = []
  for (let index = 1; index < 10; index += 1) titles.push((await stream.next()).data.item.title)
  assert.deepEqual([titles[0], titles[8]], ['Before', 'After'])
})
