import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventSchedule } from '../src/calendar/events/schedule.ts'
import { openTestApp } from './support/app.ts'
import { rowsOf } from './support/storage.ts'

const app = await openTestApp({ after })
const LEAST = { title: 'Yoga', start_date: '2027-01-04 10:00:00', end_date: '2027-01-04 11:30:00' }
const WEEKLY = { ...LEAST, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
type Item = any

async function send(method: string, path: string, json: object = {}): Promise<Item> {
  const response = await app.call(
    'administrator',
    method,
    path,
    method === 'DELETE' ? { query: json as never } : { json },
  )
  assert.ok(response.status < 300, `${response.status} ${JSON.stringify(response.body)}`)
  return response.body
}

async function list(query: Readonly<Record<string, string | number>>, as: 'anonymous' | 'administrator' = 'anonymous') {
  const wide = { start_date: '2020-01-01', end_date: '2099-01-01', per_page: 50 }
  const response = await app.call(as, 'GET', '/events', { query: { ...wide, ...query } })
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body as { events: Item[]; total: number }
}

/** Ids of all dates of a series, on however many pages. */
async function idsOf(series: number): Promise<number[]> {
  const { events, total } = await list({ series })
  const more = total > events.length ? (await list({ series, page: 2 })).events : []
  return [...events, ...more].map(({ id }) => id)
}

async function starts(series: number): Promise<string[]> {
  return (await list({ series })).events.map((one) => one.start_date)
}

test('a weekly event is listed on each of its dates, which are events of their own', async () => {
  const made = await send('POST', '/events', { ...WEEKLY, slug: 'yoga', tags: ['calm'] })
  assert.deepEqual(made.recurrence, ['RRULE:FREQ=WEEKLY;COUNT=4'])
  assert.equal('recurrence_until' in made, false)
  assert.deepEqual(made.series, {
    id: made.id,
    recurrence_id: '2027-01-04 10:00:00',
    position: 1,
    text: 'every Monday, 4 times',
    exception: false,
  })
  const { events, total } = await list({ series: made.id })
  assert.equal(total, 4)
  assert.deepEqual(
    events.map(({ start_date, end_date, slug, post_parent, series }) => [
      start_date,
      end_date,
      slug,
      post_parent,
      series.position,
    ]),
    [
      ['2027-01-04 10:00:00', '2027-01-04 11:30:00', 'yoga', undefined, 1],
      ['2027-01-11 10:00:00', '2027-01-11 11:30:00', 'yoga-2027-01-11', made.id, 2],
      ['2027-01-18 10:00:00', '2027-01-18 11:30:00', 'yoga-2027-01-18', made.id, 3],
      ['2027-01-25 10:00:00', '2027-01-25 11:30:00', 'yoga-2027-01-25', made.id, 4],
    ],
  )
  const [, second] = events
  for (const path of [`/events/${second.id}`, '/events/by-slug/yoga-2027-01-11']) {
    const { status, body } = await app.call('anonymous', 'GET', path)
    assert.equal(status, 200)
    assert.deepEqual(
      [body.id, body.start_date, body.tags[0].name, body.recurrence],
      [second.id, second.start_date, 'calm', undefined],
    )
  }
  assert.equal(second.url, `${app.origin}/event/yoga/2027-01-11/`)
  const page = await app.call('anonymous', 'GET', second.url)
  assert.deepEqual([page.status, String(page.body).includes('Yoga')], [200, true])
  const [tag] = await rowsOf(app.app.storage, "select count from tag where name = 'calm'")
  assert.deepEqual(tag, { count: 1 })
  assert.equal((await list({ tags: 'calm', start_date: '2027-01-10', end_date: '2027-01-19' })).total, 2)
  assert.equal((await list({ search: 'yoga', post_parent: made.id })).total, 3)
  assert.equal((await list({ series: second.id })).total, 4)
  const first = await list({ tags: 'calm', hide_subsequent_recurrences: 'true', start_date: '2027-01-10' })
  assert.deepEqual([first.total, first.events.map(({ id }) => id)], [1, [second.id]])
})

test('an event does not get the slug of a date', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, slug: 'lesson' })
  const [, second] = (await list({ series: id })).events
  const plain = await send('POST', '/events', { ...LEAST, slug: 'lesson-2027-01-11' })
  assert.equal(plain.slug, 'lesson-2027-01-11-2')
  assert.equal((await send('POST', '/events', { ...LEAST, slug: 'lesson-2027-01-12' })).slug, 'lesson-2027-01-12')
  const found = await app.call('anonymous', 'GET', '/events/by-slug/lesson-2027-01-11')
  assert.equal(found.body.id, second.id)
  assert.equal((await send('PATCH', `/events/${second.id}`, { slug: second.slug })).slug, second.slug)
})

