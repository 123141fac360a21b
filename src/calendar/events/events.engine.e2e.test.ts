import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../../../test/support/app.ts'
import { MEETING, make, titles } from '../../../test/support/events.ts'
import { readSince } from '../../storage/journal/read.ts'

/** Keys of an event in wire order (wire: events 1.1). */
const KEYS = (
  'id global_id global_id_lineage author status date date_utc modified modified_utc url rest_url title description ' +
  'excerpt slug image all_day start_date start_date_details end_date end_date_details utc_start_date ' +
  'utc_start_date_details utc_end_date utc_end_date_details timezone timezone_abbr cost cost_details website show_map ' +
  'show_map_link hide_from_listings sticky featured categories tags venue organizer custom_fields'
).split(' ')

test('an event is created with the members of the wire in their order, and read back by id and by slug', async (t) => {
  const app = await openTestApp(t)
  const created = await app.call('administrator', 'POST', '/events', { json: MEETING })
  assert.equal(created.status, 201)
  assert.deepEqual(Object.keys(created.body), KEYS)
  assert.equal(created.headers.get('location'), `${app.origin}/cal/events/v1/events/${created.body.id}`)
  assert.equal(created.body.utc_start_date, '2027-03-01 15:00:00')
  assert.equal(created.body.timezone_abbr, 'EST')
  assert.equal(created.body.date, '2026-11-20 13:00:00')
  assert.equal(created.body.website, `${app.origin}/event/board-meeting/`)
  const byId = await app.call('anonymous', 'GET', `/events/${created.body.id}`)
  const bySlug = await app.call('anonymous', 'GET', '/events/by-slug/board-meeting')
  const { json_ld, ...plain } = byId.body
  assert.deepEqual(plain, created.body)
  assert.equal(json_ld.startDate, '2027-03-01T10:00:00-05:00')
  assert.deepEqual(bySlug.body, byId.body)
})

test('each write leaves one journal entry with its revision, and a write that changes nothing none', async (t) => {
  const app = await openTestApp(t)
  const event = await make(app)
  const path = `/events/${event.id}`
  await app.call('administrator', 'PATCH', path, { json: { title: 'Moved' } })
  await app.call('administrator', 'PATCH', path, { json: { title: 'Moved' } })
  await app.call('administrator', 'DELETE', path)
  await app.call('administrator', 'PATCH', path, { json: { status: 'publish' } })
  await app.call('administrator', 'DELETE', path, { query: { force: 'true' } })
  const entries = (await readSince(app.app.storage, 0, 1000)).filter((entry) => entry.resource === 'event')
  assert.deepEqual(
    entries.map((entry) => [entry.revision, entry.action]),
    [
      [1, 'create'],
      [2, 'update'],
      [3, 'trash'],
      [4, 'restore'],
      [5, 'delete'],
    ],
  )
  assert.equal(entries.at(-1)?.snapshot, null)
})

test('the body of a GET sent back by any method changes nothing', async (t) => {
  const app = await openTestApp(t)
  const event = await make(app, {
    description: 'First\n\nSecond & <b>bold</b>',
    cost: '$5 - $9',
    categories: ['Music', 'Art & Craft'],
    tags: 'free, outdoor',
    venue: { venue: 'Hall', city: 'Bern' },
    organizer: [{ organizer: 'Club' }, { organizer: 'Town' }],
    featured: true,
  })
  const before = await app.call('administrator', 'GET', `/events/${event.id}`)
  for (const method of ['POST', 'PUT', 'PATCH']) {
    app.clock.now += 60_000
    const sent = await app.call('administrator', method, `/events/${event.id}`, { json: before.body })
    assert.equal(sent.status, 200, JSON.stringify(sent.body))
    assert.deepEqual((await app.call('administrator', 'GET', `/events/${event.id}`)).body, before.body)
  }
})

