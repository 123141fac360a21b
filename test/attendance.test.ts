import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, openTestApp, type TestApp } from './support/app.ts'

const TALK = { title: 'Talk', start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 12:00:00' }

async function make({ call }: TestApp, event: object): Promise<Answer['body']> {
  const { status, body } = await call('editor', 'POST', '/events', { json: { ...TALK, status: 'publish', ...event } })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

async function change({ call }: TestApp, id: number, values: object): Promise<Answer['body']> {
  const { status, body } = await call('editor', 'PATCH', `/events/${id}`, { json: values })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function calendarOf({ call, origin }: TestApp, id: number): Promise<string> {
  const { body } = await call('anonymous', 'GET', `${origin}/kalends/v1/events/${id}.ics`)
  return String(body).replaceAll('\r\n ', '')
}

const NAMES = [
  'event_status',
  'event_status_reason',
  'previous_start_date',
  'is_virtual',
  'virtual_url',
  'virtual_type',
]

function membersOf(body: Answer['body']): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([name]) => NAMES.includes(name)))
}

test('a cancelled event says so and why, stays in lists, and is plain again when it is scheduled', async (t) => {
  const app = await openTestApp(t)
  const plain = await make(app, {})
  const { id } = plain
  assert.deepEqual(membersOf(plain), {})
  const canceled = await change(app, id, { event_status: 'canceled', event_status_reason: 'No & speaker' })
  assert.deepEqual(membersOf(canceled), { event_status: 'canceled', event_status_reason: 'No &amp; speaker' })
  const read = await app.call('anonymous', 'GET', `/events/${id}`)
  assert.equal(read.body.json_ld.eventStatus, 'https://schema.org/EventCancelled')
  assert.equal((await app.call('anonymous', 'GET', '/events')).body.total, 1)
  assert.match(await calendarOf(app, id), /SEQUENCE:1\r\n[\s\S]*STATUS:CANCELLED\r\nCOMMENT:No & speaker\r\n/)
  assert.deepEqual(membersOf(await change(app, id, { event_status: null, event_status_reason: '' })), {})
  assert.match(await calendarOf(app, id), /STATUS:CONFIRMED/)
})

