import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, openTestApp, type TestApp } from './support/app.ts'

const TIMES = { start_date: '2027-01-01 10:00', end_date: '2027-01-01 11:00' }

function series(count: number, title = 'Series'): Readonly<Record<string, unknown>> {
  return { title, ...TIMES, recurrence: [`RRULE:FREQ=DAILY;COUNT=${count}`] }
}

const create = (count: number) => ({ method: 'POST', path: '/events', body: series(count) })

function batch({ call, origin }: TestApp, json: object): Promise<Answer> {
  return call('editor', 'POST', `${origin}/kalends/v1/batch`, { json })
}

async function cursorOf({ call, origin }: TestApp): Promise<string> {
  return (await call('editor', 'GET', `${origin}/kalends/v1/changes`)).body.cursor
}

/** How many writes are left, as a response says it. */
function leftOf({ headers }: Answer): number {
  return Number(/"writes";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
}

test('a batch that would change more than 10,000 rows is refused as a whole before it starts', async (t) => {
  const app = await openTestApp(t)
  const made = await app.call('editor', 'POST', '/events', { json: series(120) })
  const path = `/events/${made.body.id}`
  const start = await cursorOf(app)
  const tooMuch: readonly object[][] = [
    [create(4_000), create(4_000), create(4_000)],
    // Each of these looks at 120 dates.
    Array.from({ length: 90 }, (_, index) => ({ method: 'PUT', path, body: { title: `T${index}` } })),
    Array.from({ length: 90 }, () => ({ method: 'DELETE', path: `${path}?force=true` })),
    Array.from({ length: 90 }, (_, index) => ({ method: 'DELETE', path: `/events/${made.body.id + 1 + index}` })),
    Array.from({ length: 5 }, () => ({ method: 'PUT', path, body: { recurrence: create(3_000).body['recurrence'] } })),
  ]
  for (const requests of tooMuch) {
    for (const atomic of [true, false]) {
      const { status, body } = await batch(app, { requests, atomic })
      assert.deepEqual([status, body.code], [413, 'batch_too_much'])
    }
  }
  assert.equal(await cursorOf(app), start)
})

test('requests of a batch that refer to others are counted when their turn comes', async (t) => {
  const app = await openTestApp(t, { limitWrites: '1000/60' })
  const change = (index: number) => ({ method: 'PUT', path: '/events/$ref:new.id', body: { title: `T${index}` } })
  const requests = [{ id: 'new', ...create(120) }, ...Array.from({ length: 99 }, (_, index) => change(index))]
  const start = await cursorOf(app)
  const { body } = await batch(app, { requests })
  assert.equal(body.data.failed.body.code, 'rest_too_many_requests')
  assert.equal(await cursorOf(app), start)
})

test('writes of a series take as many from the budgets of their client as it has dates', async (t) => {
  const app = await openTestApp(t, { limitWrites: '1000/60' })
  const made = await app.call('editor', 'POST', '/events', { json: series(200) })
  assert.equal(leftOf(made), 800)
  const path = `/events/${made.body.id}`
  assert.equal(leftOf(await app.call('editor', 'PUT', path, { json: { title: 'Other' } })), 600)
  const changed = await app.call('editor', 'PUT', path, { json: { title: 'One' }, query: { scope: 'this' } })
  assert.equal(leftOf(changed), 400)
  assert.equal(leftOf(await app.call('editor', 'DELETE', path)), 200)
  assert.equal(leftOf(await batch(app, { requests: [create(150)] })), 50)
  // More than is left is done all the same, and is the last.
  assert.equal(leftOf(await app.call('editor', 'DELETE', path, { query: { force: 'true' } })), 0)
  assert.equal((await app.call('editor', 'POST', '/tags', { json: { name: 'Late' } })).status, 429)
})
