import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSince } from '../src/storage/journal/read.ts'
import { openTestApp } from './support/app.ts'
import { burst } from './support/burst.ts'

/** Jobs of the process itself, of its leader above all, in half a minute. */
const BACKGROUND = 10

test('two hundred concurrent writes of mixed kinds succeed while reads see only whole ones', async (t) => {
  const app = await openTestApp(t)
  const event = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }
  const base = await app.call('administrator', 'POST', '/events', { json: { ...event, title: 'Base', tags: ['base'] } })
  const before = app.app.storage.stats()
  let writing = true
  const reads = (async () => {
    let count = 0
    while (writing) {
      const list = await app.call('anonymous', 'GET', '/events', { query: { per_page: 50 } })
      assert.equal(list.status, 200)
      for (const one of list.body.events) {
        // Every created event has its venue and tag from the first moment it can be read.
        if (one.title.startsWith('Created')) assert.deepEqual([one.venue.venue, one.tags.length], ['Hall', 1])
      }
      count += 1
    }
    return count
  })()
  const authorization = app.authorization('administrator')
  const root = '/cal/events/v1'
  const statuses = await burst(
    app.origin,
    Array.from({ length: 200 }, (_none, n) => ({ authorization, ...requestOf(n) })),
  )
  function requestOf(n: number): { method: string; path: string; json: unknown } {
    const kinds = [
      {
        method: 'POST',
        path: `${root}/events`,
        json: { ...event, title: `Created ${n}`, venue: { venue: 'Hall' }, tags: ['shared'] },
      },
      // Not its title: words that go are forgotten in the background, which is a write more.
      { method: 'PATCH', path: `${root}/events/${base.body.id}`, json: { website: `https://example.org/${n}` } },
      { method: 'POST', path: `${root}/venues`, json: { venue: `Venue ${n}` } },
      { method: 'POST', path: `${root}/categories`, json: { name: `Category ${n}` } },
      { method: 'POST', path: `${root}/organizers`, json: { organizer: `Organizer ${n}`, email: `o${n}@example.org` } },
    ] as const
    return kinds[n % kinds.length] ?? kinds[0]
  }
  writing = false
  assert.ok((await reads) > 0)
  assert.deepEqual([...new Set(statuses)].sort(), [200, 201])
  const stats = app.app.storage.stats()
  const jobs = stats.jobs - before.jobs
  const commits = stats.commits - before.commits
  // What works in the background may have written beside them: a write made twice would be one more for each.
  assert.ok(jobs >= 200 && jobs < 200 + BACKGROUND, `${jobs} jobs`)
  if (app.app.storage.engine === 'sqlite') assert.ok(commits < jobs, `${commits} commits for ${jobs} writes`)
  const venues = await app.call('anonymous', 'GET', '/venues', { query: { search: 'Hall' } })
  assert.equal(venues.body.total, 1, 'equal inline venues are one')
  const seqs = (await readSince(app.app.storage, 0, 5000)).map((entry) => entry.seq)
  assert.deepEqual(
    seqs,
    seqs.map((_seq, index) => index + 1),
  )
  t.diagnostic(`${commits} commits for ${jobs} writes`)
})