test('one date is changed, taken out and brought back', async () => {
  const { id } = await send('POST', '/events', WEEKLY)
  const { events } = await list({ series: id })
  const ids = events.map((one) => one.id)
  const moved = await send('PATCH', `/events/${ids[2]}`, {
    start_date: '2027-01-19 09:00:00',
    end_date: '2027-01-19 10:00:00',
    title: 'Outdoors',
  })
  assert.deepEqual(
    [moved.id, moved.title, moved.series.exception, moved.series.recurrence_id],
    [ids[2], 'Outdoors', true, '2027-01-18 10:00:00'],
  )
  assert.deepEqual(await starts(id), [
    '2027-01-04 10:00:00',
    '2027-01-11 10:00:00',
    '2027-01-19 09:00:00',
    '2027-01-25 10:00:00',
  ])
  await send('PATCH', `/events/${id}`, { title: 'Pilates', description: 'Slow' })
  const titles = (await list({ series: id })).events.map((one) => [one.id, one.title, one.description])
  assert.deepEqual(titles, [
    [ids[0], 'Pilates', '<p>Slow</p>'],
    [ids[1], 'Pilates', '<p>Slow</p>'],
    [ids[2], 'Outdoors', '<p>Slow</p>'],
    [ids[3], 'Pilates', '<p>Slow</p>'],
  ])
  const removed = await send('DELETE', `/events/${ids[1]}`)
  assert.equal(removed.status, 'trash')
  assert.equal((await app.call('anonymous', 'GET', `/events/${ids[1]}`)).status, 403)
  assert.deepEqual((await app.call('anonymous', 'GET', `/events/${id}`)).body.recurrence, [
    'RRULE:FREQ=WEEKLY;COUNT=4',
    'EXDATE:20270111T100000',
  ])
  assert.equal((await list({ series: id })).total, 3)
  const back = await send('PATCH', `/events/${ids[1]}`, { status: 'publish' })
  assert.deepEqual([back.id, back.status, back.title], [ids[1], 'publish', 'Pilates'])
  assert.deepEqual(
    (await list({ series: id })).events.map((one) => one.id),
    ids,
  )
  await send('DELETE', `/events/${id}`, { scope: 'this' })
  assert.deepEqual(
    (await list({ series: id })).events.map((one) => one.id),
    ids.slice(1),
  )
  assert.equal((await app.call('anonymous', 'GET', `/events/${id}`)).status, 200)
})

test('a series is divided before a date', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, slug: 'run' })
  const ids = (await list({ series: id })).events.map((one) => one.id)
  const begun = await send('PATCH', `/events/${ids[2]}`, { scope: 'following', title: 'Run faster' })
  assert.deepEqual([begun.id, begun.title, begun.recurrence], [ids[2], 'Run faster', ['RRULE:FREQ=WEEKLY;COUNT=2']])
  assert.deepEqual(
    (await list({ series: id })).events.map((one) => one.id),
    ids.slice(0, 2),
  )
  assert.deepEqual(
    (await list({ series: ids[2] })).events.map((one) => one.id),
    ids.slice(2),
  )
  assert.deepEqual((await app.call('anonymous', 'GET', `/events/${id}`)).body.recurrence, ['RRULE:FREQ=WEEKLY;COUNT=2'])
})

