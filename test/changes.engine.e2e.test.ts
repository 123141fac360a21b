import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fail } from '../src/base/errors.ts'
import { changesSeenBy, readChanges } from '../src/changes/feed/index.ts'
import { ANONYMOUS, type Role } from '../src/http/auth/rights.ts'
import type { Compilable, Lane, Reader } from '../src/storage/engine.ts'
import { openTestApp, type TestApp } from './support/app.ts'
import { rowsOf } from './support/storage.ts'

const EVENT = { title: 'Concert', start_date: '2027-04-17 09:30:00', end_date: '2027-04-17 11:00:00' }

/** Reads changes; the body. */
async function changes(app: TestApp, as: Role | 'anonymous', query: Readonly<Record<string, string | number>> = {}) {
  const response = await app.call(as, 'GET', `${app.origin}/kalends/v1/changes?${new URLSearchParams(texts(query))}`)
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body
}

function texts(query: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
}

async function cursorOfNow(app: TestApp): Promise<string> {
  return (await changes(app, 'anonymous')).cursor
}

// biome-ignore lint/complexity/useMaxParams: where, method, path, content: a request line
async function send(app: TestApp, method: string, path: string, json: object = {}) {
  const response = await app.call('administrator', method, path, { json })
  assert.ok(response.status < 300, JSON.stringify(response.body))
  return response.body
}

