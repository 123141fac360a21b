import assert from 'node:assert/strict'
import test, * as nodeTest from 'node:test'
import { openTestApp } from './support/app.ts'
import { eventsIn, fileOf, fixture, importFiles } from './support/json-import.ts'

const app = await openTestApp(nodeTest)
const EVENT = { title: 'Regatta', start_date: '2027-01-01', end_date: '2027-01-02' }

test('names that mean nothing are reported at the top of a body and ignored inside its objects', async () => {
  const json = { ...EVENT, venue: { venue: 'Hall', citty: 'Ulm' }, tickets: [{ name: 'Standing', prize: 4 }] }
  const answer = await app.call('editor', 'POST', '/events', { json: { ...json, colour: 2 } })
  assert.deepEqual([answer.status, answer.headers.get('x-kalends-ignored')], [201, 'colour'])
  const strict = await app.call('editor', 'POST', '/events', { json: { ...json, strict: 1 } })
  assert.deepEqual([strict.status, strict.headers.get('x-kalends-ignored')], [201, null])
})

test('what an import has brought along may be sent back strictly, and nothing else', async () => {
  const [event] = eventsIn(fixture('harbour-event.json'))
  const foreign = { ...event, tide_table: { low: '06:10' }, venue: { ...event.venue, berths: 12 } }
  assert.deepEqual((await importFiles(app, [fileOf(foreign)])).notes, [])
  const { id } = (await app.call('editor', 'GET', `/events/by-slug/${event.slug}`)).body
  const path = `/events/${id}`
  const { body } = await app.call('editor', 'GET', path)
  assert.deepEqual([body.tide_table, body.venue.berths], [foreign.tide_table, 12])
  const query = { strict: 1 }
  assert.equal((await app.call('editor', 'PUT', path, { json: body, query })).status, 200)
  const refused = await app.call('editor', 'PUT', path, { json: { ...body, tide: 1 }, query })
  assert.deepEqual(Object.keys(refused.body.data.params), ['tide'])
})
