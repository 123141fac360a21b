import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'

const app = await openTestApp({ after })

const ZONES = [
  ...['Europe/Berlin', 'Europe/London', 'Europe/Dublin', 'Europe/Chisinau', 'Atlantic/Azores', 'America/New_York'],
  ...[
    'America/St_Johns',
    'America/Havana',
    'America/Santiago',
    'America/Asuncion',
    'America/Nuuk',
    'America/Sao_Paulo',
  ],
  ...['Africa/Cairo', 'Africa/Casablanca', 'Asia/Jerusalem', 'Asia/Beirut', 'Australia/Sydney', 'Australia/Lord_Howe'],
  ...['Pacific/Auckland', 'Pacific/Chatham', 'Antarctica/Troll', 'Asia/Kathmandu'],
]

// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests assert
type Item = any

async function create(json: object): Promise<Item> {
  const { status, body } = await app.call('administrator', 'POST', '/events', { json: { title: 'Zoned', ...json } })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

async function datesOf(series: number): Promise<Item[]> {
  const all: Item[] = []
  for (let page = 1, total = 1; all.length < total; page += 1) {
    const query = { series, start_date: '1900-01-01', end_date: '2200-01-01', per_page: 50, page }
    const { body } = await app.call('anonymous', 'GET', '/events', { query })
    total = body.total
    all.push(...body.events)
  }
  return all
}

/** What a clock of a place shows at a moment, as the runtime says it. */
function clockOf(timeZone: string): (utc: string, hours?: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (utc, hours = 0) => format.format(Date.parse(`${utc.replace(' ', 'T')}Z`) + hours * 3_600_000)
}

for (const [index, timezone] of ZONES.entries()) {
  const hour = ['00:30:00', '01:30:00', '02:30:00', '23:30:00'][index % 4] ?? ''
  test(`a daily series at ${hour} keeps its hour through a year of ${timezone}`, async () => {
    const day = '2026-12-15'
    const made = await create({
      ...{ timezone, start_date: `${day} ${hour}`, end_date: `${day} ${hour.replace('30:', '45:')}` },
      recurrence: 'RRULE:FREQ=DAILY;COUNT=366',
    })
    const dates = await datesOf(made.id)
    assert.equal(dates.length, 366)
    const clock = clockOf(timezone)
    for (const { start_date, utc_start_date, utc_end_date, series } of dates) {
      const wanted = series.recurrence_id
      assert.equal(wanted.slice(11), hour)
      assert.equal(start_date, clock(utc_start_date))
      assert.equal(Date.parse(utc_end_date) - Date.parse(utc_start_date), 900_000, 'a quarter of an hour')
      // The first of two; a reading that is skipped moves forward by what is skipped.
      if (start_date === wanted) assert.notEqual(clock(utc_start_date, -1), wanted)
      else assert.ok(start_date > wanted && clock(utc_start_date, -1) < wanted, `${wanted} ${start_date}`)
    }
  })
}

test('another zone moves the moments and leaves dates, readings and their ids', async () => {
  const { id } = await create({
    ...{ timezone: 'Europe/Berlin', start_date: '2027-03-22 02:30:00', end_date: '2027-03-22 03:30:00' },
    recurrence: ['RRULE:FREQ=DAILY;COUNT=12', 'EXDATE:20270325T023000'],
  })
  const before = await datesOf(id)
  for (const timezone of ['America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Europe/Berlin']) {
    const { status } = await app.call('administrator', 'PATCH', `/events/${id}`, { json: { timezone } })
    assert.equal(status, 200)
    const dates = await datesOf(id)
    const named = (all: Item[]) => all.map((one) => [one.id, one.series.recurrence_id])
    assert.deepEqual(named(dates), named(before))
    for (const one of dates) assert.equal(one.start_date, clockOf(timezone)(one.utc_start_date))
  }
  assert.deepEqual(
    (await datesOf(id)).map((one) => one.utc_start_date),
    before.map((one) => one.utc_start_date),
  )
})

test('whole days stay whole over changes of clocks, leap days come when there is one, and years before 1970 are years', async () => {
  const allDay = { all_day: true, timezone: 'Europe/Berlin' }
  const days = await create({
    ...{ ...allDay, start_date: '2027-03-27', end_date: '2027-03-29' },
    recurrence: 'RRULE:FREQ=MONTHLY;BYDAY=-1SA;COUNT=9',
  })
  for (const { start_date, end_date } of await datesOf(days.id)) {
    assert.deepEqual([start_date.slice(11), end_date.slice(11)], ['00:00:00', '23:59:59'])
    assert.equal(Date.parse(end_date.slice(0, 10)) - Date.parse(start_date.slice(0, 10)), 2 * 86_400_000)
  }
  const leap = { ...allDay, start_date: '2088-02-29', end_date: '2088-02-29', recurrence: 'RRULE:FREQ=YEARLY;COUNT=5' }
  const leapDays = await datesOf((await create(leap)).id)
  assert.deepEqual(
    leapDays.map((one) => one.start_date.slice(0, 10)),
    ['2088-02-29', '2092-02-29', '2096-02-29', '2104-02-29', '2108-02-29'],
  )
  const early = await create({
    ...{ timezone: 'America/New_York', start_date: '1967-10-28 12:00:00', end_date: '1967-10-28 13:00:00' },
    recurrence: 'RRULE:FREQ=DAILY;COUNT=3',
  })
  assert.deepEqual(
    (await datesOf(early.id)).map((one) => one.utc_start_date),
    ['1967-10-28 16:00:00', '1967-10-29 17:00:00', '1967-10-30 17:00:00'],
  )
})

test('long after the tables of old programs end, dates keep their hour over each change of the clocks', async () => {
  const weekly = {
    start_date: '2044-03-13 01:30:00',
    end_date: '2044-03-13 02:00:00',
    recurrence: 'RRULE:FREQ=WEEKLY;COUNT=90',
  }
  for (const timezone of ['Europe/Berlin', 'America/New_York', 'Australia/Sydney']) {
    const dates = await datesOf((await create({ ...weekly, timezone })).id)
    assert.equal(dates.length, 90)
    assert.deepEqual([...new Set(dates.map((one) => one.start_date.slice(11)))], ['01:30:00'])
    const clock = clockOf(timezone)
    for (const { start_date, utc_start_date } of dates) assert.equal(clock(utc_start_date), start_date)
    const hours = new Set(dates.map((one) => one.utc_start_date.slice(11)))
    assert.equal(hours.size, 2, `${timezone} changes its clocks`)
  }
})