test('several venues and organizers stand in the order sent, also beside events of the list that have one or none', async (t) => {
  const app = await openTestApp(t)
  await make(app, {
    title: 'One',
    venue: { venue: 'North' },
    organizer: [{ organizer: 'Club' }, { organizer: 'Town' }],
  })
  await make(app, { title: 'Two', venue: { venue: 'South' } })
  const shown = async (): Promise<Record<'title' | 'venue' | 'organizer', unknown>[]> =>
    (await app.call('anonymous', 'GET', '/events')).body.events
  const [one, two] = await shown()
  const sent = { venue: [two?.venue, one?.venue], organizer: [one?.organizer].flat().toReversed() }
  await make(app, { title: 'Both', ...sent })
  await make(app, { title: 'None' })
  const rest = (await shown()).slice(2).map(({ title, venue, organizer }) => ({ title, venue, organizer }))
  assert.deepEqual(rest, [
    { title: 'Both', ...sent },
    { title: 'None', venue: [], organizer: [] },
  ])
})

test('an update changes only what was sent', async (t) => {
  const app = await openTestApp(t)
  const event = await make(app, {
    status: 'private',
    all_day: true,
    cost: '12',
    website: 'https://x.example/',
    featured: true,
    tags: ['a'],
  })
  const changed = await app.call('administrator', 'PUT', `/events/${event.id}`, { json: { excerpt: 'Short' } })
  const { excerpt, modified: _m, modified_utc: _u, ...rest } = changed.body
  assert.equal(excerpt, '<p>Short</p>')
  for (const [member, value] of Object.entries(rest)) {
    assert.deepEqual(value, event[member], member)
  }
})

test('the worked set of dates is filtered as the wire documents say', async (t) => {
  const app = await openTestApp(t)
  const set: [string, string, string, boolean?][] = [
    ['10-12h', '2028-02-10 10:00:00', '2028-02-10 12:00:00'],
    ['8-11', '2028-02-08 18:00:00', '2028-02-11 09:00:00'],
    ['10-13', '2028-02-10 20:00:00', '2028-02-13 09:00:00'],
    ['day 10', '2028-02-10', '2028-02-10', true],
    ['day 11', '2028-02-11', '2028-02-11', true],
    ['night', '2028-02-10 23:00:00', '2028-02-11 01:00:00'],
    ['late', '2028-02-10 22:00:00', '2028-02-10 23:59:59'],
    ['after midnight', '2028-02-11 00:00:00', '2028-02-11 01:00:00'],
    ['moment', '2028-02-10 12:00:00', '2028-02-10 12:00:00'],
  ]
  for (const [title, start_date, end_date, all_day = false] of set)
    await make(app, { title, start_date, end_date, all_day })
  assert.deepEqual(await titles(app, { start_date: '2028-02-10', end_date: '2028-02-10' }), [
    'day 10',
    '10-12h',
    'moment',
    'late',
  ])
  assert.deepEqual(await titles(app, { starts_after: '2028-02-09', starts_before: '2028-02-10' }), [
    'day 10',
    '10-12h',
    'moment',
    '10-13',
    'late',
    'night',
  ])
  assert.deepEqual(await titles(app, { ends_after: '2028-02-09', ends_before: '2028-02-10' }), [
    'day 10',
    '10-12h',
    'moment',
    'late',
  ])
  const overlap = await titles(app, { ends_after: '2028-02-09', starts_before: '2028-02-10' })
  assert.ok(overlap.includes('8-11') && !overlap.includes('day 11'))
  assert.deepEqual(
    await titles(app, { start_date: '2028-02-10 11:00:00', end_date: '2028-02-10 12:00:00', strict_dates: 'true' }),
    ['moment'],
  )
})

test('a list is ordered by the wall clock of each event, then publication, then id', async (t) => {
  const app = await openTestApp(t)
  await make(app, { title: 'New York', start_date: '2027-05-01 10:00:00', end_date: '2027-05-01 11:00:00' })
  await make(app, {
    title: 'Los Angeles',
    start_date: '2027-05-01 09:00:00',
    end_date: '2027-05-01 10:00:00',
    timezone: 'America/Los_Angeles',
  })
  await make(app, {
    title: 'older',
    start_date: '2027-05-01 10:00:00',
    end_date: '2027-05-01 11:00:00',
    date: '2026-01-01',
  })
  await make(app, { title: 'duplicate', start_date: '2027-05-01 10:00:00', end_date: '2027-05-01 11:00:00' })
  assert.deepEqual(await titles(app, {}), ['Los Angeles', 'older', 'New York', 'duplicate'])
})

