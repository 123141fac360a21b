import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { type Answer, openTestApp } from './support/app.ts'
import { draws } from './support/draws.ts'

/*
 * A venue is taken from the start of an event up to its end. Whoever plans is told which events overlap; a venue that takes
 * one event at a time refuses them.
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

function at(from: string, to: string, day = '2027-03-01'): object {
  return { title: `From ${from}`, start_date: `${day} ${from}`, end_date: `${day} ${to}`, timezone: 'Europe/Berlin' }
}

function send(method: 'POST' | 'PATCH', path: string, json: object): Promise<Answer> {
  return call('editor', method, path, { json })
}

async function asked(query: Readonly<Record<string, string | number>>, as: 'anonymous' | 'editor' = 'editor') {
  const { status, body } = await call(as, 'GET', `${origin}/kalends/v1/conflicts?${queryOf(query)}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

function queryOf(query: Readonly<Record<string, string | number>>): URLSearchParams {
  return new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))
}

const taken = ({ status, body }: Answer) => [status, body.code, body.data?.events]

test('a write that puts an event over others names them in a header, and the question finds them before', async () => {
  const venue = await venueOf()
  const one = await made('/events', { ...at('10:00', '12:00'), venue })
  const draft = await made('/events', { ...at('10:00', '12:00'), venue, status: 'draft' })
  const secret = await made('/events', { ...at('11:30', '12:30'), venue, status: 'private' })
  const query = { venue, start_date: '2027-03-01 11:00', end_date: '2027-03-01 13:00', timezone: 'Europe/Berlin' }
  const found = await asked(query)
  assert.deepEqual(found.conflicts.map((each: Answer['body']) => each.event?.id).sort(), [one.id, secret.id])
  assert.deepEqual([found.total, found.dates, found.exclusive], [2, 1, false])
  for (const { event } of found.conflicts) {
    const { status, body } = await call('editor', 'GET', event.url)
    assert.deepEqual([status, body.id, body.rest_url], [200, event.id, event.url])
  }
  const anonymous = await asked(query, 'anonymous')
  assert.equal(anonymous.total, 2)
  const hidden = anonymous.conflicts.find((each: Answer['body']) => each.event === undefined)
  assert.deepEqual(hidden, { start_date: '2027-03-01 11:00:00', end_date: '2027-03-01 13:00:00' })
  assert.equal((await asked({ ...query, exclude: one.id })).total, 1)
  const over = await send('POST', '/events', { ...at('11:00', '13:00'), venue })
  assert.equal(over.status, 201)
  assert.deepEqual(over.headers.get('x-kalends-conflicts')?.split(', ').map(Number).sort(), [one.id, secret.id])
  const beside = await send('POST', '/events', { ...at('13:00', '14:00'), venue })
  assert.equal(beside.headers.get('x-kalends-conflicts'), null)
  const title = await send('PATCH', `/events/${over.body.id}`, { title: 'Renamed' })
  assert.equal(title.headers.get('x-kalends-conflicts'), null)
  assert.equal(
    (await call('author', 'POST', '/events', { json: { ...at('12:15', '12:20'), venue } })).headers.get(
      'x-kalends-conflicts',
    ),
    `${over.body.id}, hidden`,
  )
  assert.equal((await asked({ ...query, venue: await venueOf() })).total, 0)
  assert.ok(draft.id)
})

test('the dates of a rule are looked at, and those of other series found', async () => {
  const venue = await venueOf()
  const weekly = { ...at('18:00', '19:00'), venue, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }
  const series = await made('/events', weekly)
  const query = { venue, start_date: '2027-03-02 18:30', end_date: '2027-03-02 20:00', timezone: 'Europe/Berlin' }
  assert.equal((await asked(query)).total, 0)
  const daily = await asked({ ...query, recurrence: 'RRULE:FREQ=DAILY;COUNT=10' })
  assert.deepEqual(
    daily.conflicts.map((each: Answer['body']) => each.start_date),
    ['2027-03-08 18:30:00'],
  )
  assert.equal((await asked({ ...query, recurrence: 'RRULE:FREQ=DAILY' })).dates, 5_000)
  for (const seldom of ['MONTHLY;BYDAY=-1FR', 'MONTHLY;BYMONTHDAY=13;BYDAY=FR', 'YEARLY;BYMONTH=11;BYDAY=4TH']) {
    const { dates } = await asked({ ...query, recurrence: `RRULE:FREQ=${seldom}` })
    assert.ok(dates > 50 && dates < 5_000, `${seldom}: ${dates}`)
  }
  assert.equal((await asked({ ...query, recurrence: 'RRULE:FREQ=DAILY;COUNT=10', exclude: series.id })).total, 0)
  const refused = await call('anonymous', 'GET', `${origin}/kalends/v1/conflicts?venue=999&start_date=2027-03-01`)
  assert.deepEqual([refused.status, Object.keys(refused.body.data.params)], [400, ['venue']])
})

test('what takes a venue is read off the main thread when somebody asks, however many dates there are', async () => {
  const venue = await venueOf()
  await made('/events', { ...at('18:00', '19:00'), venue, recurrence: ['RRULE:FREQ=DAILY;COUNT=40'] })
  const query = { venue, start_date: '2027-03-01 18:30', end_date: '2027-03-01 20:00', timezone: 'Europe/Berlin' }
  const reads = async (count: number) => {
    const { readsInline, readsOffloaded } = app.storage.stats()
    const { dates, total } = await asked({ ...query, recurrence: `RRULE:FREQ=DAILY;COUNT=${count}` }, 'anonymous')
    assert.deepEqual([dates, total], [count, Math.min(count, 40)])
    const later = app.storage.stats()
    return [later.readsInline - readsInline, later.readsOffloaded - readsOffloaded] as const
  }
  const [few, many] = [await reads(20), await reads(2_000)]
  // What works in the background reads now and then.
  assert.ok(few[0] <= 30 && many[0] <= 30, `${few[0]} and ${many[0]} inline`)
  assert.ok(few[1] <= 30 && many[1] >= 40, `${few[1]} and ${many[1]} elsewhere`)
})

test('a venue that takes one event at a time refuses every way in, and lets go of what is cancelled or trashed', async () => {
  const venue = await venueOf({ exclusive: true })
  assert.equal((await call('anonymous', 'GET', `/venues/${venue}`)).body.exclusive, true)
  const one = await made('/events', { ...at('10:00', '12:00'), venue })
  assert.deepEqual(taken(await send('POST', '/events', { ...at('11:00', '13:00'), venue })), [
    409,
    'venue_taken',
    [one.id],
  ])
  const next = await made('/events', { ...at('12:00', '13:00'), venue })
  assert.deepEqual(taken(await send('PATCH', `/events/${next.id}`, { start_date: '2027-03-01 11:59' })), [
    409,
    'venue_taken',
    [one.id],
  ])
  const draft = await made('/events', { ...at('10:30', '11:00'), venue, status: 'draft' })
  assert.deepEqual(taken(await send('PATCH', `/events/${draft.id}`, { status: 'publish' })), [
    409,
    'venue_taken',
    [one.id],
  ])
  const elsewhere = await made('/events', at('10:00', '12:00'))
  assert.equal((await send('PATCH', `/events/${elsewhere.id}`, { venue })).status, 409)
  assert.equal((await call('editor', 'DELETE', `/events/${one.id}`)).status, 200)
  assert.equal((await send('PATCH', `/events/${draft.id}`, { status: 'publish' })).status, 200)
  assert.deepEqual(taken(await send('PATCH', `/events/${one.id}`, { status: 'publish' })), [
    409,
    'venue_taken',
    [draft.id],
  ])
  assert.equal((await send('PATCH', `/events/${draft.id}`, { event_status: 'canceled' })).status, 200)
  assert.equal((await send('PATCH', `/events/${one.id}`, { status: 'publish' })).status, 200)
  assert.equal((await send('PATCH', `/events/${draft.id}`, { event_status: 'scheduled' })).status, 409)
  const week = { ...at('00:00', '23:59:59', '2027-02-25'), end_date: '2027-03-20 00:00', venue }
  assert.equal((await send('POST', '/events', week)).status, 409)
})

test('series are held to it with every scope, and against each other', async () => {
  const venue = await venueOf({ exclusive: true })
  const weekly = { ...at('18:00', '19:00'), venue, recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }
  const series = await made('/events', weekly)
  const { body } = await call('anonymous', 'GET', '/events', { query: { series: series.id } })
  const dates: number[] = body.events.map((each: Answer['body']) => each.id)
  const later = at('18:30', '19:30', '2027-03-02')
  assert.deepEqual(
    taken(await send('POST', '/events', { ...later, venue, recurrence: ['RRULE:FREQ=DAILY;COUNT=10'] })),
    [409, 'venue_taken', [dates[1]]],
  )
  const other = await made('/events', { ...later, venue, recurrence: ['RRULE:FREQ=DAILY;COUNT=6'] })
  const move = { start_date: '2027-03-09 18:30', end_date: '2027-03-09 19:00', scope: 'this' }
  assert.equal((await send('PATCH', `/events/${dates[2]}`, move)).status, 200)
  const clash = { start_date: '2027-03-03 18:30', end_date: '2027-03-03 19:00', scope: 'this' }
  assert.equal((await send('PATCH', `/events/${dates[1]}`, clash)).status, 409)
  assert.equal((await send('PATCH', `/events/${other.id}`, { recurrence: ['RRULE:FREQ=DAILY;COUNT=9'] })).status, 409)
  const following = { start_date: '2027-03-05 18:00', end_date: '2027-03-05 19:00', scope: 'following' }
  assert.equal((await send('PATCH', `/events/${dates[1]}`, following)).status, 409)
  assert.equal((await send('PATCH', `/events/${series.id}`, { title: 'Renamed' })).status, 200)
  assert.equal((await send('PATCH', `/events/${dates[1]}`, { title: 'From here on', scope: 'following' })).status, 200)
  assert.equal((await call('editor', 'DELETE', `/events/${dates[1]}`, { query: { scope: 'this' } })).status, 200)
  assert.equal((await send('POST', '/events', { ...at('18:00', '19:00', '2027-03-08'), venue })).status, 201)
  assert.equal((await send('PATCH', `/events/${dates[1]}`, { status: 'publish', scope: 'this' })).status, 409)
})

test('among very many events of a venue the long ones are found as well', async () => {
  const venue = await venueOf()
  const hours = { ...at('08:00', '08:30', '2029-01-01'), venue }
  const often = await made('/events', { ...hours, recurrence: ['RRULE:FREQ=DAILY;BYHOUR=8,10,12;COUNT=150'] })
  const long = []
  for (const [start_date, end_date] of [
    ['2029-01-18 08:00', '2029-01-22 08:00'],
    ['2029-01-02 08:00', '2029-01-25 08:00'],
    ['2028-10-01 08:00', '2029-03-01 08:00'],
    ['2027-10-01 08:00', '2029-03-01 08:00'],
  ])
    long.push((await made('/events', { title: 'Long', start_date, end_date, timezone: 'Europe/Berlin', venue })).id)
  const { body } = await call('anonymous', 'GET', '/events', {
    query: { series: often.id, start_date: '2029-01-20', end_date: '2029-01-20' },
  })
  const { id } = body.events.find((each: Answer['body']) => each.start_date === '2029-01-20 10:00:00')
  const found = async (from: string, to: string): Promise<number[]> => {
    const when = { start_date: `2029-01-20 ${from}`, end_date: `2029-01-20 ${to}`, timezone: 'Europe/Berlin' }
    const { conflicts } = await asked({ venue, ...when })
    return conflicts.map((each: Answer['body']) => each.event.id).sort((a: number, b: number) => a - b)
  }
  const all = [id, ...long].sort((a, b) => a - b)
  assert.deepEqual(await found('09:00', '09:30'), long)
  assert.deepEqual(await found('10:15', '10:20'), all)
  const over = await send('POST', '/events', { ...at('10:15', '10:20', '2029-01-20'), venue })
  const named = over.headers.get('x-kalends-conflicts')?.split(', ').map(Number)
  assert.deepEqual(
    named?.sort((a, b) => a - b),
    all,
  )
})

test('a series over another one is told of the first twenty dates, and all are counted', async () => {
  const venue = await venueOf()
  const daily = { ...at('18:00', '19:00', '2027-06-01'), venue, recurrence: ['RRULE:FREQ=DAILY;COUNT=120'] }
  const series = await made('/events', daily)
  const { body } = await call('anonymous', 'GET', '/events', { query: { series: series.id, per_page: 20 } })
  const first: number[] = body.events.map((each: Answer['body']) => each.id)
  const over = await send('POST', '/events', daily)
  assert.equal(over.headers.get('x-kalends-conflicts'), [...first, 'more'].join(', '))
  const query = { venue, start_date: '2027-06-01 18:30', end_date: '2027-06-01 18:45', timezone: 'Europe/Berlin' }
  const found = await asked({ ...query, recurrence: 'RRULE:FREQ=DAILY;COUNT=120' })
  assert.deepEqual([found.total, found.dates, found.conflicts.length], [240, 120, 240])
})

test('of writes at once one is made, series and plain events alike', async () => {
  const venue = await venueOf({ exclusive: true })
  const plain = { ...at('10:00', '12:00', '2027-05-03'), venue }
  const series = { ...at('11:00', '13:00', '2027-05-01'), venue, recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }
  const answers = await Promise.all([series, plain, plain, series, plain].map((json) => send('POST', '/events', json)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
})

test('a venue that becomes exclusive keeps its overlaps, which may change in anything but their place', async () => {
  const venue = await venueOf()
  const one = await made('/events', { ...at('10:00', '12:00'), venue })
  await made('/events', { ...at('11:00', '13:00'), venue })
  assert.equal((await send('PATCH', `/venues/${venue}`, { exclusive: true })).status, 200)
  const { body } = await send('PATCH', `/events/${one.id}`, { title: 'Renamed', start_date: '2027-03-01 10:00' })
  assert.equal(body.title, 'Renamed')
  assert.equal((await send('PATCH', `/events/${one.id}`, { end_date: '2027-03-01 12:30' })).status, 409)
  assert.equal((await send('PATCH', `/venues/${venue}`, { exclusive: false })).body.exclusive, undefined)
  assert.equal((await send('PATCH', `/events/${one.id}`, { end_date: '2027-03-01 12:30' })).status, 200)
})

test('what an exclusive venue takes is what a naive calendar of it would', async () => {
  const day = (hour: number): string =>
    `2028-01-0${1 + Math.floor(hour / 24)} ${String(hour % 24).padStart(2, '0')}:00:00`
  const step = fc.record({
    hour: fc.nat(70),
    hours: fc.nat(30),
    repeats: fc.integer({ min: 1, max: 3 }),
    isMoved: fc.boolean(),
  })
  const property = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
    const venue = await venueOf({ exclusive: true })
    let calendar: { readonly id: number; readonly times: readonly (readonly [number, number])[] }[] = []
    for (const { hour, hours, repeats, isMoved } of steps) {
      const target = isMoved ? calendar.find(({ times }) => times.length === 1) : undefined
      const count = target === undefined ? repeats : 1
      const times = [...Array(count).keys()].map((n) => [hour + 48 * n, hour + hours + 48 * n] as const)
      const isFree = calendar.every(
        (one) =>
          one.id === target?.id ||
          one.times.every(([from, to]) => times.every(([start, end]) => !(start < to && from < end))),
      )
      const json = {
        ...{ title: 'Event', start_date: day(hour), end_date: day(hour + hours), timezone: 'UTC', venue },
        ...(count > 1 && { recurrence: [`RRULE:FREQ=DAILY;INTERVAL=2;COUNT=${count}`] }),
      }
      const { status, body } = await (target === undefined
        ? send('POST', '/events', json)
        : send('PATCH', `/events/${target.id}`, { start_date: json.start_date, end_date: json.end_date }))
      assert.equal(status < 300, isFree, JSON.stringify({ json, calendar, body }))
      if (!isFree) continue
      calendar = [...calendar.filter(({ id }) => id !== target?.id), { id: body.id, times }]
    }
  })
  await fc.assert(property, { numRuns: draws(100, 12), seed: 20_261_124 })
})