test('a series goes to the trash, comes back and is deleted for good with all its dates', async () => {
  const { id } = await send('POST', '/events', WEEKLY)
  await send('DELETE', `/events/${id}`)
  assert.equal((await list({ series: id }, 'administrator')).total, 0)
  assert.equal((await list({ series: id, status: 'trash' }, 'administrator')).total, 4)
  await send('PATCH', `/events/${id}`, { status: 'publish' })
  assert.equal((await list({ series: id })).total, 4)
  await send('DELETE', `/events/${id}`, { force: 'true' })
  assert.deepEqual(await rowsOf(app.app.storage, 'select id from series_date where series_id = ?', id), [])
  assert.deepEqual(await rowsOf(app.app.storage, 'select id from occurrence where event_id = ?', id), [])
})

test('a rule that cannot be is refused with its part', async () => {
  const refusals = {
    'RRULE:FREQ=DAILY;COUNT=3;UNTIL=20270201': 'UNTIL',
    'RRULE:FREQ=SOMETIMES': 'FREQ',
    'RRULE:FREQ=DAILY;RSCALE=GREGORIAN;COUNT=3': 'RSCALE',
    'RRULE:FREQ=DAILY;COUNT=5001': 'RRULE',
  }
  for (const [line, part] of Object.entries(refusals)) {
    const { status, body } = await app.call('administrator', 'POST', '/events', {
      json: { ...LEAST, recurrence: line },
    })
    assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], line)
    assert.ok(body.data.params.recurrence.includes(part), body.data.params.recurrence)
  }
})

test('the rule is said in the language of the request, also from the cache', async () => {
  const { id } = await send('POST', '/events', WEEKLY)
  const said = async (language: string): Promise<string> => {
    const headers = { 'accept-language': language }
    const { body } = await app.call('anonymous', 'GET', '/events', { query: { include: id }, headers })
    const one = await app.call('anonymous', 'GET', `/events/${id}`, { headers })
    assert.equal(one.body.series.text, body.events[0].series.text)
    return one.body.series.text
  }
  for (let turn = 0; turn < 2; turn += 1) {
    assert.equal(await said('en'), 'every Monday, 4 times')
    assert.notEqual(await said('de'), 'every Monday, 4 times')
  }
})

test('whole days keep their number over a change of the clocks, other dates their exact length', async () => {
  const zone = { timezone: 'Europe/Berlin', start_date: '2027-03-27 22:00:00', end_date: '2027-03-28 04:00:00' }
  const night = await send('POST', '/events', { ...LEAST, ...zone, recurrence: 'RRULE:FREQ=WEEKLY;COUNT=2' })
  assert.deepEqual(
    (await list({ series: night.id })).events.map((one) => [one.start_date, one.end_date]),
    [
      ['2027-03-27 22:00:00', '2027-03-28 04:00:00'],
      ['2027-04-03 22:00:00', '2027-04-04 03:00:00'],
    ],
  )
  const days = { ...zone, all_day: true, start_date: '2027-03-20', end_date: '2027-03-21' }
  const fair = await send('POST', '/events', { ...LEAST, ...days, recurrence: 'RRULE:FREQ=WEEKLY;COUNT=2' })
  assert.deepEqual(
    (await list({ series: fair.id })).events.map((one) => [one.start_date, one.end_date, one.utc_end_date]),
    [
      ['2027-03-20 00:00:00', '2027-03-21 23:59:59', '2027-03-21 22:59:59'],
      ['2027-03-27 00:00:00', '2027-03-28 23:59:59', '2027-03-28 21:59:59'],
    ],
  )
})

test('another zone keeps the ids of dates whose wall clock stays, another rule drops dates and brings them back', async () => {
  const { id } = await send('POST', '/events', WEEKLY)
  const ids = async (): Promise<number[]> => (await list({ series: id })).events.map((one) => one.id)
  const before = await ids()
  await send('PATCH', `/events/${before[3]}`, { title: 'Last' })
  await send('PATCH', `/events/${id}`, { timezone: 'Asia/Tokyo' })
  assert.deepEqual(await ids(), before)
  await send('PATCH', `/events/${id}`, { recurrence: 'RRULE:FREQ=WEEKLY;COUNT=2' })
  assert.deepEqual(await ids(), before.slice(0, 2))
  await send('PATCH', `/events/${id}`, { recurrence: 'RRULE:FREQ=WEEKLY;COUNT=4' })
  assert.deepEqual(await ids(), before)
  assert.equal((await list({ series: id })).events[3].title, 'Last')
  const single = await send('PATCH', `/events/${id}`, { recurrence: null })
  assert.deepEqual([single.recurrence, single.series], [undefined, undefined])
  assert.deepEqual(await ids(), [id])
})

