import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts'
import { fileOf, importFiles, type Json } from '../../../../../test/support/json-import.ts'

const WINDOW = { start_date: '2026-01-01', end_date: '2029-12-31', per_page: 50, status: 'publish' }

/** Members that name the site, and what it says in its own way. */
const OF_THE_SITE = [
  'author',
  'url',
  'website',
  'rest_url',
  'global_id',
  'global_id_lineage',
  'categories',
  'organizer',
  'venue',
]

async function listed(app: TestApp): Promise<Json[]> {
  const { body } = await app.call('administrator', 'GET', '/events', { query: WINDOW })
  return body.events
}

function comparable(events: readonly Json[]): Json[] {
  return events.map((event) => {
    const same = { ...event }
    for (const name of OF_THE_SITE) delete same[name]
    return same
  })
}

async function withSeries(t: TestContext): Promise<TestApp> {
  const app = await openTestApp(t, { siteHost: 'first.example' })
  const json = {
    title: 'Choir',
    start_date: '2026-12-01 19:00:00',
    end_date: '2026-12-01 21:00:00',
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4', 'RDATE:20261225T100000', 'EXDATE:20261208T190000'],
    categories: ['Music'],
  }
  const { body } = await app.call('administrator', 'POST', '/events', { json })
  const dates = await listed(app)
  const moved = { title: 'Choir in the park', start_date: '2026-12-15 18:00:00', end_date: '2026-12-15 19:00:00' }
  const last = dates.find((one) => one.start_date.startsWith('2026-12-15'))
  await app.call('administrator', 'POST', `/events/${last.id}`, { json: moved })
  await app.call('administrator', 'POST', `/events/${body.id}`, { json: { title: 'First' }, query: { scope: 'this' } })
  return app
}

test('a series comes with its rule, its exceptions and the ids of its dates, and again without a change', async (t) => {
  const events = await listed(await withSeries(t))
  assert.deepEqual(
    events.map((one) => one.title),
    ['First', 'Choir in the park', 'Choir', 'Choir'],
  )
  const app = await openTestApp(t, { siteHost: 'second.example' })
  const file = fileOf({ events })
  const report = await importFiles(app, [file])
  assert.deepEqual([report.created, report.skipped], [2, []])
  assert.deepEqual(comparable(await listed(app)), comparable(events))
  const { counts, ...again } = await importFiles(app, [file])
  assert.deepEqual(again, { created: 0, updated: 0, unchanged: 2, skipped: [], notes: [] })
  assert.deepEqual(counts.event, { created: 0, updated: 0, unchanged: 1 })
})

test('an exception that is no more and a changed rule follow', async (t) => {
  const source = await withSeries(t)
  const app = await openTestApp(t, { siteHost: 'second.example' })
  await importFiles(app, [fileOf({ events: await listed(source) })])
  const [first] = await listed(source)
  const json = { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'], title: 'Choir' }
  await source.call('administrator', 'POST', `/events/${first.id}`, { json, query: { scope: 'all' } })
  const events = await listed(source)
  const report = await importFiles(app, [fileOf({ events })])
  assert.deepEqual([report.updated, report.skipped], [1, []])
  assert.deepEqual(comparable(await listed(app)), comparable(events))
})

test('a rule that cannot be read leaves the first date, and is reported', async (t) => {
  const app = await openTestApp(t)
  const event = {
    id: 5,
    global_id: 'there.example?id=5',
    title: 'Odd',
    start_date: '2026-12-01 19:00:00',
    end_date: '2026-12-01 21:00:00',
    recurrence: ['RRULE:FREQ=OFTEN'],
  }
  const { created, notes } = await importFiles(app, [fileOf(event)])
  assert.equal(created, 1)
  assert.match(notes[0]?.why ?? '', /recurrence cannot be kept/)
  assert.equal((await listed(app)).length, 1)
})

test('what was rescheduled keeps the start that it had', async (t) => {
  const source = await openTestApp(t, { siteHost: 'first.example' })
  const send = async ({ call }: TestApp, path: string, json: object): Promise<Json> => {
    const { status, body } = await call('administrator', 'POST', path, { json })
    assert.ok(status < 300, JSON.stringify(body))
    return body
  }
  const talk = { title: 'Talk', start_date: '2026-12-01 19:00:00', end_date: '2026-12-01 21:00:00' }
  const later = { start_date: '2026-12-03 19:00:00', end_date: '2026-12-03 21:00:00', event_status: 'rescheduled' }
  const { id } = await send(source, '/events', talk)
  await send(source, `/events/${id}`, later)
  const weekly = { ...talk, title: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] }
  const series = await send(source, '/events', weekly)
  await send(source, `/events/${series.id}`, later)
  await send(source, `/events/${series.id}?scope=this`, { title: 'Opening' })
  const events = await listed(source)
  const app = await openTestApp(t, { siteHost: 'second.example' })
  assert.deepEqual((await importFiles(app, [fileOf({ events })])).skipped, [])
  assert.deepEqual(comparable(await listed(app)), comparable(events))
  const read = async (one: number): Promise<Json> => (await app.call('anonymous', 'GET', `/events/${one}`)).body
  const [first, opening, second] = await listed(app)
  assert.equal((await read(first.id)).json_ld.previousStartDate, '2026-12-01T19:00:00-05:00')
  assert.equal((await read(opening.id)).json_ld.previousStartDate, '2026-12-01T19:00:00-05:00')
  assert.equal((await read(second.id)).json_ld.previousStartDate, '2026-12-08T19:00:00-05:00')
  await send(app, `/events/${first.id}`, { start_date: '2026-12-05 19:00:00', end_date: '2026-12-05 21:00:00' })
  assert.equal((await read(first.id)).previous_start_date, '2026-12-01 19:00:00')
  await send(app, `/events/${first.id}`, { event_status: 'scheduled' })
  assert.equal((await read(first.id)).previous_start_date, undefined)
})
