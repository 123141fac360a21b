import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp } from './support/app.ts'

const PATH = '/kalends/v1/recurrence'
const WEEKLY = { start_date: '2027-03-23 18:00:00', end_date: '2027-03-23 19:30:00', timezone: 'Europe/Berlin' }

test('anybody may evaluate a recurrence, in the query or in a body', async (t) => {
  const { call, origin } = await openTestApp(t)
  const recurrence = 'RRULE:COUNT=2;FREQ=WEEKLY;INTERVAL=1'
  const read = await call('anonymous', 'GET', origin + PATH + `?${new URLSearchParams({ ...WEEKLY, recurrence })}`)
  const posted = await call('anonymous', 'POST', origin + PATH, { json: { ...WEEKLY, recurrence: [recurrence] } })
  assert.equal(read.status, 200)
  assert.deepEqual(read.body, posted.body)
  assert.deepEqual(read.body.total, 2)
  assert.equal(read.body.text, 'every Tuesday, 2 times')
  assert.deepEqual(read.body.recurrence, ['RRULE:FREQ=WEEKLY;COUNT=2'])
  assert.deepEqual(read.body.dates, [
    {
      start_date: '2027-03-23 18:00:00',
      end_date: '2027-03-23 19:30:00',
      utc_start_date: '2027-03-23 17:00:00',
      utc_end_date: '2027-03-23 18:30:00',
    },
    {
      start_date: '2027-03-30 18:00:00',
      end_date: '2027-03-30 19:30:00',
      utc_start_date: '2027-03-30 16:00:00',
      utc_end_date: '2027-03-30 17:30:00',
    },
  ])
})

test('of a rule without end the first dates are shown, 50 unless told, and no total', async (t) => {
  const { call, origin } = await openTestApp(t)
  const preview = async (more: object) => {
    const json = { start_date: '2027-01-01', all_day: true, recurrence: 'RRULE:FREQ=SECONDLY', ...more }
    return call('anonymous', 'POST', origin + PATH, { json })
  }
  const days = await preview({ recurrence: 'RRULE:FREQ=DAILY' })
  const three = await preview({ recurrence: 'RRULE:FREQ=DAILY\nEXDATE:20270102', limit: 3 })
  assert.deepEqual([days.body.total, days.body.dates.length], [null, 50])
  assert.deepEqual(
    three.body.dates.map((date: { end_date: string }) => date.end_date),
    ['2027-01-01 23:59:59', '2027-01-03 23:59:59', '2027-01-04 23:59:59'],
  )
  assert.deepEqual(three.body.recurrence, ['RRULE:FREQ=DAILY', 'EXDATE;VALUE=DATE:20270102'])
  const { dates } = (await preview({ recurrence: 'RRULE:FREQ=MONTHLY;BYDAY=-1FR', limit: 5_000 })).body
  assert.ok(dates.length > 60 && dates.length < 5_000, `${dates.length} are told without too much work`)
})

const REFUSED: readonly (readonly [object, string])[] = [
  [
    { recurrence: ['RRULE:FREQ=DAILY;BYEASTER=1'] },
    'recurrence is not a usable recurrence: BYEASTER is no part of a rule.',
  ],
  [{ recurrence: [] }, 'recurrence is not a usable recurrence: RRULE or RDATE is missing.'],
  [
    { recurrence: 'RRULE:FREQ=HOURLY;COUNT=9000' },
    'recurrence is not a usable recurrence: RRULE gives more than 5000 dates.',
  ],
  [{ recurrence: 7 }, 'recurrence must be text or a list of lines.'],
  [{ recurrence: 'RRULE:FREQ=DAILY', end_date: '2027-03-22' }, 'end_date must not be before the start.'],
  [{ recurrence: 'RRULE:FREQ=DAILY', limit: 5001 }, 'limit is outside the allowed range.'],
]

test('what an event cannot be created with is refused as its creation is', async (t) => {
  const { call, origin } = await openTestApp(t)
  for (const recurrence of [
    'RRULE:FREQ=MINUTELY',
    'RRULE:FREQ=HOURLY',
    'RRULE:FREQ=DAILY\nEXDATE:20270323T180000\nRRULE:FREQ=DAILY',
    'RRULE:FREQ=DAILY;BYHOUR=1,2,3,4',
    'RRULE:FREQ=DAILY;COUNT=2\nEXDATE:20270323,20270324',
  ]) {
    const json = { ...WEEKLY, recurrence }
    const made = await call('administrator', 'POST', '/events', { json: { ...json, title: 'Too often' } })
    assert.equal(made.status, 400, recurrence)
    const seen = await call('anonymous', 'POST', origin + PATH, { json })
    const venue = await call('administrator', 'POST', '/venues', { json: { venue: 'Hall' } })
    const query = new URLSearchParams({ ...json, venue: String(venue.body.id) })
    const planned = await call('anonymous', 'GET', `${origin}/kalends/v1/conflicts?${query}`)
    for (const { status, body } of [seen, planned])
      assert.deepEqual([status, body.code, body.data.params], [400, made.body.code, made.body.data.params], recurrence)
  }
  const yearly = { ...WEEKLY, recurrence: 'RRULE:FREQ=YEARLY', limit: 20 }
  assert.equal((await call('anonymous', 'POST', origin + PATH, { json: yearly })).body.dates.length, 20)
})

test('what cannot be evaluated is refused, and the sentence names the part', async (t) => {
  const { call, origin } = await openTestApp(t)
  for (const [sent, sentence] of REFUSED) {
    const { status, body } = await call('anonymous', 'POST', origin + PATH, { json: { ...WEEKLY, ...sent } })
    assert.equal(status, 400)
    assert.ok(Object.values(body.data.params as Record<string, string>).includes(sentence), JSON.stringify(body))
  }
  const german = { headers: { 'accept-language': 'de' }, json: { ...WEEKLY, recurrence: 'RRULE:FREQ=DAILY;COUNT=0' } }
  const { body } = await call('anonymous', 'POST', origin + PATH, german)
  assert.match(body.data.params.recurrence, /^recurrence ist keine brauchbare Wiederholung: COUNT is no whole number/)
})
