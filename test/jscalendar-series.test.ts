import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'
import { IS_FULL } from './support/draws.ts'
import { originalStarts, type RecurringObject } from './support/jscalendar-dates.ts'
import { eventOf, RECURRENCES, readingOf, skipRecurrences as skip } from './support/recurrences.ts'

const app = await openTestApp({ after })

const YOGA = {
  title: 'Yoga',
  start_date: '2027-01-04 10:00:00',
  end_date: '2027-01-04 11:30:00',
  timezone: 'Europe/Berlin',
  recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
type Item = any

async function send(method: string, path: string, json: object = {}): Promise<Item> {
  const sent = method === 'DELETE' ? { query: json as never } : { json }
  const { status, body } = await app.call('administrator', method, path, sent)
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  return body
}

async function file(path: string): Promise<Item> {
  const { status, body } = await app.call('anonymous', 'GET', `${app.origin}/kalends/v1${path}`)
  assert.equal(status, 200, JSON.stringify(body))
  return typeof body === 'string' ? JSON.parse(body) : body
}

async function datesOf(series: number): Promise<Item[]> {
  const query = { series, start_date: '1900-01-01', end_date: '9999-12-31', per_page: 50 }
  return (await app.call('anonymous', 'GET', '/events', { query })).body.events
}

const WEEKLY = { '@type': 'RecurrenceRule', frequency: 'weekly', count: 4 }

test('a series is one event with its rule, and a patch for each date that differs', async () => {
  const { id } = await send('POST', '/events', { ...YOGA, status: 'publish', description: 'Bring a mat' })
  const [first, second, third, last] = await datesOf(id)
  const whole = await file(`/events/${id}.jscal`)
  assert.deepEqual(
    [whole.uid, whole.start, whole.timeZone, whole.duration, whole.recurrenceRules, whole.recurrenceOverrides],
    [`${id}@calendar.example`, '2027-01-04T10:00:00', 'Europe/Berlin', 'PT1H30M', [WEEKLY], undefined],
  )
  await send('DELETE', `/events/${second.id}`)
  const moved = { start_date: '2027-01-19 09:00:00', end_date: '2027-01-19 10:00:00', timezone: 'Asia/Tokyo' }
  await send('PATCH', `/events/${third.id}`, { ...moved, title: 'Yoga abroad', description: '' })
  await send('PATCH', `/events/${first.id}`, { scope: 'this', event_status: 'canceled' })
  await send('PATCH', `/events/${last.id}`, { hide_from_listings: true })
  const changed = await file(`/events/${id}.jscal`)
  assert.deepEqual(changed.recurrenceRules, [WEEKLY])
  const { links, ...abroad } = changed.recurrenceOverrides['2027-01-18T10:00:00']
  assert.match(links.page.href, /\/event\/yoga\/2027-01-18\/$/)
  assert.deepEqual(abroad, {
    ...{ start: '2027-01-19T09:00:00', timeZone: 'Asia/Tokyo', duration: 'PT1H', title: 'Yoga abroad' },
    ...{ description: null, descriptionContentType: null },
  })
  assert.equal(changed.recurrenceOverrides['2027-01-04T10:00:00'].status, 'cancelled')
  assert.deepEqual(changed.recurrenceOverrides['2027-01-11T10:00:00'], { excluded: true })
  assert.deepEqual(changed.recurrenceOverrides['2027-01-25T10:00:00'], { excluded: true })
  assert.deepEqual(originalStarts(changed, 9), ['2027-01-04T10:00:00', '2027-01-18T10:00:00'])
  const single = await file(`/events/${third.id}.jscal`)
  assert.deepEqual(
    [single.uid, single.recurrenceId, single.recurrenceIdTimeZone, single.start, single.recurrenceRules],
    [changed.uid, '2027-01-18T10:00:00', 'Europe/Berlin', '2027-01-19T09:00:00', undefined],
  )
})

test('a list has a series whole and once, as its iCalendar file has it', async () => {
  const { id } = await send('POST', '/events', { ...YOGA, title: 'Choir', tags: ['choir'] })
  const [, second] = await datesOf(id)
  const entries = async (query: string): Promise<Item[]> => (await file(`/events.jscal?${query}`)).entries
  const [whole, ...others] = await entries('tags=choir&start_date=2027-01-10&end_date=2027-01-20')
  assert.deepEqual([whole.start, whole.recurrenceRules, others], ['2027-01-04T10:00:00', [WEEKLY], []])
  await send('PATCH', `/events/${second.id}`, { title: 'Concert', tags: ['concert'] })
  const [concert, ...rest] = await entries('tags=concert')
  assert.deepEqual([concert.recurrenceId, concert.recurrenceRules, rest], ['2027-01-11T10:00:00', undefined, []])
  const [again] = await entries('tags=choir')
  assert.equal(again.recurrenceOverrides['2027-01-11T10:00:00'].title, 'Concert')
  assert.deepEqual(again.recurrenceOverrides['2027-01-11T10:00:00'].keywords, { concert: true })
  app.clock.now += 3_600_000
  await send('PATCH', `/events/${second.id}`, { title: 'Last concert' })
  const [later] = await entries('tags=choir')
  assert.deepEqual([again.updated, later.updated], ['2026-11-20T18:00:00Z', '2026-11-20T19:00:00Z'])
  assert.ok(later.sequence > again.sequence, `${again.sequence} ${later.sequence}`)
})

test('days, clocks without a place, and a protected series', async () => {
  const of = async (json: object): Promise<Item> => {
    const { id } = await send('POST', '/events', { ...YOGA, ...json })
    return file(`/events/${id}.jscal`)
  }
  const days = { all_day: true, start_date: '2027-03-27', end_date: '2027-03-28' }
  const whole = await of({ ...days, recurrence: ['RRULE:FREQ=WEEKLY;UNTIL=20270412', 'EXDATE;VALUE=DATE:20270403'] })
  assert.deepEqual(
    [whole.start, whole.timeZone, whole.showWithoutTime, whole.duration],
    ['2027-03-27T00:00:00', null, true, 'P2D'],
  )
  assert.equal(whole.recurrenceRules[0].until, '2027-04-12T00:00:00')
  assert.deepEqual(originalStarts(whole, 9), ['2027-03-27T00:00:00', '2027-04-10T00:00:00'])
  const offset = await of({ timezone: 'UTC+5:30', recurrence: 'RRULE:FREQ=DAILY;COUNT=2' })
  const zone = offset.timeZones[offset.timeZone]
  assert.deepEqual([offset.timeZone[0], zone.standard[0].offsetTo, offset.start], ['/', '+0530', '2027-01-04T10:00:00'])
  const utc = await of({ recurrence: 'RRULE:FREQ=WEEKLY;UNTIL=20270118T090000Z' })
  assert.equal(utc.recurrenceRules[0].until, '2027-01-18T10:00:00')
  const { id } = await send('POST', '/events', { ...YOGA, password: 'open', description: 'SECRETTEXT' })
  const { status } = await app.call('anonymous', 'GET', `${app.origin}/kalends/v1/events/${id}.jscal`)
  assert.equal(status, 403)
})

/** Rules of which RFC 5545 and RFC 8984 say different things by the same parts. */
const DIFFERING: readonly (readonly [string, boolean])[] = [
  ['FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU;COUNT=6', true],
  ['FREQ=YEARLY;BYMONTH=1;BYDAY=2MO,2TU;COUNT=6', true],
  ['FREQ=YEARLY;INTERVAL=2;BYMONTH=1,5;BYDAY=5MO;COUNT=6', true],
  ['FREQ=YEARLY;BYMONTH=1,5;BYDAY=1MO,-1FR;COUNT=9', false],
  ['FREQ=YEARLY;BYMONTHDAY=13;COUNT=9', true],
  ['FREQ=YEARLY;BYMONTHDAY=13;BYDAY=FR;COUNT=4', true],
  ['FREQ=YEARLY;BYDAY=20MO;COUNT=4', true],
  ['FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO;COUNT=4', false],
  ['FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO,SU;COUNT=4', true],
  ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=4', true],
  ['FREQ=WEEKLY;BYDAY=TU;COUNT=3', true],
  ['FREQ=YEARLY;BYMONTH=1,5;BYDAY=1MO,-1FR', false],
]

test('others read the same dates by RFC 8984, also where RFC 5545 means others by the same parts', async () => {
  for (const [rule, isRule] of DIFFERING) {
    const { id } = await send('POST', '/events', { ...YOGA, recurrence: [`RRULE:${rule}`] })
    const event: RecurringObject = await file(`/events/${id}.jscal`)
    const listed = (await datesOf(id)).map((one) => one.series.recurrence_id.replace(' ', 'T'))
    assert.ok(listed.length > 2, rule)
    assert.deepEqual(originalStarts(event, 50), listed, `${rule} ${JSON.stringify(event.recurrenceRules)}`)
    assert.equal(event.recurrenceRules !== undefined, isRule, rule)
  }
})

test('the dates that another engine reads are those of the file by RFC 8984', { skip }, async () => {
  const known = RECURRENCES.filter(({ optional }) => optional === undefined)
  const asked = IS_FULL ? known : known.filter((_one, index) => index % 4 === 0)
  let read = 0
  for (const vector of asked) {
    const { status, body } = await app.call('administrator', 'POST', '/events', { json: eventOf(vector) })
    if (status === 400 && /more than 5000 dates/.test(JSON.stringify(body))) continue
    assert.equal(status, 201, `${vector.id} ${JSON.stringify(body)}`)
    const event: RecurringObject = await file(`/events/${body.id}.jscal`)
    const wanted = vector.expected.map(({ local }) => readingOf(local).replace(' ', 'T'))
    const starts = originalStarts(event, wanted.length + 10).slice(0, wanted.length)
    assert.deepEqual(starts, wanted, `${vector.id} ${vector.rrule} ${JSON.stringify(event.recurrenceRules)}`)
    assert.notEqual(event.recurrenceRules, undefined, `${vector.id} ${vector.rrule}`)
    read += 1
  }
  assert.ok(read > asked.length / 2, `${read} of ${asked.length}`)
})
