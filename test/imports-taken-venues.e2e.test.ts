import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp, type TestApp } from './support/app.ts'
import { eventsIn, fileOf, fixture, importFiles } from './support/json-import.ts'
import { openMadeSite } from './support/made-site.ts'
import { importMade, madeEvent } from './support/site-import.ts'

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
  const bytes = Buffer.from(lines.join('\r\n'))
  return app.importCalendars({ files: [{ name, bytes }] }, () => undefined)
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

test('another site: what is refused is told each time, and comes in when its place is free', async (t) => {
  const app = await openTestApp(t)
  const site = await openMadeSite(t)
  const hall = { id: 900, global_id: 'there.example?id=900', status: 'publish', venue: 'Hall', slug: 'hall' }
  const at = (id: number, title: string, times: readonly [string, string]) =>
    madeEvent(id, { title, venue: hall, start_date: `2027-03-01 ${times[0]}`, end_date: `2027-03-01 ${times[1]}` })
  site.content.venues = [hall]
  site.content.events = [at(1, 'First', ['10:00:00', '12:00:00'])]
  const input = { origin: site.origin } as typeof site
  assert.equal((await importMade(app, input)).counts.event.created, 1)
  await forbidOverlaps(app)
  const others = [at(2, 'Over', ['11:00:00', '13:00:00']), at(3, 'Beside', ['13:00:00', '14:00:00'])]
  site.content.events = [...site.content.events, ...others]
  for (const created of [1, 0]) {
    const report = await importMade(app, input)
    assert.deepEqual([report.complete, report.counts.event.created], [true, created])
    const taken = report.skipped.filter(({ why }) => TAKEN.test(why))
    assert.deepEqual(
      taken.map(({ what }) => what),
      ['event 2 "Over"'],
      JSON.stringify(report.skipped),
    )
  }
  assert.deepEqual(await titles(app), ['Beside', 'First'])
  const [first] = (await app.call('administrator', 'GET', '/events', { query: { search: 'First' } })).body.events
  assert.equal((await app.call('administrator', 'DELETE', `/events/${first.id}`)).status, 200)
  assert.equal((await importMade(app, input)).counts.event.created, 1)
  assert.deepEqual(await titles(app), ['Beside', 'Over'])
})

test('what a Kalends has at a taken venue is told each time, stops nothing else, and comes when its place is free', async (t) => {
  const [source, app] = [await openTestApp(t), await openTestApp(t, { siteHost: 'second.example' })]
  const at = (title: string, from: string, to: string) => ({
    ...{ title, venue: 'Hall', start_date: `2027-03-01 ${from}`, end_date: `2027-03-01 ${to}` },
  })
  const send = async (path: string, json: object): Promise<number> => {
    const { status, body } = await source.call('administrator', 'POST', path, { json })
    assert.ok(status < 300, JSON.stringify(body))
    return body.id
  }
  const venue = await send('/venues', { venue: 'Hall' })
  await send('/events', { ...at('First', '10:00', '12:00'), venue })
  const moving = await send('/events', { ...at('Moving', '15:00', '16:00'), venue })
  const input = { origin: source.origin } as Awaited<ReturnType<typeof openMadeSite>>
  await importMade(app, input)
  await forbidOverlaps(app)
  const over = await send('/events', { ...at('Over', '11:00', '11:30'), venue })
  await send(`/events/${moving}`, { ...at('Moved', '11:30', '13:00'), venue })
  for (const round of [1, 2]) {
    const { complete, skipped } = await importMade(app, input)
    const taken = skipped.filter(({ why }) => TAKEN.test(why)).map(({ what }) => what)
    assert.deepEqual([complete, taken.sort()], [true, [`event ${moving} "Moved"`, `event ${over} "Over"`]])
    assert.deepEqual(await titles(app), ['First', 'Moving'], `round ${round}`)
  }
  const [first] = (await app.call('administrator', 'GET', '/events', { query: { search: 'First' } })).body.events
  assert.equal((await app.call('administrator', 'DELETE', `/events/${first.id}`)).status, 200)
  await importMade(app, input)
  assert.deepEqual(await titles(app), ['Moved', 'Over'])
  const { created, updated } = (await importMade(app, input)).counts.event
  assert.deepEqual([created, updated], [0, 0])
})