test('feeds say that an event is cancelled and why, and nothing of others', async (t) => {
  const app = await openTestApp(t)
  await make(app, { title: 'Plain' })
  await make(app, { title: 'Off', event_status: 'canceled', event_status_reason: 'No & speaker' })
  const read = async (path: string): Promise<Answer['body']> => {
    const { status, body } = await app.call('anonymous', 'GET', app.origin + path)
    assert.equal(status, 200, path)
    return body
  }
  const feed = await read('/de/events/feed.json')
  const contents = feed.items.map((item: { title: string; content_html: string }) => [
    item.title,
    item.content_html.match(/^<p class="note.*?<\/p>/)?.[0].replace(/<[^>]+>/g, ''),
  ])
  assert.deepEqual(Object.fromEntries(contents), { Plain: undefined, Off: 'Abgesagt No &amp; speaker' })
  assert.match(String(await read('/events/feed/')), /<title>Off<\/title>[\s\S]*&lt;strong&gt;Canceled&lt;\/strong&gt;/)
  const items = String(await read('/kalends/v1/events.rss?start_date=2027-03-01'))
    .split('<item>')
    .slice(1)
  const said = items.map((item) => [
    /<title>(.*)<\/title>/.exec(item)?.[1],
    /<category domain.*<\/category>/.exec(item)?.[0],
  ])
  const category = '<category domain="https://schema.org/EventStatusType">EventCancelled</category>'
  assert.deepEqual(Object.fromEntries(said), { Plain: undefined, Off: category })
})

test('a month strikes out what does not take place, also over several days, and nothing else', async (t) => {
  const app = await openTestApp(t)
  const days = { start_date: '2027-03-10', end_date: '2027-03-11', all_day: true }
  for (const [title, json] of [
    ['Plain', {}],
    ['Off', { event_status: 'canceled' }],
    ['Later', { ...days, event_status: 'postponed' }],
    ['Online', { start_date: '2027-03-20', end_date: '2027-03-20', event_status: 'moved_online' }],
  ] as const)
    await make(app, { title, ...json })
  const { body } = await app.call('anonymous', 'GET', `${app.origin}/de/events/2027-03/`)
  const struck = String(body).matchAll(/<span class="vh">\(([^<]*)\)<\/span> <s><b dir="auto">(.*?)<\/b><\/s><\/a>/g)
  assert.deepEqual(
    new Map(Array.from(struck, ([, why, title]) => [title, why])),
    new Map([
      ['Off', 'Abgesagt'],
      ['Later', 'Verschoben auf unbestimmte Zeit'],
    ]),
  )
  assert.doesNotMatch(String(body), /[^s]><b dir="auto">(Off|Later)</)
  assert.match(String(body), /<time>10:00<\/time> <b dir="auto">Plain<\/b><\/a>/)
})

test('a rescheduled event keeps its first start, whichever of the two is told first', async (t) => {
  const app = await openTestApp(t)
  const moved = { start_date: '2027-03-08 10:00:00', end_date: '2027-03-08 12:00:00' }
  const again = { start_date: '2027-03-15 10:00:00', end_date: '2027-03-15 12:00:00' }
  const first = await make(app, {})
  assert.deepEqual(membersOf(await change(app, first.id, moved)), {})
  const told = await change(app, first.id, { event_status: 'rescheduled' })
  assert.equal(told.previous_start_date, '2027-03-01 10:00:00')
  assert.equal((await change(app, first.id, again)).previous_start_date, '2027-03-01 10:00:00')
  const { body } = await app.call('anonymous', 'GET', `/events/${first.id}`)
  assert.equal(body.json_ld.previousStartDate, '2027-03-01T10:00:00-05:00')
  const second = await make(app, {})
  const both = await change(app, second.id, { ...moved, event_status: 'rescheduled' })
  assert.equal(both.previous_start_date, '2027-03-01 10:00:00')
  await change(app, second.id, { event_status: 'scheduled' })
  const anew = await change(app, second.id, { ...again, event_status: 'rescheduled' })
  assert.equal(anew.previous_start_date, '2027-03-08 10:00:00')
})

test('dates of a series keep their own first starts, whoever moves them and whichever is told first', async (t) => {
  const app = await openTestApp(t)
  const first = await make(app, { title: 'Weekly', recurrence: ['RRULE:FREQ=WEEKLY;COUNT=6'] })
  const { id } = first
  const day = (date: string, hour = 10): object => ({
    ...{ start_date: `${date} ${hour}:00:00`, end_date: `${date} ${hour + 2}:00:00` },
  })
  const before = async (): Promise<unknown[]> => {
    const { body } = await app.call('anonymous', 'GET', `/events?series=${id}&starts_after=2027-01-01`)
    return body.events.map((each: Answer['body']) => [each.event_status, each.previous_start_date])
  }
  const moved = await change(app, id + 1, { ...day('2027-03-09'), event_status: 'scheduled' })
  assert.deepEqual(membersOf(moved), {})
  await change(app, id, { event_status: 'canceled' })
  assert.deepEqual(await before(), Array(6).fill(['canceled', undefined]))
  await change(app, id, { event_status: 'scheduled' })
  await change(app, id + 2, day('2027-03-16'))
  for (const [date, start] of [
    [id + 1, '2027-03-08 10:00:00'],
    [id + 2, '2027-03-15 10:00:00'],
  ] as const)
    assert.equal((await change(app, date, { event_status: 'rescheduled' })).previous_start_date, start)
  await change(app, id, { ...day('2027-03-02', 11), event_status: 'rescheduled' })
  assert.deepEqual(
    await before(),
    ['03-01', '03-08', '03-15', '03-22', '03-29', '04-05'].map((each) => ['rescheduled', `2027-${each} 10:00:00`]),
  )
  await change(app, id, { event_status: 'scheduled' })
  const { body } = await app.call('anonymous', 'GET', `/events?series=${id}&starts_after=2027-01-01`)
  // That it was rescheduled before, by itself, stays with it.
  const third = await change(app, body.events[2].id, { ...day('2027-03-18', 11), event_status: 'rescheduled' })
  assert.equal(third.previous_start_date, '2027-03-15 10:00:00')
  const fourth = await change(app, body.events[3].id, { ...day('2027-03-24', 11), event_status: 'rescheduled' })
  assert.equal(fourth.previous_start_date, '2027-03-23 11:00:00')
  const path = `/events/${body.events[4].id}?scope=following`
  const { status } = await app.call('editor', 'PATCH', path, {
    json: { ...day('2027-03-31', 11), event_status: 'rescheduled' },
  })
  assert.equal(status, 200)
  const later = await app.call('anonymous', 'GET', `/events?series=${body.events[4].id}&starts_after=2027-01-01`)
  assert.deepEqual(
    later.body.events.map((each: Answer['body']) => each.previous_start_date),
    ['2027-03-30 11:00:00', '2027-04-06 11:00:00'],
  )
})

test('an online event has its address for people, search engines and calendars', async (t) => {
  const app = await openTestApp(t)
  const online = { is_virtual: true, virtual_url: 'https://stream.example/a?b=1,2;3' }
  const { id } = await make(app, { ...online, venue: { venue: 'Hall' } })
  const read = await app.call('anonymous', 'GET', `/events/${id}`)
  assert.deepEqual(membersOf(read.body), online)
  assert.deepEqual(read.body.json_ld.location, { '@type': 'VirtualLocation', url: online.virtual_url })
  assert.equal(read.body.json_ld.eventAttendanceMode, 'https://schema.org/OnlineEventAttendanceMode')
  assert.match(await calendarOf(app, id), /CONFERENCE;VALUE=URI:https:\/\/stream\.example\/a\?b=1,2;3\r\n/)
  await change(app, id, { virtual_type: 'hybrid' })
  const hybrid = (await app.call('anonymous', 'GET', `/events/${id}`)).body.json_ld
  assert.equal(hybrid.eventAttendanceMode, 'https://schema.org/MixedEventAttendanceMode')
  assert.deepEqual(
    hybrid.location.map((place: { '@type': string }) => place['@type']),
    ['Place', 'VirtualLocation'],
  )
  const refused = await app.call('editor', 'PATCH', `/events/${id}`, { json: { virtual_url: 'javascript:alert(1)' } })
  assert.equal(refused.status, 400)
})

test('the address and the reason of a protected event are for those who have its password', async (t) => {
  const app = await openTestApp(t)
  const secret = { virtual_url: 'https://stream.example/secret', event_status_reason: 'Sealed' }
  const { id } = await make(app, { ...secret, is_virtual: true, event_status: 'moved_online', password: 'sesame' })
  const listed = (await app.call('anonymous', 'GET', '/events')).body.events[0]
  assert.deepEqual(membersOf(listed), { event_status: 'moved_online', is_virtual: true })
  const { body } = await app.call('anonymous', 'GET', `${app.origin}/kalends/v1/events.ics`)
  assert.doesNotMatch(body, /stream\.example|Sealed/)
  const opened = await app.call('anonymous', 'GET', `/events/${id}`, { query: { password: 'sesame' } })
  assert.deepEqual([opened.body.virtual_url, opened.body.event_status_reason], Object.values(secret))
  const page = await (await fetch(opened.body.url)).text()
  assert.doesNotMatch(page, /stream\.example|Sealed/)
})

test('lists are filtered by what has become of events and by whether they are online', async (t) => {
  const app = await openTestApp(t)
  await make(app, { title: 'Plain' })
  await make(app, { title: 'Off', event_status: 'canceled' })
  await make(app, { title: 'Later', event_status: 'postponed', is_virtual: true })
  for (const [query, expected] of [
    [{ event_status: 'canceled' }, ['Off']],
    [{ event_status: 'canceled,postponed' }, ['Later', 'Off']],
    [{ event_status: 'scheduled' }, ['Plain']],
    [{ is_virtual: 'true' }, ['Later']],
    [{ is_virtual: 'false' }, ['Off', 'Plain']],
  ] as const) {
    const { body } = await app.call('anonymous', 'GET', '/events', { query })
    assert.deepEqual(body.events.map(({ title }: { title: string }) => title).sort(), expected)
    assert.equal(body.total, expected.length)
  }
  assert.equal((await app.call('anonymous', 'GET', '/events', { query: { event_status: 'gone' } })).status, 400)
})

test('further fields are written as a whole, within their limits', async (t) => {
  const app = await openTestApp(t)
  const { id } = await make(app, { custom_fields: { dress: 'Oilskins', level: 3 } })
  const shown = async () => (await app.call('anonymous', 'GET', `/events/${id}`)).body.custom_fields
  assert.deepEqual(await shown(), { dress: 'Oilskins', level: '3' })
  await change(app, id, { custom_fields: { dress: null, hall: 'A' } })
  assert.deepEqual(await shown(), { hall: 'A' })
  const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`f${at}`, 'x']))
  for (const custom_fields of [{ Upper: 'x' }, { nested: {} }, many, { long: 'x'.repeat(10_001) }, 'text']) {
    assert.equal((await app.call('editor', 'PATCH', `/events/${id}`, { json: { custom_fields } })).status, 400)
  }
  await change(app, id, { custom_fields: [] })
  assert.deepEqual(await shown(), [])
})
