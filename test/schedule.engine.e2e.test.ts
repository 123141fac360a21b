import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addPassword, addUser } from '../src/accounts/users/index.ts'
import { openApp } from '../src/app/app.ts'
import { readConfig } from '../src/base/config.ts'
import { createLog } from '../src/base/log.ts'
import { headSeq, readSince } from '../src/storage/journal/read.ts'
import { subscribe } from '../src/storage/journal/subscribe.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { freePort } from './support/free-port.ts'
import { assertCopiesFollow, assertJournalMirrors } from './support/mirror.ts'
import { databaseOf } from './support/server.ts'

const START = Date.UTC(2026, 10, 20, 18)
const HOUR = 3_600_000
const SPAN = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

/** The first answer that a server gives after it has begun to listen. */
async function firstAnswer(url: string): Promise<{ status: number; body: { status?: string; count?: number } }> {
  for (;;) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer !== undefined) return { status: answer.status, body: (await answer.json()) as { status?: string } }
    await sleep(5)
  }
}

test('a start publishes what came due while nothing ran, before the first answer, as every write does', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'kalends-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const port = String(await freePort())
  const root = `http://127.0.0.1:${port}/cal/events/v1`
  const database = await databaseOf(data)
  const open = (moment: number) => {
    const now = (): number => moment
    return openApp(readConfig({ port, data, database, synchronous: 'NORMAL' }, {}), {
      now,
      log: createLog({ level: 'silent', now }),
      role: 'serve',
    })
  }
  const before = await open(START)
  await before.listen()
  await addUser(before, { name: 'ann', email: 'ann@example.org', role: 'administrator' })
  const { password } = await addPassword(before, { name: 'ann' })
  const authorization = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`
  const make = async (path: string, json: object): Promise<{ id: number; tags: { id: number }[] }> => {
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await fetch(root + path, { method: 'POST', headers, body: JSON.stringify(json) })
    assert.equal(answer.status, 201)
    return (await answer.json()) as { id: number; tags: { id: number }[] }
  }
  const soon = { date_utc: '2026-11-20 19:00:00' }
  const event = await make('/events', { title: 'Soon', ...SPAN, ...soon, tags: ['free'] })
  const venue = await make('/venues', { venue: 'Soon', ...soon })
  const organizer = await make('/organizers', { organizer: 'Soon', ...soon })
  const later = await make('/events', { title: 'Later', ...SPAN, date_utc: '2026-11-20 23:00:00' })
  const head = await headSeq(before.storage)
  assert.equal((await fetch(`${root}/events/${event.id}`)).status, 403)
  await before.close()

  const running = await open(START + 2 * HOUR)
  t.after(() => running.close())
  assert.equal(await headSeq(running.storage), head, 'opening alone publishes nothing')
  const asked = firstAnswer(`${root}/events/${event.id}`)
  await running.listen()
  const { status, body } = await asked
  assert.deepEqual([status, body.status], [200, 'publish'])
  const entries = await readSince(running.storage, head, 100)
  const told = entries.map(({ resource, id, revision, action, actor, at }) => [
    resource,
    id,
    revision,
    action,
    actor,
    at,
  ])
  const item = (resource: string, id: number) => [resource, id, 2, 'update', null, '2026-11-20 20:00:00']
  assert.deepEqual(told, [item('event', event.id), item('venue', venue.id), item('organizer', organizer.id)])
  assert.equal((await firstAnswer(`${root}/tags/${event.tags[0]?.id}`)).body.count, 1)
  assert.equal((await fetch(`${root}/events/${later.id}`)).status, 403)
  await assertJournalMirrors(running.storage)
  await assertCopiesFollow(running.storage)
})

async function makeFuture(app: TestApp, title: string, date_utc: string): Promise<number> {
  const answer = await app.call('administrator', 'POST', '/events', { json: { title, ...SPAN, date_utc } })
  assert.deepEqual([answer.status, answer.body.status], [201, 'future'])
  return answer.body.id
}

test('no read takes a date that has passed for a publication: only the write publishes', async (t) => {
  const app = await openTestApp(t)
  const id = await makeFuture(app, 'Soon', '2026-11-20 18:20:00')
  app.clock.now += HOUR
  const read = await app.call('anonymous', 'GET', `/events/${id}`)
  assert.deepEqual([read.status, read.body.code], [403, 'event-not-accessible'])
  assert.equal((await app.call('editor', 'GET', `/events/${id}`)).body.status, 'future')
  assert.equal((await app.call('anonymous', 'GET', '/events')).body.total, 0)
  assert.equal((await app.call('editor', 'GET', '/events', { query: { status: 'publish' } })).body.total, 0)
  assert.equal((await app.call('editor', 'GET', '/events', { query: { status: 'future' } })).body.total, 1)
})

test('a running server publishes by itself when the date comes', async (t) => {
  const app = await openTestApp(t)
  const { storage } = app.app
  const id = await makeFuture(app, 'Soon', '2026-11-20 18:00:01')
  const published = new Promise<void>((resolve) => {
    subscribe(storage, (entries) => entries.some((one) => one.resource === 'event' && one.actor === null) && resolve())
  })
  app.clock.now += 1_000
  await published
  const [entry] = (await readSince(storage, 0, 100)).filter(
    (one) => one.resource === 'event' && one.id === id && one.revision === 2,
  )
  assert.deepEqual([entry?.resource, entry?.action, entry?.at], ['event', 'update', '2026-11-20 18:00:01'])
  assert.equal((await app.call('anonymous', 'GET', `/events/${id}`)).body.status, 'publish')
})

test('a server that stops publishes what comes due until its last request is answered', async (t) => {
  const app = await openTestApp(t)
  const { storage } = app.app
  await makeFuture(app, 'Soon', '2026-11-20 18:00:01')
  const socket = connect(Number(new URL(app.origin).port), '127.0.0.1')
  const authorization = app.authorization('administrator')
  const head = ['POST /cal/events/v1/tags HTTP/1.1', 'host: x', `authorization: ${authorization}`, 'content-length: 12']
  socket.write(`${head.join('\r\n')}\r\ncontent-type: application/json\r\n\r\n{"name":`)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += String(chunk)
  })
  // An answer to a later request: the first one has arrived.
  assert.equal((await app.call('anonymous', 'GET', '/events')).status, 200)
  const closed = app.app.close()
  const published = new Promise<void>((resolve) => {
    subscribe(storage, (entries) => entries.some((one) => one.resource === 'event' && one.actor === null) && resolve())
  })
  app.clock.now += 1_000
  await published
  socket.write('"a"}')
  await closed
  assert.match(answer, /^HTTP\/1.1 201/)
})
