import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../support/app.ts'
import { hitsOf, METRICS } from '../support/cache-hits.ts'
import { make } from '../support/events.ts'

/*
 * must hold 8: no cached answer has `is_past` or `is_now` wrong after time moves on.
 */

const START = Date.UTC(2027, 2, 1, 15)
const END = Date.UTC(2027, 2, 1, 17)

/** Moments around those at which something changes, and what the event of the first one says then. */
const MOMENTS = [
  [START - 86_400_000, false, false],
  [START - 1, false, false],
  [START, false, true],
  [START + 1, true, true],
  [END, true, true],
  [END + 1, true, false],
  [END + 40 * 86_400_000, true, false],
] as const

test('must hold 8: a kept answer lasts until the next start or end among its events', async (t) => {
  const app = await openTestApp(t, METRICS)
  // In New York, five hours behind UTC.
  const { id } = await make(app, { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' })
  await make(app, { start_date: '2027-03-05 10:00:00', end_date: '2027-03-05 12:00:00', password: 'sesame' })
  const paths = [`/events/${id}`, '/events?order=desc', `/events?include=${id}`, '/events?start_date=2027-03-01']
  app.clock.now = START - 2 * 86_400_000
  for (const [now, isPast, isNow] of MOMENTS)
    for (const path of paths) {
      app.clock.now = now
      for (const turn of ['made', 'kept'] as const) {
        const hits = await hitsOf(app.app, 'answer')
        const { body } = await app.call('anonymous', 'GET', `${app.origin}/tec/v1${path}`)
        const event = path.startsWith('/events/') ? body : body.find((one: { id: number }) => one.id === id)
        const told = [path, now, event.is_past, event.is_now]
        assert.deepEqual(told, [path, now, isPast, isNow])
        if (turn === 'kept') assert.equal(await hitsOf(app.app, 'answer'), hits + 1, path)
      }
    }
})

test('the tag of an answer changes with time, and a condition on the version of the event does not', async (t) => {
  const app = await openTestApp(t)
  const { id } = await make(app, { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' })
  const tags: string[] = []
  for (const [now] of MOMENTS.slice(1, 4)) {
    app.clock.now = now
    const { headers } = await app.call('editor', 'GET', `${app.origin}/tec/v1/events/${id}`)
    tags.push(headers.get('etag') ?? assert.fail('no tag'))
    const again = { headers: { 'if-none-match': tags.at(-1) ?? '' } }
    assert.equal((await app.call('editor', 'GET', `${app.origin}/tec/v1/events/${id}`, again)).status, 304)
  }
  assert.equal(new Set(tags).size, 3)
  const marks = tags.map((tag) => /\.([\w-]{16})/.exec(tag)?.[1])
  assert.deepEqual([new Set(marks).size, marks.includes(undefined)], [1, false])
  const own = await app.call('editor', 'GET', `/events/${id}`)
  const sent = { json: { title: 'Moved' }, headers: { 'if-match': tags[0] ?? '' } }
  assert.equal(/\.([\w-]{16})/.exec(own.headers.get('etag') ?? '')?.[1], marks[0])
  assert.equal((await app.call('editor', 'PATCH', `/events/${id}`, sent)).status, 200)
  assert.equal((await app.call('editor', 'PATCH', `/events/${id}`, sent)).status, 412)
})
