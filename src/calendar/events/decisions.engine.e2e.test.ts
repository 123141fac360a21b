import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../../../test/support/app.ts'
import { contractAt } from '../../../test/support/checked.ts'
import { MEETING, make, titles } from '../../../test/support/events.ts'
import { readSince } from '../../storage/journal/read.ts'

test('a password protects content in reads, lists and searches, and editors need none', async (t) => {
  const app = await openTestApp(t)
  const event = await make(app, {
    title: 'Closed party',
    description: 'behind the bakery',
    password: 'open sesame',
    cost: '5',
  })
  const path = `/events/${event.id}`
  assert.equal((await app.call('anonymous', 'GET', path)).body.code, 'event-password-protected')
  assert.equal((await app.call('anonymous', 'GET', path, { query: { password: 'wrong' } })).status, 403)
  assert.equal((await app.call('anonymous', 'GET', path, { query: { password: '' } })).status, 400)
  const opened = await app.call('anonymous', 'GET', path, { query: { password: 'open sesame' } })
  assert.match(opened.body.description, /bakery/)
  assert.match(opened.headers.get('cache-control') ?? '', /no-store/)
  assert.match((await app.call('editor', 'GET', path)).body.description, /bakery/)
  const listed = await app.call('anonymous', 'GET', '/events')
  assert.deepEqual(
    [listed.body.events[0].title, listed.body.events[0].description, listed.body.events[0].all_day],
    ['Closed party', '', null],
  )
  assert.deepEqual(await titles(app, { search: 'bakery' }), [])
  assert.deepEqual(await titles(app, { search: 'party' }), ['Closed party'])
  const journal = await readSince(app.app.storage, 0, 1000)
  assert.ok(!JSON.stringify(journal).includes('scrypt'))
})

test('a slug or id in the query string of an update does nothing; a slug in the body renames', async (t) => {
  const app = await openTestApp(t)
  const event = await make(app)
  const other = await make(app, { title: 'Other' })
  for (const path of [`/events/${event.id}`, '/events/by-slug/board-meeting']) {
    const kept = await app.call('administrator', 'POST', `${path}?slug=renamed&id=${other.id}`, {
      json: { excerpt: 'x' },
    })
    assert.deepEqual([kept.status, kept.body.id, kept.body.slug], [200, event.id, 'board-meeting'])
  }
  const renamed = await app.call('administrator', 'POST', `/events/${event.id}`, { json: { slug: 'Renamed!' } })
  assert.equal(renamed.body.slug, 'renamed')
})

test('a write that another one has overtaken is refused and not stored', async (t) => {
  const app = await openTestApp(t)
  const event = await make(app)
  const [start, end] = await Promise.all([
    app.call('administrator', 'PATCH', `/events/${event.id}`, { json: { start_date: '2027-03-01 11:30:00' } }),
    app.call('administrator', 'PATCH', `/events/${event.id}`, { json: { end_date: '2027-03-01 11:00:00' } }),
  ])
  assert.deepEqual([start.status, end.status].sort(), [200, 400])
  const read = await app.call('anonymous', 'GET', `/events/${event.id}`)
  assert.ok(read.body.end_date >= read.body.start_date)
})

test('two events cannot become parts of each other at once, nor parts of one that is being deleted', async (t) => {
  const app = await openTestApp(t)
  const [first, second] = [await make(app), await make(app)]
  const adopted = await Promise.all([
    app.call('administrator', 'PATCH', `/events/${first.id}`, { json: { post_parent: second.id } }),
    app.call('administrator', 'PATCH', `/events/${second.id}`, { json: { post_parent: first.id } }),
  ])
  assert.deepEqual(adopted.map((answer) => answer.status).sort(), [200, 400])
  for (let round = 0; round < 5; round += 1) {
    const parent = await make(app)
    const json = { ...MEETING, post_parent: parent.id }
    const [, part] = await Promise.all([
      app.call('administrator', 'DELETE', `/events/${parent.id}`, { query: { force: 'true' } }),
      app.call('administrator', 'POST', '/events', { json }),
    ])
    if (part.status === 400) continue
    const read = await app.call('administrator', 'GET', `/events/${part.body.id}`)
    assert.equal(read.body.post_parent, undefined)
  }
})