test('a series that is moved takes along what dates have for themselves', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, slug: 'moved-along' })
  const ids = await idsOf(id)
  await send('PATCH', `/events/${ids[1]}`, { title: 'Guest', cost: '5', slug: 'guest-evening' })
  await send('PATCH', `/events/${ids[2]}`, { start_date: '2027-01-20 09:00:00', end_date: '2027-01-20 10:00:00' })
  const titles = async (): Promise<unknown[][]> =>
    (await list({ series: id })).events.map((one) => [one.title, one.start_date, one.cost, one.series.exception])
  const later = { start_date: '2027-01-04 11:00:00', end_date: '2027-01-04 12:30:00' }
  await send('PATCH', `/events/${id}`, later)
  const moved = [
    ['Yoga', '2027-01-04 11:00:00', '', false],
    ['Guest', '2027-01-11 11:00:00', '$5', true],
    ['Yoga', '2027-01-20 09:00:00', '', true],
    ['Yoga', '2027-01-25 11:00:00', '', false],
  ]
  assert.deepEqual(await titles(), moved)
  assert.deepEqual(await idsOf(id), ids)
  assert.equal((await app.call('anonymous', 'GET', '/events/by-slug/guest-evening')).body.id, ids[1])
  await send('PATCH', `/events/${id}`, { start_date: '2027-01-11 10:00:00', end_date: '2027-01-11 11:30:00' })
  assert.deepEqual(
    (await titles()).map(([title, start]) => [title, start]),
    [
      ['Yoga', '2027-01-11 10:00:00'],
      ['Guest', '2027-01-18 10:00:00'],
      ['Yoga', '2027-01-20 09:00:00'],
      ['Yoga', '2027-02-01 10:00:00'],
    ],
  )
})

test('the first date comes back like any other, also where it is the only one', async () => {
  for (const removed of [0, 1, 3]) {
    const { id } = await send('POST', '/events', WEEKLY)
    const { events } = await list({ series: id })
    await send('DELETE', `/events/${id}`, { scope: 'this' })
    for (const one of events.slice(1, 1 + removed)) await send('DELETE', `/events/${one.id}`)
    assert.equal((await list({ series: id })).events.length, 3 - removed)
    await send('PATCH', `/events/${id}`, { status: 'publish', scope: 'this' })
    assert.equal((await list({ series: id })).events[0]?.id, id)
    assert.equal((await list({ series: id })).events.length, 4 - removed)
  }
})

test('what all dates have in common is not changed for one of them, and what GET answers changes nothing', async () => {
  const { id } = await send('POST', '/events', WEEKLY)
  const [, second] = (await list({ series: id })).events
  for (const change of [
    { recurrence: 'RRULE:FREQ=DAILY;COUNT=2' },
    { author: 2 },
    { status: 'draft' },
    { password: 'x' },
  ]) {
    const { status, body } = await app.call('administrator', 'PATCH', `/events/${second.id}`, { json: change })
    assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], JSON.stringify(change))
  }
  const count = 'select count(*) as entries from journal'
  const before = await rowsOf(app.app.storage, count)
  for (const scope of ['this', 'all']) {
    const shown = (await app.call('administrator', 'GET', `/events/${second.id}`)).body
    await send('PUT', `/events/${second.id}`, { ...shown, scope })
  }
  const whole = (await app.call('administrator', 'GET', `/events/${id}`)).body
  await send('PUT', `/events/${id}`, whole)
  assert.deepEqual(await rowsOf(app.app.storage, count), before)
})