test('links between pages carry every filter and round-trip', async (t) => {
  const app = await openTestApp(t)
  for (let day = 1; day <= 5; day += 1) {
    await make(app, {
      title: `Jazz & "more" ${day}`,
      start_date: `2027-05-0${day}`,
      end_date: `2027-05-0${day}`,
      all_day: true,
      categories: ['Jazz'],
      tags: ['a', 'b'],
    })
  }
  await make(app, { title: 'Other', categories: ['Rock'] })
  const query = {
    categories: 'jazz',
    tags: 'a,b',
    search: 'jazz "&"',
    per_page: 2,
    strict_dates: 'true',
    start_date: '2027-05-01 00:00:00',
  }
  const seen: string[] = []
  let page = await app.call('anonymous', 'GET', '/events', { query })
  for (;;) {
    seen.push(...page.body.events.map((event: { title: string }) => event.title))
    assert.equal(page.body.total, 5)
    const again = await app.call('anonymous', 'GET', page.body.rest_url)
    assert.deepEqual(again.body, page.body)
    if (page.body.next_rest_url === undefined) break
    page = await app.call('anonymous', 'GET', page.body.next_rest_url)
  }
  assert.equal(seen.length, 5)
  assert.equal(new Set(seen).size, 5)
})

test('a scheduled event becomes public when it is due and not before', async (t) => {
  const app = await openTestApp(t)
  const event = await make(app, { date: '2026-11-20 13:00:05' })
  assert.equal(event['status'], 'future')
  assert.equal((await app.call('anonymous', 'GET', `/events/${event.id}`)).status, 403)
  app.clock.now += 5_000
  // A write of anything wakes the scheduler, which otherwise sleeps by the real clock.
  await make(app, { title: 'Another' })
  const deadline = Date.now() + 60_000
  let read = await app.call('anonymous', 'GET', `/events/${event.id}`)
  while (read.status !== 200 && Date.now() < deadline) read = await app.call('anonymous', 'GET', `/events/${event.id}`)
  assert.equal(read.body.status, 'publish')
})

test('a trashed venue disappears from its events and comes back with its restoration', async (t) => {
  const app = await openTestApp(t)
  const event = await make(app, { venue: { venue: 'Hall' } })
  const venue = (event['venue'] as { id: number }).id
  await app.call('administrator', 'DELETE', `/venues/${venue}`)
  const without = await app.call('anonymous', 'GET', `/events/${event.id}`)
  assert.deepEqual(without.body.venue, [])
  await app.call('administrator', 'PATCH', `/events/${event.id}`, { json: { ...without.body, title: 'Changed' } })
  await app.call('administrator', 'PATCH', `/venues/${venue}`, { json: { status: 'publish' } })
  assert.equal((await app.call('anonymous', 'GET', `/events/${event.id}`)).body.venue.id, venue)
})

test('counts of terms follow the published events in the same write', async (t) => {
  const app = await openTestApp(t)
  const event = await make(app, { categories: ['Jazz'] })
  const id = (event['categories'] as { id: number }[])[0]?.id
  const count = async (): Promise<number> => {
    const { body } = await app.call('editor', 'GET', `/categories/${id}`)
    // A category that only unreadable events have is not told to others (decisions: Term lists).
    const other = await app.call('anonymous', 'GET', `/categories/${id}`)
    assert.equal(other.body.count, body.count === 0 ? undefined : body.count)
    return body.count
  }
  assert.equal(await count(), 1)
  await app.call('administrator', 'PATCH', `/events/${event.id}`, { json: { status: 'draft' } })
  assert.equal(await count(), 0)
  await app.call('administrator', 'PATCH', `/events/${event.id}`, { json: { status: 'publish' } })
  assert.equal(await count(), 1)
  await app.call('administrator', 'DELETE', `/events/${event.id}`)
  assert.equal(await count(), 0)
})