test('json_ld stands before the unknown members of an import and says what takes place online', async (t) => {
  const app = await openTestApp(t)
  const event = await make(app)
  const extra = JSON.stringify({ is_virtual: true, virtual_url: 'https://stream.example/x', note: 'kept' })
  const { storage } = app.app
  const contract = await contractAt(app.origin)
  contract.allowUnknownMembers()
  await storage.write((tx) => tx.run(tx.db.updateTable('event').set({ extra }).where('id', '=', event.id)))
  const read = await app.call('anonymous', 'GET', `/events/${event.id}`)
  assert.deepEqual(Object.keys(read.body).slice(-4), ['json_ld', 'is_virtual', 'virtual_url', 'note'])
  assert.deepEqual(read.body.json_ld.location, { '@type': 'VirtualLocation', url: 'https://stream.example/x' })
})

test('hidden venues can neither be filtered by nor located', async (t) => {
  const app = await openTestApp(t)
  const venue = { venue: 'Bunker', status: 'private', geo_lat: 46.9, geo_lng: 7.4 }
  const made = await app.call('administrator', 'POST', '/venues', { json: venue })
  const event = await make(app, { venue: made.body.id })
  assert.equal((await app.call('anonymous', 'GET', '/events', { query: { venue: made.body.id } })).status, 400)
  const near = { geoloc_lat: 46.9, geoloc_lng: 7.4, geoloc_radius: 1 }
  for (const [query, of] of [
    [{ geoloc: 'true' }, 0],
    [near, 0],
    [{ geoloc: 'false' }, 1],
  ] as const) {
    assert.equal((await app.call('anonymous', 'GET', '/events', { query })).body.total, of, JSON.stringify(query))
    assert.equal((await app.call('editor', 'GET', '/events', { query })).body.total, 1 - of, JSON.stringify(query))
  }
  assert.equal(
    (await app.call('editor', 'GET', '/events', { query: { venue: made.body.id } })).body.events[0].id,
    event.id,
  )
})

test('an empty password is refused beside other parameters wherever it is a credential', async (t) => {
  const app = await openTestApp(t)
  const event = await make(app, { password: 'sesame' })
  const list = await app.call('anonymous', 'GET', '/events', { query: { page: 0, password: '' } })
  assert.deepEqual([list.status, Object.keys(list.body.data.params)], [400, ['page', 'password']])
  const removed = await app.call('editor', 'DELETE', `/events/${event.id}`, { query: { password: '' } })
  assert.deepEqual([removed.status, Object.keys(removed.body.data.params)], [400, ['password']])
  assert.equal((await app.call('editor', 'PATCH', `/events/${event.id}`, { json: { password: '' } })).status, 200)
  assert.equal((await app.call('anonymous', 'GET', `/events/${event.id}`)).status, 200)
})

test('a name is not taken for the slug of another term', async (t) => {
  const app = await openTestApp(t)
  await app.call('administrator', 'POST', '/tags', { json: { name: 'Cee' } })
  const event = await make(app, { tags: ['Cee++'] })
  assert.deepEqual(
    (event['tags'] as { name: string }[]).map((tag) => tag.name),
    ['Cee++'],
  )
  const again = await make(app, { title: 'Again', tags: ['cee++', 'cee'] })
  assert.deepEqual(
    (again['tags'] as { name: string }[]).map((tag) => tag.name),
    ['Cee', 'Cee++'],
  )
  assert.deepEqual(await titles(app, { tags: 'Cee++' }), ['Board meeting', 'Again'])
})

test('an instant in the hour that the clock shows twice keeps its place', async (t) => {
  const app = await openTestApp(t)
  const times = { start_date: '2027-11-07T01:45:00-04:00', end_date: '2027-11-07T01:15:00-05:00' }
  const event = await make(app, times)
  assert.deepEqual([event['utc_start_date'], event['utc_end_date']], ['2027-11-07 05:45:00', '2027-11-07 06:15:00'])
  const changed = await app.call('administrator', 'PATCH', `/events/${event.id}`, { json: { title: 'Other' } })
  assert.equal(changed.body.utc_end_date, '2027-11-07 06:15:00')
})

test('titles and names of 0 are refused', async (t) => {
  const app = await openTestApp(t)
  for (const [path, json] of [
    ['/events', { ...MEETING, title: '0' }],
    ['/events', { ...MEETING, tags: ['0'] }],
    ['/venues', { venue: '0' }],
    ['/organizers', { organizer: '0' }],
    ['/tags', { name: '0' }],
  ] as const) {
    assert.equal((await app.call('administrator', 'POST', path, { json })).status, 400, path)
  }
  assert.equal(
    (
      await app.call('administrator', 'POST', '/venues', {
        json: { venue: 'A', show_map: 'enable', show_map_link: 'abc' },
      })
    ).body.show_map_link,
    false,
  )
})