/** What the changes say, in short: `created event 10`. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
function short(page: any): string[] {
  return page.changes.map((one: Record<string, unknown>) => `${one['action']} ${one['resource']} ${one['id']}`)
}

test('changes follow from a cursor, oldest first, and the next cursor goes on', async (t) => {
  const app = await openTestApp(t)
  const since = await cursorOfNow(app)
  const venue = await send(app, 'POST', '/venues', { venue: 'Hall' })
  const event = await send(app, 'POST', '/events', { ...EVENT, status: 'publish' })
  await send(app, 'POST', `/venues/${venue.id}`, { venue: 'Great hall' })
  const first = await changes(app, 'anonymous', { since, limit: 2 })
  assert.deepEqual(short(first), [`created venue ${venue.id}`, `created event ${event.id}`])
  assert.equal(first.more, true)
  assert.deepEqual([first.changes[0].revision, first.changes[0].at], [1, '2026-11-20 18:00:00'])
  const second = await changes(app, 'anonymous', { since: first.cursor })
  assert.deepEqual(short(second), [`updated venue ${venue.id}`])
  assert.equal(second.more, false)
  const third = await changes(app, 'anonymous', { since: second.cursor })
  assert.deepEqual([third.changes, third.more, third.cursor], [[], false, second.cursor])
})

test('resource narrows down what is followed', async (t) => {
  const app = await openTestApp(t)
  const since = await cursorOfNow(app)
  const venue = await send(app, 'POST', '/venues', { venue: 'Hall' })
  const tag = await send(app, 'POST', '/tags', { name: 'Calm' })
  await send(app, 'POST', '/events', { ...EVENT, status: 'publish' })
  assert.deepEqual(short(await changes(app, 'anonymous', { since, resource: 'venue,tag' })), [
    `created venue ${venue.id}`,
    `created tag ${tag.id}`,
  ])
})

test('what becomes public is created, and what stops being public is deleted', async (t) => {
  const app = await openTestApp(t)
  const since = await cursorOfNow(app)
  const { id } = await send(app, 'POST', '/events', { ...EVENT, status: 'draft' })
  await send(app, 'POST', `/events/${id}`, { title: 'Better' })
  await send(app, 'POST', `/events/${id}`, { status: 'publish' })
  await send(app, 'POST', `/events/${id}`, { title: 'Best' })
  await send(app, 'POST', `/events/${id}`, { status: 'private' })
  await send(app, 'POST', `/events/${id}`, { status: 'publish' })
  await send(app, 'DELETE', `/events/${id}`)
  const page = await changes(app, 'anonymous', { since })
  assert.deepEqual(short(page), [
    `created event ${id}`,
    `updated event ${id}`,
    `deleted event ${id}`,
    `created event ${id}`,
    `deleted event ${id}`,
  ])
  assert.deepEqual(short(await changes(app, 'subscriber', { since })), short(page))
  assert.deepEqual(short(await changes(app, 'author', { since })), short(page))
  const forEditors = short(await changes(app, 'editor', { since }))
  assert.deepEqual(forEditors, [
    `created event ${id}`,
    ...Array.from({ length: 5 }, () => `updated event ${id}`),
    `deleted event ${id}`,
  ])
})

test('authors see their own drafts, and nobody else does', async (t) => {
  const app = await openTestApp(t)
  const since = await cursorOfNow(app)
  const { body } = await app.call('contributor', 'POST', '/events', { json: { ...EVENT, status: 'draft' } })
  assert.deepEqual(short(await changes(app, 'contributor', { since })), [`created event ${body.id}`])
  assert.deepEqual(short(await changes(app, 'author', { since })), [])
})

test('an event that is hidden from lists appears when it is shown there', async (t) => {
  const app = await openTestApp(t)
  const since = await cursorOfNow(app)
  const { id } = await send(app, 'POST', '/events', { ...EVENT, status: 'publish', hide_from_listings: true })
  assert.deepEqual(short(await changes(app, 'anonymous', { since })), [])
  await send(app, 'POST', `/events/${id}`, { hide_from_listings: false })
  assert.deepEqual(short(await changes(app, 'anonymous', { since })), [`created event ${id}`])
})

test('with include_hidden events that no list shows are told of, too, to those who may read them', async (t) => {
  const app = await openTestApp(t)
  const since = await cursorOfNow(app)
  const hidden = { ...EVENT, hide_from_listings: true }
  const { id } = await send(app, 'POST', '/events', { ...hidden, status: 'publish' })
  const draft = (await send(app, 'POST', '/events', { ...hidden, status: 'draft' })).id
  await send(app, 'POST', `/events/${id}`, { title: 'Better' })
  const asked = { since, include_hidden: 'true', expand: 'item' }
  for (const as of ['anonymous', 'subscriber'] as const)
    assert.deepEqual(short(await changes(app, as, asked)), [`created event ${id}`, `updated event ${id}`], as)
  const all = await changes(app, 'editor', asked)
  assert.deepEqual(short(all), [`created event ${id}`, `created event ${draft}`, `updated event ${id}`])
  const items = all.changes.map(({ item }: Record<string, Record<string, unknown>>) => [item?.['id'], item?.['title']])
  assert.deepEqual(items, [
    [id, 'Better'],
    [draft, 'Concert'],
    [id, 'Better'],
  ])
  const { cursor } = all
  await send(app, 'POST', `/events/${id}`, { hide_from_listings: false })
  await send(app, 'DELETE', `/events/${id}`)
  const told = { since: cursor, include_hidden: 'true' }
  assert.deepEqual(short(await changes(app, 'anonymous', told)), [`updated event ${id}`, `deleted event ${id}`])
})

test('venues and terms: trash, restoring and deletion for good', async (t) => {
  const app = await openTestApp(t)
  const venue = await send(app, 'POST', '/venues', { venue: 'Hall' })
  const tag = await send(app, 'POST', '/tags', { name: 'Calm' })
  const since = await cursorOfNow(app)
  await send(app, 'DELETE', `/venues/${venue.id}`)
  await send(app, 'POST', `/venues/${venue.id}`, { status: 'publish' })
  await send(app, 'DELETE', `/venues/${venue.id}`, { force: true })
  await send(app, 'POST', `/tags/${tag.id}`, { name: 'Quiet' })
  await send(app, 'DELETE', `/tags/${tag.id}`)
  assert.deepEqual(short(await changes(app, 'anonymous', { since })), [
    `deleted venue ${venue.id}`,
    `created venue ${venue.id}`,
    `deleted venue ${venue.id}`,
    `updated tag ${tag.id}`,
    `deleted tag ${tag.id}`,
  ])
})

test('expand=item embeds items as the lists show them now, without what the caller may not see', async (t) => {
  const app = await openTestApp(t)
  const since = await cursorOfNow(app)
  const venue = await send(app, 'POST', '/venues', { venue: 'Hall' })
  const open = { ...EVENT, status: 'publish', venue: venue.id, tags: ['Calm'], description: 'Bring "status":"draft".' }
  const event = await send(app, 'POST', '/events', open)
  const locked = await send(app, 'POST', '/events', {
    ...EVENT,
    status: 'publish',
    password: 'sesame',
    description: 'x',
  })
  const gone = await send(app, 'POST', '/venues', { venue: 'Shed' })
  await send(app, 'DELETE', `/venues/${gone.id}`)
  const page = await changes(app, 'anonymous', { since, expand: 'item' })
  const items = page.changes.map(({ resource, id, item }: Record<string, unknown>) => [resource, id, item])
  const listed = await app.call('anonymous', 'GET', '/events', { query: { include: `${event.id},${locked.id}` } })
  const [tag] = (await app.call('anonymous', 'GET', '/tags')).body.tags
  const venues = (await app.call('anonymous', 'GET', '/venues')).body.venues
  const ofList = (id: number) => listed.body.events.find((one: { id: number }) => one.id === id)
  assert.deepEqual(items, [
    ['venue', venue.id, venues.find((one: { id: number }) => one.id === venue.id)],
    ['tag', tag.id, tag],
    ['event', event.id, ofList(event.id)],
    ['event', locked.id, ofList(locked.id)],
    ['venue', gone.id, undefined],
    ['venue', gone.id, undefined],
  ])
  assert.doesNotMatch(JSON.stringify(items), /sesame/)
})

test('a recurring event is one change, and each exception one of its own', async (t) => {
  const app = await openTestApp(t)
  const since = await cursorOfNow(app)
  const series = await send(app, 'POST', '/events', {
    ...EVENT,
    status: 'publish',
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
  })
  assert.deepEqual(short(await changes(app, 'anonymous', { since })), [`created event ${series.id}`])
  const { body } = await app.call('anonymous', 'GET', '/events', { query: { series: series.id } })
  const third = body.events[2].id
  const next = await cursorOfNow(app)
  await send(app, 'POST', `/events/${third}`, { title: 'Finale' })
  const page = await changes(app, 'anonymous', { since: next, expand: 'item' })
  assert.deepEqual(short(page), [`updated event ${series.id}`, `updated event ${third}`])
  assert.deepEqual([page.changes[0].item.title, page.changes[1].item.title], ['Concert', 'Finale'])
  const last = await cursorOfNow(app)
  await send(app, 'DELETE', `/events/${series.id}`)
  assert.ok(short(await changes(app, 'anonymous', { since: last })).includes(`deleted event ${series.id}`))
})

test('a list read from the server or its cache has the cursor from which nothing is lost', async (t) => {
  const app = await openTestApp(t)
  const before = await send(app, 'POST', '/venues', { venue: 'Hall' })
  const read = await app.call('anonymous', 'GET', '/venues')
  const cursor = read.headers.get('x-kalends-cursor') ?? ''
  assert.deepEqual(short(await changes(app, 'anonymous', { since: cursor })), [])
  // An event changes no list of venues, so that the cached response stays.
  const event = await send(app, 'POST', '/events', { ...EVENT, status: 'publish' })
  const cached = await app.call('anonymous', 'GET', '/venues')
  assert.equal(cached.headers.get('x-kalends-cursor'), cursor)
  assert.deepEqual(short(await changes(app, 'anonymous', { since: cursor })), [`created event ${event.id}`])
  await send(app, 'POST', `/venues/${before.id}`, { venue: 'Great hall' })
  const fresh = await app.call('anonymous', 'GET', '/venues')
  const later = fresh.headers.get('x-kalends-cursor') ?? ''
  assert.deepEqual(short(await changes(app, 'anonymous', { since: later })), [])
  for (const path of ['/events', '/organizers', '/categories', '/tags'])
    assert.equal((await app.call('anonymous', 'GET', path)).headers.get('x-kalends-cursor'), later)
  assert.equal((await app.call('anonymous', 'GET', `/venues/${before.id}`)).headers.get('x-kalends-cursor'), null)
})

test('a cursor that is none is refused, and one that the journal does not know has expired', async (t) => {
  const app = await openTestApp(t)
  const path = `${app.origin}/kalends/v1/changes`
  for (const since of ['nonsense', 'YzI6MQ', `${await cursorOfNow(app)}=`]) {
    const { status, body } = await app.call('anonymous', 'GET', `${path}?since=${since}`)
    assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], since)
  }
  const future = Buffer.from('c1:999999').toString('base64url')
  const gone = await app.call('anonymous', 'GET', `${path}?since=${future}`)
  assert.deepEqual([gone.status, gone.body.code], [410, 'cursor_expired'])
  const since = await cursorOfNow(app)
  await send(app, 'POST', '/venues', { venue: 'Hall' })
  await send(app, 'POST', '/venues', { venue: 'Shed' })
  const [last] = await rowsOf(app.app.storage, 'select max(seq) as seq from journal')
  await app.app.storage.write((tx) => tx.run(tx.db.deleteFrom('journal').where('seq', '<', Number(last?.['seq']))))
  const cut = await app.call('anonymous', 'GET', `${path}?since=${since}`)
  assert.deepEqual([cut.status, cut.body.code], [410, 'cursor_expired'])
})

test('where many long texts take too long together, fewer are read, and nothing is left out', async (t) => {
  const app = await openTestApp(t)
  const { storage } = app.app
  const { seq: since } = await readChanges(storage, {
    since: 0,
    resources: ['tag'],
    limit: 1000,
    view: () => undefined,
  })
  const made: number[] = []
  for (let count = 1; count <= 45; count += 1)
    made.push((await send(app, 'POST', '/tags', { name: `Tag ${count}` })).id)
  let refused = 0
  const slow: Reader = {
    ...storage,
    all: <Row>(query: Compilable<Row>, lane?: Lane) => {
      if (lane !== 'offloaded' || !query.compile().parameters.includes(500)) return storage.all(query, lane)
      refused += 1
      return Promise.reject(fail('rest_query_too_costly'))
    },
  }
  const asked = { resources: ['tag'], limit: 100, view: changesSeenBy(ANONYMOUS) } as const
  const pages: number[][] = []
  for (let seq = since, more = true; more; ) {
    const page = await readChanges(slow, { ...asked, since: seq })
    pages.push(page.changes.map(({ id }) => id))
    ;({ seq, more } = page)
  }
  assert.ok(refused >= 2)
  assert.deepEqual(pages.flat(), made)
  assert.ok(pages.length >= 3)
})
