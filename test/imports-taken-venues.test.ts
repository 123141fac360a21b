import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventsIn, fileOf, fixture, importFiles } from '../src/feeds/json-import/testing.ts'
import { openTestApp, type TestApp } from './support/app.ts'

/* A venue that takes one event at a time takes no second one from a file either: the report says what was left out. */

async function forbidOverlaps({ call }: TestApp): Promise<number> {
  const { venues } = (await call('administrator', 'GET', '/venues')).body
  assert.equal(venues.length, 1)
  const [{ id }] = venues
  assert.equal((await call('administrator', 'PATCH', `/venues/${id}`, { json: { exclusive: true } })).status, 200)
  return id
}

async function send({ app }: TestApp, name: string, lines: readonly string[]) {
  assert.ok(app.importCalendars)
  const content = Buffer.from(lines.join('\r\n')).toString('base64')
  return app.importCalendars({ files: [{ name, content }] }, () => undefined)
}

async function titles({ call }: TestApp): Promise<string[]> {
  const query = { start_date: '2027-01-01', end_date: '2029-01-01', per_page: 50 }
  const { body } = await call('administrator', 'GET', '/events', { query })
  return body.events.map((one: { title: string }) => one.title).sort()
}

const TAKEN = /^venue \d+ takes one event at a time, and event \d+ takes it from 2027-\d\d-\d\d/

test('a table of events', async (t) => {
  const app = await openTestApp(t)
  const head = 'title,start_date,end_date,venue'
  await send(app, 'a.csv', [head, 'First,2027-03-01 10:00,2027-03-01 12:00,Hall'])
  await forbidOverlaps(app)
  const rows = [
    'Over,2027-03-01 11:00,2027-03-01 13:00,Hall',
    'Beside,2027-03-01 12:00,2027-03-01 13:00,Hall',
    'Over the one beside,2027-03-01 12:30,2027-03-01 14:00,Hall',
  ]
  const { created, skipped } = await send(app, 'b.csv', [head, ...rows])
  assert.equal(created, 1)
  assert.equal(skipped.length, 2)
  for (const { why } of skipped) assert.match(why, TAKEN)
  assert.deepEqual(await titles(app), ['Beside', 'First'])
})

test('a calendar, whose series are held to it with all their dates, also when they change', async (t) => {
  const app = await openTestApp(t)
  const calendar = (...events: readonly (readonly string[])[]) => [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Harbour//Diary//EN'],
    ...events.flatMap((lines) => ['BEGIN:VEVENT', 'DTSTAMP:20270101T000000Z', 'LOCATION:Hall', ...lines, 'END:VEVENT']),
    ...['END:VCALENDAR', ''],
  ]
  const times = (from: string, to: string) => [`DTSTART:${from}Z`, `DTEND:${to}Z`]
  const first = ['UID:1', 'SUMMARY:First', ...times('20270315T100000', '20270315T120000')]
  await send(app, 'diary.ics', calendar(first))
  await forbidOverlaps(app)
  const weekly = ['UID:2', 'SUMMARY:Weekly', ...times('20270301T110000', '20270301T113000')]
  const over = await send(app, 'diary.ics', calendar(first, [...weekly, 'RRULE:FREQ=WEEKLY;COUNT=5']))
  assert.deepEqual([over.created, over.unchanged, over.skipped.length], [0, 1, 1])
  assert.match(over.skipped[0]?.why ?? '', TAKEN)
  const short = await send(app, 'diary.ics', calendar(first, [...weekly, 'RRULE:FREQ=WEEKLY;COUNT=2']))
  assert.deepEqual([short.created, short.skipped], [1, []])
  const moved = ['UID:1', 'SUMMARY:First', ...times('20270308T110000', '20270308T120000')]
  const again = await send(app, 'diary.ics', calendar(moved, [...weekly, 'RRULE:FREQ=WEEKLY;COUNT=3']))
  assert.deepEqual([again.updated, again.skipped.length], [0, 2])
  assert.deepEqual(await titles(app), ['First', 'Weekly', 'Weekly'])
})

test('recorded responses', async (t) => {
  const app = await openTestApp(t)
  const file = fixture('harbour-event.json')
  const [event] = eventsIn(file)
  await importFiles(app, [file])
  await forbidOverlaps(app)
  const other = { ...event, id: 6001, global_id: 'harbour.example?id=6001', global_id_lineage: [], slug: 'other' }
  const { created, skipped } = await importFiles(app, [fileOf({ ...other, venue: event.venue })])
  assert.deepEqual([created, skipped.length], [0, 1])
  assert.match(skipped[0]?.why ?? '', /takes one event at a time, and event 5001 takes it/)
  // What is there already stays.
  assert.deepEqual((await importFiles(app, [file])).skipped, [])
})
