import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { openStream } from './support/event-stream.ts'

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

test('streams end when the server closes', async (t) => {
  const { origin, app } = await openTestApp(t)
  const stream = await openStream(t, `${origin}/kalends/v1/changes/stream`)
  const ended = stream.ended()
  app.refuse?.()
  await ended
})
