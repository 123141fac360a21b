import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { openTestApp } from './support/app.ts'

const app = await openTestApp({ after })
const event = { title: 'Regatta', start_date: '2027-04-17 09:30', end_date: '2027-04-17 15:00' }

test('a NUL in a list parameter finds nothing and fails nothing', async () => {
  for (const query of [{ search: 'a\0b' }, { categories: 'a\0b' }, { tags: '\0' }]) {
    const { status, body } = await app.call('anonymous', 'GET', '/events', { query })
    assert.ok(status === 200 ? body.total === 0 : status === 400, JSON.stringify([query, status]))
  }
  for (const query of [{ slug: 'a\0b' }, { search: '\0' }, { include: 'a\0b' }]) {
    const { status } = await app.call('anonymous', 'GET', '/tags', { query })
    assert.ok(status === 200 || status === 400, JSON.stringify([query, status]))
  }
  assert.equal((await app.call('anonymous', 'GET', '/events/by-slug/a%00b')).status, 400)
})

test('a NUL in a field that is written is stored as the replacement character', async () => {
  const named = { title: 'A\0B', tags: ['x\0y'], categories: ['\0'], venue: { venue: 'Pier\0', city: '\0' } }
  const { status, body } = await app.call('editor', 'POST', '/events', { json: { ...event, ...named } })
  assert.equal(status, 201)
  assert.deepEqual([body.title, body.tags[0].name, body.venue.venue], ['A\ufffdB', 'x\ufffdy', 'Pier\ufffd'])
  const again = await app.call('editor', 'PATCH', `/events/${body.id}`, { json: named })
  assert.deepEqual([again.status, again.body.tags], [200, body.tags])
})

test('a NUL in the name of a user is a user that there is not', async () => {
  for (const login of ['a\0b:secret', 'a\0b@example.org:secret', '\0:x']) {
    const headers = { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
    assert.equal((await app.call('anonymous', 'GET', '/events', { headers })).status, 401, JSON.stringify(login))
  }
})
