import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { MEETING } from '../support/events.ts'

const app = await openTestApp({ after })

/** IDs of the tickets of an event in their order. */
async function idsOf(event: number): Promise<number[]> {
  const { storage } = app.app
  const rows = await storage.all(
    storage.db.selectFrom('ticket').select('id').where('event_id', '=', event).orderBy('position'),
  )
  return rows.map(({ id }) => id)
}

async function made(json: object): Promise<number> {
  const { status, body } = await app.call('editor', 'POST', '/events', { json: { ...MEETING, ...json } })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

async function changed(event: number, json: object): Promise<number[]> {
  const { status, body } = await app.call('editor', 'PATCH', `/events/${event}`, { json })
  assert.equal(status, 200, JSON.stringify(body))
  return idsOf(event)
}

const [ADULT, CHILD] = [
  { name: 'Adult', price: '10' },
  { name: 'Child', price: '5' },
]

test('a ticket keeps its ID while its name stays, or while only that changes', async () => {
  const event = await made({ tickets: [ADULT, CHILD] })
  const [adult = 0, child = 0] = await idsOf(event)
  assert.deepEqual([adult, child], [event + 1, event + 2])
  assert.deepEqual(await changed(event, { title: 'Other' }), [adult, child])
  assert.deepEqual(await changed(event, { tickets: [CHILD, ADULT] }), [child, adult])
  assert.deepEqual(await changed(event, { tickets: [{ ...CHILD, price: '6' }, ADULT] }), [child, adult])
  assert.deepEqual(await changed(event, { tickets: [{ name: 'Young', price: '6' }, ADULT] }), [child, adult])
  assert.deepEqual(await changed(event, { tickets: [{ name: 'Elders', price: '7' }, ADULT] }), [child + 1, adult])
})

test('of two tickets of one name the one that stays keeps its ID', async () => {
  const event = await made({ tickets: [ADULT, { ...ADULT, price: '12' }] })
  const [, dear] = await idsOf(event)
  assert.deepEqual(await changed(event, { tickets: [{ ...ADULT, price: '12' }] }), [dear])
})

test('IDs of tickets are never given to anything else', async () => {
  const event = await made({ tickets: [ADULT, CHILD] })
  const taken = await idsOf(event)
  assert.deepEqual(await changed(event, { tickets: [] }), [])
  const again = await changed(event, { tickets: [ADULT] })
  assert.ok(!taken.some((id) => again.includes(id)))
  const removed = await app.call('editor', 'DELETE', `/events/${event}`, { query: { force: 'true' } })
  assert.equal(removed.status, 200)
  assert.deepEqual(await idsOf(event), [])
  assert.ok((await made({})) > Math.max(...taken, ...again))
})

test('the tickets of a recurring event have IDs once, those of a date that differs none', async () => {
  const event = await made({ tickets: [ADULT], recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] })
  const ids = await idsOf(event)
  assert.equal(ids.length, 1)
  const { body } = await app.call('editor', 'GET', '/events', { query: { series: event, start_date: '2020-01-01' } })
  const [, second] = body.events
  assert.deepEqual(await changed(second.id, { tickets: [CHILD] }), [])
  assert.deepEqual(await idsOf(event), ids)
  const { storage } = app.app
  const rows = await storage.all(storage.db.selectFrom('ticket').selectAll().where('event_id', '>=', event))
  assert.deepEqual(rows, [{ id: ids[0], event_id: event, position: 0 }])
  assert.deepEqual(await changed(event, { recurrence: [], scope: 'all' }), ids)
})

test('imported tickets have IDs too', async () => {
  const event = { ...MEETING, title: 'Brought', tickets: [ADULT, CHILD] }
  const bytes = Buffer.from(JSON.stringify({ events: [{ id: 90, ...event, global_id: 'x.example?id=1' }] }))
  const report = await app.app.importJson?.([{ name: 'a.json', bytes }], {
    author: undefined,
    onProgress: () => undefined,
  })
  assert.equal(report?.created, 1)
  const { body } = await app.call('editor', 'GET', '/events', {
    query: { search: 'Brought', start_date: '2020-01-01' },
  })
  assert.equal((await idsOf(body.events[0].id)).length, 2)
})
