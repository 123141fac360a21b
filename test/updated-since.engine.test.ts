import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, openTestApp } from './support/app.ts'

/** A program that follows a calendar asks each list what has changed since it last asked. */

const { call, clock } = await openTestApp({ after })
const SPAN = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

async function write(method: 'POST' | 'PATCH' | 'DELETE', path: string, json: object = {}): Promise<Answer['body']> {
  const { status, body } = await call('editor', method, path, { json })
  assert.ok(status < 300, JSON.stringify(body))
  return body
}

async function changed(path: string, query: Readonly<Record<string, string>>): Promise<number[]> {
  const answer = await call('editor', 'GET', path, { query: { hide_empty: 'false', ...query } })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const ids = answer.body[path.slice(1)].map((one: { id: number }) => one.id)
  assert.equal(answer.body.total, ids.length)
  return ids.sort((one: number, other: number) => one - other)
}

/** Moves the clock, and tells the moment in UTC. */
function later(): string {
  clock.now += 60_000
  return new Date(clock.now).toISOString()
}

for (const [path, json, change] of [
  ['/events', { title: 'Talk', ...SPAN }, { title: 'Lecture' }],
  ['/venues', { venue: 'Hall' }, { phone: '1' }],
  ['/organizers', { organizer: 'Club' }, { organizer: 'Society' }],
  ['/categories', { name: 'Music' }, { name: 'Sound' }],
  ['/tags', { name: 'free' }, { slug: 'gratis' }],
] as const) {
  test(`${path} gives what was created or changed at a moment or later, and follows each change`, async () => {
    const one = await write('POST', path, json)
    const since = later()
    assert.deepEqual(await changed(path, { updated_since: since }), [])
    const other = await write('POST', path, { ...json, ...(path === '/tags' ? { name: 'paid' } : change), slug: 'b' })
    assert.deepEqual(await changed(path, { updated_since: since }), [other.id])
    await write('PATCH', `${path}/${one.id}`, change)
    assert.deepEqual(await changed(path, { updated_since: since }), [one.id, other.id])
    const { body } = await call('anonymous', 'GET', path, { query: { updated_since: since, hide_empty: 'false' } })
    const again = await call('anonymous', 'GET', body.rest_url)
    assert.deepEqual([again.body.rest_url, again.body.total], [body.rest_url, 2])
    assert.equal(new URL(body.rest_url).searchParams.get('updated_since'), since)
    assert.deepEqual(await changed(path, { updated_since: later() }), [])
  })
}

test('an anonymous list that was cached shows the next change', async () => {
  const since = later()
  const query = { updated_since: since }
  assert.equal((await call('anonymous', 'GET', '/events', { query })).body.total, 0)
  const { id } = await write('POST', '/events', { title: 'New', ...SPAN })
  assert.deepEqual(
    (await call('anonymous', 'GET', '/events', { query })).body.events.map((one: Answer['body']) => one.id),
    [id],
  )
})

test('what went to the trash, came back, was published, or lost a term has changed', async () => {
  const term = await write('POST', '/categories', { name: 'Short-lived' })
  const child = await write('POST', '/categories', { name: 'Child', parent: term.id })
  const { id } = await write('POST', '/events', { title: 'Event', ...SPAN, categories: [term.id] })
  const draft = await write('POST', '/events', { title: 'Draft', ...SPAN, status: 'draft' })
  const moments = [later()]
  await write('DELETE', `/events/${id}`)
  assert.deepEqual(await changed('/events', { updated_since: moments[0] ?? '', status: 'trash' }), [id])
  moments.push(later())
  await write('PATCH', `/events/${id}`, { status: 'publish' })
  assert.deepEqual(await changed('/events', { updated_since: moments[1] ?? '' }), [id])
  moments.push(later())
  await write('DELETE', `/categories/${term.id}`)
  assert.deepEqual(await changed('/events', { updated_since: moments[2] ?? '' }), [id])
  assert.deepEqual(await changed('/categories', { updated_since: moments[2] ?? '' }), [child.id])
  moments.push(later())
  await write('PATCH', `/events/${draft.id}`, { status: 'publish' })
  assert.deepEqual(await changed('/events', { updated_since: moments[3] ?? '' }), [draft.id])
})

test('all dates of a series have changed with it, and a date that was changed alone', async () => {
  const json = { title: 'Yoga', ...SPAN, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] }
  const { id } = await write('POST', '/events', json)
  const dates = await changed('/events', { series: String(id) })
  const since = later()
  await write('PATCH', `/events/${dates[1]}`, { title: 'Guest teacher', scope: 'this' })
  assert.ok((await changed('/events', { updated_since: since, series: String(id) })).includes(dates[1] ?? 0))
  const next = later()
  await write('PATCH', `/events/${id}`, { description: '<p>Bring a mat.</p>' })
  assert.deepEqual(await changed('/events', { updated_since: next, series: String(id) }), dates)
})

test('the moment is read like every date, on the clock of the site', async () => {
  const { id } = await write('POST', '/events', { title: 'Now', ...SPAN })
  const local = new Date(clock.now - 5 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  assert.ok((await changed('/events', { updated_since: local })).includes(id))
  assert.ok((await changed('/events', { updated_since: '-1 minute' })).includes(id))
  assert.deepEqual(await changed('/events', { updated_since: '+1 second' }), [])
  const refused = await call('anonymous', 'GET', '/tags', { query: { updated_since: 'never' } })
  assert.deepEqual([refused.status, refused.body.code], [400, 'rest_invalid_param'])
})