test('a date that differs says when it was modified, also in the response to a write that changes nothing', async (t) => {
  const { id } = await send('POST', '/events', WEEKLY)
  const [, second = 0] = await idsOf(id)
  const { modified } = await send('PATCH', `/events/${second}`, { venue: { venue: 'Hall' }, slug: 'guest' })
  const was = app.clock.now
  t.after(() => {
    app.clock.now = was
  })
  app.clock.now += 60_000
  for (const method of ['POST', 'PUT', 'PATCH']) {
    const { json_ld: _, ...shown } = (await app.call('administrator', 'GET', `/events/${second}`)).body
    const { venue, ...answered } = await send(method, `/events/${second}`, shown)
    assert.deepEqual([answered.modified, answered.modified_utc], [modified, shown.modified_utc], method)
    assert.deepEqual({ ...answered, venue: venue.id }, { ...shown, venue: shown.venue.id }, method)
  }
})

test('a slug that a date gets in the trash is its own when it comes back', async () => {
  const { id } = await send('POST', '/events', WEEKLY)
  const [, second = 0] = await idsOf(id)
  await send('DELETE', `/events/${second}`)
  assert.equal((await send('PATCH', `/events/${second}`, { slug: 'Wanted' })).slug, 'wanted')
  const back = await send('PATCH', `/events/${second}`, { status: 'publish' })
  assert.deepEqual([back.slug, back.url], ['wanted', `${app.origin}/event/wanted/`])
  await send('DELETE', `/events/${id}`)
  assert.equal((await send('PATCH', `/events/${second}`, { slug: 'renamed' })).slug, 'renamed')
  await send('PATCH', `/events/${id}`, { status: 'publish' })
  assert.equal((await app.call('anonymous', 'GET', '/events/by-slug/renamed')).body.id, second)
})

test('a password, a draft and a publication are those of the series for every date', async () => {
  const waiting = { ...WEEKLY, status: 'publish', date_utc: '2026-12-01 00:00:00', password: 'sesame', title: 'Secret' }
  const { id, status } = await send('POST', '/events', waiting)
  assert.equal(status, 'future')
  const dates = await rowsOf(app.app.storage, 'select id from series_date where series_id = ? order by id', id)
  await send('PATCH', `/events/${dates[1]?.['id']}`, { description: 'Hidden' })
  assert.equal((await list({ search: 'secret' })).total, 0)
  await app.app.storage.write(async () => undefined)
  const { publishDue } = eventSchedule(app.app.storage)
  await publishDue('2026-12-01 00:00:00')
  const { events, total } = await list({ search: 'secret' })
  assert.equal(total, 4)
  assert.deepEqual(
    events.map((one) => one.description),
    ['', '', '', ''],
  )
  const open = await list({ search: 'secret', password: 'sesame' })
  assert.equal(open.events[1]?.description, '<p>Hidden</p>')
})

test('no series begins with a date that is in the trash, and what was to change stays as it was', async () => {
  const { id } = await send('POST', '/events', { ...WEEKLY, slug: 'row' })
  const [, second = 0, third = 0] = await idsOf(id)
  await send('DELETE', `/events/${second}`)
  const json = { scope: 'following', title: 'Row faster' }
  for (const change of [json, { ...json, status: 'publish' }]) {
    const { status, body } = await app.call('administrator', 'PATCH', `/events/${second}`, { json: change })
    assert.deepEqual([status, body.code, Object.keys(body.data.params)], [400, 'rest_invalid_param', ['scope']])
  }
  assert.equal((await list({ series: id })).total, 3)
  assert.equal((await app.call('administrator', 'GET', `/events/${second}`)).body.status, 'trash')
  // By itself it is changed where it is, as any event in the trash.
  const own = await send('PATCH', `/events/${second}`, { title: 'Row slower' })
  assert.deepEqual([own.status, own.title], ['trash', 'Row slower'])
  await send('PATCH', `/events/${second}`, { status: 'publish' })
  assert.equal((await send('PATCH', `/events/${second}`, json)).title, 'Row slower')
  assert.equal((await app.call('anonymous', 'GET', `/events/${third}`)).body.title, 'Row faster')
  assert.equal((await list({ series: second })).total, 3)
})
