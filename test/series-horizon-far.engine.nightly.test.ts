import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { moveHorizons } from '../src/calendar/events/series/horizon.ts'
import { openTestApp } from './support/app.ts'
import { assertSound } from './support/sound.ts'

/* What becomes of rules without end in the course of years. */

const app = await openTestApp({ after })
const LEAST = { title: 'Yoga', start_date: '2027-01-04 10:00:00', end_date: '2027-01-04 11:30:00', timezone: 'UTC' }

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
type Item = any

async function send(method: string, path: string, json: object): Promise<Item> {
  const { status, body } = await app.call('administrator', method, path, { json })
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body
}

async function list(query: Readonly<Record<string, string | number>>): Promise<{ events: Item[]; total: number }> {
  const wide = { start_date: '2020-01-01', end_date: '2099-01-01', per_page: 50 }
  const { status, body } = await app.call('anonymous', 'GET', '/events', { query: { ...wide, ...query } })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

test('more dates than may be written are held of a rule without end when time brings them, and refuse no change', async () => {
  const twice = { ...LEAST, start_date: '2026-11-21 10:00:00', end_date: '2026-11-21 11:00:00' }
  const { id } = await send('POST', '/events', { ...twice, recurrence: 'RRULE:FREQ=HOURLY;INTERVAL=12' })
  const { storage } = app.app
  const query = { series: id, per_page: 1 }
  const before = (await list(query)).total
  assert.equal(before, 3651)
  const { now } = app.clock
  app.clock.now = Date.UTC(2028, 10, 20, 18)
  await moveHorizons(storage, { now: app.clock.now, recurrenceYears: 5 }, new AbortController().signal)
  assert.equal((await list(query)).total, 5113)
  const { events } = await list({ series: id, start_date: '2033-11-20', per_page: 50 })
  assert.equal(events.at(-1).start_date, '2033-11-20 10:00:00')
  await app.call('administrator', 'DELETE', `/events/${events[0].id}`, { query: { scope: 'this' } })
  assert.equal((await list(query)).total, 5112)
  await send('PATCH', `/events/${events[0].id}`, { status: 'publish' })
  assert.equal((await list(query)).total, 5113)
  await send('PATCH', `/events/${id}`, { recurrence: 'RRULE:FREQ=HOURLY;INTERVAL=12', title: 'Twice' })
  assert.equal((await list(query)).total, 5113)
  await send('PATCH', `/events/${id}`, { start_date: '2026-11-21 09:30:00', end_date: '2026-11-21 10:30:00' })
  assert.equal((await list(query)).total, 5113)
  // Ten years ahead more than 5,000 would be to come: so many are held.
  await moveHorizons(storage, { now: app.clock.now, recurrenceYears: 10 }, new AbortController().signal)
  assert.equal((await list(query)).total, 1461 + 5000)
  const { body: held } = await app.call('anonymous', 'GET', `/events/${id}`)
  assert.equal(held.recurrence_until, '2035-09-25 09:30:00')
  const [later] = (await list({ series: id, start_date: '2033-11-20', per_page: 1 })).events
  await app.call('administrator', 'DELETE', `/events/${later.id}`, { query: { scope: 'following' } })
  const left = (await list(query)).total
  assert.ok(left > 5000 && left < 5120, String(left))
  const grown = await app.call('administrator', 'PATCH', `/events/${id}`, {
    json: { recurrence: 'RRULE:FREQ=HOURLY;INTERVAL=6;COUNT=6000' },
  })
  assert.equal(grown.status, 400)
  await send('PATCH', `/events/${id}`, { recurrence: 'RRULE:FREQ=DAILY;COUNT=30' })
  assert.equal((await list(query)).total, 30)
  app.clock.now = now
  await assertSound(app.app.storage)
})

test('a rule that looks at much goes on for decades, and can be changed then', async () => {
  const rule = { recurrence: 'RRULE:FREQ=MINUTELY;BYDAY=MO;BYHOUR=10;BYMINUTE=0' }
  const { id } = await send('POST', '/events', { ...LEAST, ...rule, title: 'Tour' })
  const { storage } = app.app
  const later = { now: Date.UTC(2050, 10, 20, 18), recurrenceYears: 5 }
  await moveHorizons(storage, later, new AbortController().signal)
  const lastYear = { series: id, start_date: '2055-01-01', end_date: '2055-11-20' }
  const { total, events } = await list(lastYear)
  // All Mondays, from the 4th of January to the 15th of November.
  assert.equal(total, 46)
  const was = app.clock.now
  app.clock.now = later.now
  const { status, body } = await app.call('administrator', 'DELETE', `/events/${events[3].id}`)
  app.clock.now = was
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal((await list(lastYear)).total, 45)
})
