// One engine: names are compared before anything is stored.
import assert from 'node:assert/strict'
import test, * as nodeTest from 'node:test'
import { openTestApp } from './support/app.ts'
import { paint } from './support/images.ts'
import { eventsIn, fileOf, fixture, importFiles } from './support/json-import.ts'
import { upload } from './support/upload.ts'

const app = await openTestApp(nodeTest)
const EVENT = { title: 'Regatta', start_date: '2027-01-01', end_date: '2027-01-02' }
const picture = (await upload(app, 'editor', { bytes: await paint(40, 30).png().toBuffer() })).body.image
const HEADER = 'x-kalends-ignored'

/** Each event as it is sent, and what of it means nothing. */
const SENT: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
  [{ venue: { venue: 'Hall', foo: 1, city: 'Ulm', citty: 'Ulm' } }, 'venue.citty, venue.foo'],
  [{ venue: [{ venue: 'Barn', image: { ...picture, foo: { bar: 1 } } }] }, 'venue.image.foo'],
  [
    {
      organizer: [
        { organizer: 'Anna', 'a.b, c': 1 },
        { organizer: 'Ben', mail: 'x' },
      ],
    },
    'organizer.a.b%2C%20c, organizer.mail',
  ],
  [{ organizer: { 1: { organizer: 'Cleo', foo: 1 }, 3: { organizer: 'Dora', foo: 1 } } }, 'organizer.foo'],
  [{ tickets: [{ name: 'Standing', prize: 4 }] }, 'tickets.prize'],
  [{ image: { ...picture, foo: 1 }, foo: 2 }, 'foo, image.foo'],
]

test('members that mean nothing are named inside objects as well, by their path, and strict makes them 400', async () => {
  for (const [members, names] of SENT) {
    const json = { ...EVENT, ...members }
    const refused = await app.call('editor', 'POST', '/events', { json: { ...json, strict: 1 } })
    assert.equal(refused.status, 400, JSON.stringify(json))
    assert.deepEqual(Object.keys(refused.body.data.params).map(encodeURIComponent).sort(), names.split(', '))
    const answer = await app.call('editor', 'POST', '/events', { json })
    assert.deepEqual([answer.status, answer.headers.get(HEADER)], [201, names], JSON.stringify(answer.body))
  }
})

test('members of objects that only name an item are named where nothing answers them', async () => {
  const made = { venue: { venue: 'Quay' }, organizer: { organizer: 'Rowers' }, categories: ['Water'] }
  const { body } = await app.call('editor', 'POST', '/events', { json: { ...EVENT, ...made } })
  const { id: _, ...copy } = body
  assert.equal((await app.call('editor', 'POST', '/events', { json: copy, query: { strict: 1 } })).status, 201)
  const json = {
    venue: { ...body.venue, foo: 1 },
    organizer: [{ ...body.organizer[0], foo: 1 }],
    categories: [{ ...body.categories[0], foo: 1 }],
  }
  const answer = await app.call('editor', 'PATCH', `/events/${body.id}`, { json })
  assert.deepEqual([answer.status, answer.headers.get(HEADER)], [200, 'categories.foo, organizer.foo, venue.foo'])
  const named = await app.call('editor', 'PATCH', `/events/${body.id}?venue[foo]=1&venue[id]=${body.venue.id}`)
  assert.deepEqual([named.status, named.headers.get(HEADER)], [200, 'venue.foo'])
  const refused = await app.call('editor', 'PATCH', `/events/${body.id}`, { json, query: { strict: 1 } })
  assert.deepEqual(Object.keys(refused.body.data.params), ['categories.foo', 'organizer.foo', 'venue.foo'])
})

test('what an import has brought along may be sent back strictly, and nothing else', async () => {
  const [event] = eventsIn(fixture('harbour-event.json'))
  const foreign = { ...event, tide_table: { low: '06:10' }, venue: { ...event.venue, berths: 12 } }
  assert.deepEqual((await importFiles(app, [fileOf(foreign)])).skipped, [])
  const { id } = (await app.call('editor', 'GET', `/events/by-slug/${event.slug}`)).body
  const path = `/events/${id}`
  const { body } = await app.call('editor', 'GET', path)
  assert.deepEqual([body.tide_table, body.venue.berths], [foreign.tide_table, 12])
  const query = { strict: 1 }
  assert.equal((await app.call('editor', 'PUT', path, { json: body, query })).status, 200)
  const json = { ...body, tide: 1, venue: { ...body.venue, berth: 1 } }
  const refused = await app.call('editor', 'PUT', path, { json, query })
  assert.deepEqual(Object.keys(refused.body.data.params), ['tide', 'venue.berth'])
})
