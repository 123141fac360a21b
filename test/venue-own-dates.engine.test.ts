import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLog } from '../src/base/log.ts'
import { moveHorizons } from '../src/calendar/events/series/horizon.ts'
import { type Answer, openTestApp } from './support/app.ts'

/*
 * A venue that takes one event at a time does not take two dates of one event either; and whoever makes it such a venue is
 * told what overlaps there already.
 */

const { app, call, origin } = await openTestApp({ after })

async function made(path: string, json: object): Promise<Answer['body']> {
  const { status, body } = await call('editor', 'POST', path, { json })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

let halls = 0

async function venueOf(json: object = {}): Promise<number> {
  halls += 1
  return (await made('/venues', { venue: `Hall ${halls}`, ...json })).id
}

function event(start_date: string, end_date: string, json: object = {}): object {
  return { title: `From ${start_date}`, start_date, end_date, timezone: 'Europe/Berlin', ...json }
}

const NIGHT = event('2027-03-01 22:00', '2027-03-02 23:00')

const taken = ({ status, body }: Answer) => [status, body.code, body.data?.events, body.data?.dates]

async function starts(series: number): Promise<string[]> {
  const query = { series, start_date: '2027-01-01', end_date: '2028-01-01' }
  const { body } = await call('editor', 'GET', '/events', { query })
  return body.events?.map((one: { start_date: string }) => one.start_date) ?? []
}

test('a series whose dates overlap each other is refused, and which dates is said', async () => {
  const venue = await venueOf({ exclusive: true })
  const daily = { ...NIGHT, venue, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
  const answer = await call('editor', 'POST', '/events', { json: daily })
  assert.deepEqual(taken(answer), [409, 'venue_taken', [], ['2027-03-02 21:00:00', '2027-03-03 21:00:00']])
  const long = await call('editor', 'POST', '/events', { json: { ...daily, recurrence: 'RRULE:FREQ=DAILY;COUNT=400' } })
  assert.equal(long.body.data.dates.length, 20)
  // Refused is refused: the place is free.
  const plain = await made('/events', { ...NIGHT, venue })
  assert.equal((await call('editor', 'DELETE', `/events/${plain.id}`)).status, 200)
  await made('/events', { ...daily, recurrence: ['RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3'] })
  await made('/events', { ...daily, venue: await venueOf() })
  await made('/events', { ...daily, status: 'draft' })
})

test('so it is at a venue that is made along with it, also in a batch, and no such venue is made', async () => {
  const venue = { venue: 'Cellar', exclusive: true }
  const daily = { ...NIGHT, venue, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
  const refused = [409, 'venue_taken', [], ['2027-03-02 21:00:00', '2027-03-03 21:00:00']]
  const plain = await made('/events', NIGHT)
  const answers = [
    await call('editor', 'POST', '/events', { json: daily }),
    await call('editor', 'PATCH', `/events/${plain.id}`, { json: { venue, recurrence: daily.recurrence } }),
  ]
  assert.deepEqual(answers.map(taken), [refused, refused])
  const { id } = await made('/events', { ...daily, venue: [] })
  assert.deepEqual(taken(await call('editor', 'PATCH', `/events/${id}`, { json: { venue } })), refused)
  for (const atomic of [true, false]) {
    const json = { atomic, requests: [{ method: 'POST', path: '/events', body: daily }] }
    const { body } = await call('editor', 'POST', `${origin}/kalends/v1/batch`, { json })
    assert.match(JSON.stringify(body), /venue_taken/, JSON.stringify(body))
  }
  const found = await call('editor', 'GET', '/venues', { query: { search: 'Cellar' } })
  assert.deepEqual(found.body.venues ?? [], [], JSON.stringify(found.body))
  // What is made at the venue when nothing overlaps is there.
  const weekly = { ...daily, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] }
  const first = await made('/events', weekly)
  assert.equal((await call('editor', 'POST', '/events', { json: { ...weekly, venue: first.venue.id } })).status, 409)
})

test('so is every change that makes them overlap, and the series stays as it was', async () => {
  const venue = await venueOf({ exclusive: true })
  const weekly = { ...event('2027-03-01 10:00', '2027-03-01 12:00'), venue, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }
  const { id } = await made('/events', weekly)
  const before = await starts(id)
  const { body } = await call('editor', 'GET', '/events', { query: { series: id } })
  const second = body.events[1].id
  const changes: readonly [number, object][] = [
    [id, { end_date: '2027-03-08 10:30', scope: 'all' }],
    [id, { recurrence: ['RRULE:FREQ=HOURLY;COUNT=4'] }],
    [second, { start_date: '2027-03-15 11:00', end_date: '2027-03-15 13:00', scope: 'this' }],
    [second, { end_date: '2027-03-15 11:00', scope: 'following' }],
  ]
  for (const [at, json] of changes) {
    const answer = await call('editor', 'PATCH', `/events/${at}`, { json })
    assert.deepEqual([answer.status, answer.body.code], [409, 'venue_taken'], JSON.stringify(json))
    assert.ok(answer.body.data.dates.length > 0 || answer.body.data.events.length > 0, JSON.stringify(answer.body))
  }
  assert.deepEqual(await starts(id), before)
  const aside = { start_date: '2027-03-15 12:00', end_date: '2027-03-15 13:00', scope: 'this' }
  assert.equal((await call('editor', 'PATCH', `/events/${second}`, { json: aside })).status, 200)
})

test('a series that overlaps itself since before may change in anything but its times', async () => {
  const venue = await venueOf()
  const { id } = await made('/events', { ...NIGHT, venue, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  assert.equal((await call('editor', 'PATCH', `/venues/${venue}`, { json: { exclusive: true } })).status, 200)
  const patch = (json: object) => call('editor', 'PATCH', `/events/${id}`, { json })
  assert.equal((await patch({ title: 'Renamed', status: 'publish' })).status, 200)
  assert.equal((await patch({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })).status, 200)
  const longer = await patch({ recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] })
  assert.deepEqual(taken(longer).slice(0, 2), [409, 'venue_taken'])
  assert.equal((await patch({ end_date: '2027-03-02 21:00' })).status, 200)
})

test('a calendar with such a series says why it is left out, and the rest comes in', async () => {
  const venue = await venueOf({ exclusive: true })
  const { body } = await call('editor', 'GET', `/venues/${venue}`)
  const lines = (uid: string, end: string) => [
    ...['BEGIN:VEVENT', 'DTSTAMP:20270101T000000Z', `UID:${uid}`, `SUMMARY:${uid}`, `LOCATION:${body.venue}`],
    ...['DTSTART:20270401T100000Z', `DTEND:${end}`, 'RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3', 'END:VEVENT'],
  ]
  const calendar = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Harbour//Diary//EN']
  const events = [...lines('Too long', '20270403T110000Z'), ...lines('Short', '20270401T110000Z')]
  const bytes = Buffer.from([...calendar, ...events, 'END:VCALENDAR', ''].join('\r\n'))
  assert.ok(app.importCalendars)
  const { created, skipped } = await app.importCalendars({ files: [{ name: 'diary.ics', bytes }] }, () => undefined)
  assert.deepEqual([created, skipped.length], [1, 1])
  assert.match(skipped[0]?.why ?? '', /another date of this event takes it from 2027-04-03 10:00:00 to /)
})

test('whoever makes a venue exclusive is told what overlaps there and stays', async () => {
  const venue = await venueOf()
  const exclusive = async (value: boolean, as: 'editor' | 'administrator' = 'editor') => {
    const { status, headers } = await call(as, 'PATCH', `/venues/${venue}`, { json: { exclusive: value } })
    assert.equal(status, 200)
    return headers.get('x-kalends-conflicts')
  }
  assert.equal(await exclusive(true), null)
  assert.equal(await exclusive(false), null)
  const one = await made('/events', { ...event('2027-03-01 10:00', '2027-03-01 12:00'), venue })
  const other = await made('/events', { ...event('2027-03-01 11:00', '2027-03-01 13:00'), venue })
  await made('/events', { ...event('2027-03-01 13:00', '2027-03-01 14:00'), venue })
  await made('/events', { ...event('2027-03-01 10:00', '2027-03-01 14:00'), venue, status: 'draft' })
  assert.equal(await exclusive(true), `${one.id}, ${other.id}`)
  assert.equal(await exclusive(false), null)
  const series = await made('/events', {
    ...event('2027-04-01 10:00', '2027-04-02 12:00'),
    ...{ venue, recurrence: 'RRULE:FREQ=DAILY;COUNT=30' },
  })
  const named = (await exclusive(true))?.split(', ') ?? []
  assert.deepEqual(named.slice(0, 3), [one.id, other.id, series.id].map(String))
  assert.deepEqual([named.length, named.at(-1)], [21, 'more'])
  assert.equal(await exclusive(true), null)
  assert.equal(await exclusive(false), null)
  const keyed = { json: { exclusive: true }, headers: { 'idempotency-key': 'made-exclusive' } }
  for (const _time of [1, 2]) {
    const { status, headers } = await call('editor', 'PATCH', `/venues/${venue}`, keyed)
    assert.equal(status, 200)
    assert.equal(headers.get('x-kalends-conflicts'), named.join(', '))
  }
})

test('dates that time brings over another event take place, and the log says so once', async () => {
  const venue = await venueOf({ exclusive: true })
  const monday = event('2027-03-01 10:00', '2027-03-01 12:00', { venue, recurrence: ['RRULE:FREQ=WEEKLY'] })
  const { id, recurrence_until } = await made('/events', monday)
  assert.equal(recurrence_until, '2031-11-20 19:00:00')
  // Nobody can tell yet that it will overlap a date.
  const late = await made('/events', event('2032-01-05 11:00', '2032-01-05 13:00', { venue }))
  const lines: string[] = []
  const log = createLog({ level: 'info', now: Date.now, stream: { write: (line) => void lines.push(line) } })
  const later = { now: Date.UTC(2027, 5, 1), recurrenceYears: 5, log }
  for (let round = 0; round < 2; round += 1) await moveHorizons(app.storage, later, new AbortController().signal)
  const warnings = lines.map((line) => JSON.parse(line)).filter((line) => line.event === id)
  assert.deepEqual(
    warnings.map(({ level, venue: at, overlaps, start }) => [level, at, overlaps, start]),
    [[40, venue, late.id, '2032-01-05 10:00:00']],
  )
  const query = { series: id, start_date: '2032-01-05', end_date: '2032-01-05' }
  const { body } = await call('anonymous', 'GET', '/events', { query })
  assert.equal(body.total, 1)
  const asked = { start_date: '2032-01-05 10:00', end_date: '2032-01-05 12:00', timezone: 'Europe/Berlin' }
  const address = `${origin}/kalends/v1/conflicts?venue=${venue}&${new URLSearchParams(asked)}`
  const conflicts = await call('editor', 'GET', address)
  assert.equal(conflicts.body.total, 2, JSON.stringify(conflicts.body))
  // Both stay until one is moved.
  assert.equal((await call('editor', 'PATCH', `/events/${id}`, { json: { title: 'Renamed' } })).status, 200)
  const aside = { start_date: '2032-01-05 12:00', end_date: '2032-01-05 13:00' }
  assert.equal((await call('editor', 'PATCH', `/events/${late.id}`, { json: aside })).status, 200)
  const back = { start_date: '2032-01-05 11:30', end_date: '2032-01-05 13:00' }
  assert.equal((await call('editor', 'PATCH', `/events/${late.id}`, { json: back })).status, 409)
})
