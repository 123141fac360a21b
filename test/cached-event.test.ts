import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { databaseFlags, openTestApp } from './support/app.ts'
import { hitsOf, METRICS } from './support/cache-hits.ts'
import { MEETING } from './support/events.ts'

const data = await mkdtemp(join(tmpdir(), 'kalends-event-'))
after(() => rm(data, { recursive: true, force: true }))
const { app, origin, call } = await openTestApp(
  { after },
  { data, siteHost: 'calendar.example', ...METRICS, ...(await databaseFlags()) },
)
const { body: event } = await call('administrator', 'POST', '/events', { json: MEETING })
let number = 0

interface Told {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> & { readonly code?: string; readonly data?: object }
  /** Whether its kept text was sent. */
  readonly wasKept: boolean
}

/** Asks for the event under an address that nobody has asked for before. */
async function ask(query = '', mount = '/cal/events/v1'): Promise<Told> {
  number += 1
  const before = await hitsOf(app, 'text')
  const answer = await fetch(`${origin}${mount}/events/${event.id}?n=${number}${query}`)
  const body = (await answer.json()) as Told['body']
  return { status: answer.status, body, wasKept: (await hitsOf(app, 'text')) > before }
}

test('an event whose text is kept is answered without the database, under each mount with its own addresses', async () => {
  const first = await ask()
  const second = await ask()
  assert.deepEqual([first.wasKept, second.wasKept, second.status], [false, true, 200])
  assert.deepEqual(second.body, first.body)
  const elsewhere = await ask('', '/wp-json/tribe/events/v1')
  assert.equal(elsewhere.wasKept, false)
  assert.match(String(elsewhere.body['rest_url']), /\/wp-json\/tribe\/events\/v1\/events\/\d+$/)
  assert.deepEqual((await ask()).body, first.body)
})

test('what a request says of the form of its answer, or sends besides, counts all the same', async () => {
  await ask()
  assert.deepEqual((await ask('&_fields=id')).body, { id: event.id })
  assert.equal((await ask('&_envelope=1')).body['status'], 200)
  assert.equal((await ask('&password=x')).status, 200)
  assert.equal((await ask('&password[]=x')).status, 400)
})

test('a write of the event or of what it shows, a password and the trash end its text', async () => {
  const change = (json: object): Promise<unknown> => call('administrator', 'PATCH', `/events/${event.id}`, { json })
  const { body: venue } = await call('administrator', 'POST', '/venues', { json: { venue: 'Town hall' } })
  await change({ title: 'Moved', venue: [venue.id] })
  await ask()
  assert.equal((await ask()).body['title'], 'Moved')
  await call('administrator', 'PATCH', `/venues/${venue.id}`, { json: { venue: 'Old town hall' } })
  assert.match(JSON.stringify((await ask()).body['venue']), /Old town hall/)
  await change({ password: 'sesame' })
  assert.deepEqual([(await ask()).body.code, (await ask()).body.code], Array(2).fill('event-password-protected'))
  await change({ password: '' })
  assert.equal((await ask()).status, 200)
  await call('administrator', 'DELETE', `/events/${event.id}`)
  assert.equal((await ask()).body.code, 'event-not-accessible')
})
