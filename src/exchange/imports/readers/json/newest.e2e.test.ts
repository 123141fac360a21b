import assert from 'node:assert/strict'
import test from 'node:test'
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts'
import { fileOf, importFiles, type Json } from '../../../../../test/support/json-import.ts'

/* Of a recurring event with more than 5,000 dates an import keeps the newest. */

const DAY = 86_400_000
const TIMES = { start_date: '2010-01-01 10:00:00', end_date: '2010-01-01 11:00:00', timezone: 'UTC' }

/** The day so many days before another one. */
function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * DAY).toISOString().slice(0, 10)
}

function recurring(recurrence: readonly string[], more: object = {}): Json {
  return { id: 5, global_id: 'there.example?id=5', title: 'Open day', ...TIMES, recurrence, ...more }
}

async function listed({ call }: TestApp, query: Readonly<Record<string, string | number>> = {}): Promise<Json> {
  const wide = { start_date: '1900-01-01', end_date: '2099-12-31', per_page: 1 }
  const { status, body } = await call('anonymous', 'GET', '/events', { query: { ...wide, ...query } })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

test('a rule without end goes on from the oldest date that is kept, and dates keep what they have for themselves', async (t) => {
  const app = await openTestApp(t)
  const first = dayBefore('2031-11-20', 4_999)
  const own = (id: number, day: string): Json => {
    const times = { start_date: `${day} 12:00:00`, end_date: `${day} 13:00:00`, timezone: 'UTC' }
    const series = { id: 5, recurrence_id: `${day} 10:00:00`, exception: true }
    return { id, global_id: `there.example?id=${id}`, title: `At noon ${id}`, ...times, series }
  }
  const days = [dayBefore(first, 30), first, '2027-03-01']
  const events = [
    recurring(['RRULE:FREQ=DAILY', 'EXDATE:20270302T100000']),
    ...days.map((day, at) => own(70 + at, day)),
  ]
  const report = await importFiles(app, [fileOf({ events })])
  const inAll = (Date.parse('2031-11-20') - Date.parse('2010-01-01')) / DAY + 1
  // One more for the day that is left out.
  const oldest = dayBefore(first, 1)
  assert.deepEqual(
    report.skipped.map(({ why }) => why),
    [`of its dates the oldest ${inAll - 1 - 5_000} were left out`],
  )
  const { events: begun, total } = await listed(app)
  assert.deepEqual([total, begun[0].start_date], [5_000, `${oldest} 10:00:00`])
  assert.deepEqual(begun[0].recurrence, ['RRULE:FREQ=DAILY', 'EXDATE:20270302T100000'])
  const titles = async (day: string) => {
    const { events: found } = await listed(app, { start_date: day, end_date: `${day} 23:59:59` })
    return found.map(({ title, start_date }: Json) => [title, start_date.slice(11)])
  }
  assert.deepEqual(await titles(first), [['At noon 71', '12:00:00']])
  assert.deepEqual(await titles('2027-03-01'), [['At noon 72', '12:00:00']])
  const again = await importFiles(app, [fileOf({ events })])
  assert.deepEqual([again.created, again.updated], [0, 0])
  // The rule can be changed here as any other.
  const json = { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
  const changed = await app.call('administrator', 'POST', `/events/${begun[0].id}`, { json })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  assert.equal((await listed(app)).total, 3)
})

test('a rule with a number of dates keeps its last one', async (t) => {
  const app = await openTestApp(t)
  const times = { start_date: '1950-01-01 10:00:00', end_date: '1950-01-01 11:00:00' }
  const event = recurring(['RRULE:FREQ=DAILY;COUNT=30000'], times)
  const { skipped } = await importFiles(app, [fileOf({ events: [event] })])
  assert.deepEqual(
    skipped.map(({ why }) => why),
    ['of its dates the oldest 25000 were left out'],
  )
  const { events, total } = await listed(app)
  const last = dayBefore('1950-01-01', -29_999)
  assert.deepEqual([total, events[0].start_date.slice(0, 10)], [5_000, dayBefore(last, 4_999)])
  assert.equal((await listed(app, { start_date: last })).total, 1)
})

test('what is hard to work out is listed date by date, or its first date stays', async (t) => {
  const app = await openTestApp(t)
  const hourly = recurring(['RRULE:FREQ=HOURLY;BYHOUR=10;COUNT=5200'])
  const endless = recurring(['RRULE:FREQ=SECONDLY'], { id: 6, global_id: 'there.example?id=6', title: 'Ticking' })
  const { skipped } = await importFiles(app, [fileOf({ events: [hourly, endless] })])
  assert.equal(skipped[0]?.why, 'of its dates the oldest 200 were left out')
  assert.match(skipped[1]?.why ?? '', /^its recurrence cannot be kept \(RRULE .*\): only its first date was imported$/)
  const { total } = await listed(app)
  assert.equal(total, 5_001)
})
