import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, openTestApp } from './support/app.ts'
import { MEETING } from './support/events.ts'

const app = await openTestApp({ after })

const post = (json: object): Promise<Answer> => app.call('editor', 'POST', '/events', { json: { ...MEETING, ...json } })

/** Start and end on the clock, then both in UTC. */
function timesOf(body: Answer['body']): string[] {
  return [body.start_date, body.end_date, body.utc_start_date, body.utc_end_date]
}

async function moved(id: number, json: object, method = 'PATCH'): Promise<string[]> {
  const answer = await app.call('editor', method, `/events/${id}`, { json })
  assert.equal(answer.status, 200, `${JSON.stringify(json)} ${JSON.stringify(answer.body)}`)
  return timesOf(answer.body)
}

test('a start is read in every form of a date, on the clock of the event where it names none', async () => {
  // It is 2026-11-20 18:00 UTC, a Friday: 10:00 in Los Angeles.
  const forms: readonly (readonly [sent: string | number, start: string])[] = [
    ['2028-02-10', '2028-02-10 00:00:00'],
    ['2028-02-10 10:00', '2028-02-10 10:00:00'],
    ['2028-02-10T10:00:30', '2028-02-10 10:00:30'],
    ['2028-02-10T10:00:00.123Z', '2028-02-10 02:00:00'],
    ['2028-02-10T10:00:00+09:00', '2028-02-09 17:00:00'],
    ['2028-02-10 10:00 America/New_York', '2028-02-10 07:00:00'],
    ['02/10/2028', '2028-02-10 00:00:00'],
    ['10-02-2028', '2028-02-10 00:00:00'],
    ['February 10, 2028', '2028-02-10 00:00:00'],
    ['10 Feb 2028 7pm', '2028-02-10 19:00:00'],
    ['20280210', '2028-02-10 00:00:00'],
    ['2028-W06-4', '2028-02-10 00:00:00'],
    ['2028-041', '2028-02-10 00:00:00'],
    ['2028-02', '2028-02-01 00:00:00'],
    ['12:00', '2026-11-20 12:00:00'],
    ['now', '2026-11-20 10:00:00'],
    ['tomorrow 10am', '2026-11-21 10:00:00'],
    ['monday', '2026-11-23 00:00:00'],
    ['+14 months', '2028-01-20 10:00:00'],
    ['1833796800', '2028-02-10 04:00:00'],
    ['@1833796800', '2028-02-10 04:00:00'],
    [1_833_796_800, '2028-02-10 04:00:00'],
    ['1970-01-01', '1970-01-01 00:00:00'],
  ]
  for (const [start_date, start] of forms) {
    const { body } = await post({ start_date, end_date: '2050-01-01', timezone: 'America/Los_Angeles' })
    assert.equal(body.start_date, start, String(start_date))
    const filtered = await app.call('anonymous', 'GET', '/events', { query: { starts_after: start_date } })
    assert.equal(filtered.status, 200, String(start_date))
  }
})

test('what is no date is refused in writes and filters alike', async () => {
  for (const bad of ['', '0', '2028', '202802', '2028-02-30', '2028-13-45', '2028-02-10 25:00', 'foo', '1.5']) {
    for (const field of ['start_date', 'end_date', 'date', 'date_utc']) {
      const { status, body } = await post({ [field]: bad })
      assert.deepEqual([status, Object.keys(body.data.params)], [400, [field]], `${field} ${bad}`)
    }
    for (const name of ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after']) {
      const { status, body } = await app.call('anonymous', 'GET', '/events', { query: { [name]: bad } })
      assert.deepEqual([status, Object.keys(body.data.params)], [400, [name]], `${name} ${bad}`)
    }
  }
  for (const bad of [0, 1.5, true, [], {}]) assert.equal((await post({ start_date: bad })).status, 400)
})

test('start, end and zone move one at a time, by every method, and UTC follows', async () => {
  for (const method of ['POST', 'PUT', 'PATCH']) {
    const { id } = (await post({ timezone: 'Europe/Rome' })).body
    const move = (json: object): Promise<string[]> => moved(id, json, method)
    assert.deepEqual(await move({ start_date: '2027-03-01 09:00' }), [
      ...['2027-03-01 09:00:00', '2027-03-01 12:00:00'],
      ...['2027-03-01 08:00:00', '2027-03-01 11:00:00'],
    ])
    assert.deepEqual(await move({ end_date: '2027-03-02' }), [
      ...['2027-03-01 09:00:00', '2027-03-02 00:00:00'],
      ...['2027-03-01 08:00:00', '2027-03-01 23:00:00'],
    ])
    assert.deepEqual(await move({ timezone: 'Asia/Tokyo' }), [
      ...['2027-03-01 09:00:00', '2027-03-02 00:00:00'],
      ...['2027-03-01 00:00:00', '2027-03-01 15:00:00'],
    ])
    assert.deepEqual(await move({ timezone: 'UTC', start_date: '2027-03-01T10:00:00+09:00' }), [
      ...['2027-03-01 01:00:00', '2027-03-02 00:00:00'],
      ...['2027-03-01 01:00:00', '2027-03-02 00:00:00'],
    ])
    for (const json of [
      { start_date: '2027-03-03' },
      { end_date: '2027-02-28' },
      { end_date: '2027-03-01 00:59:59' },
    ]) {
      const { status, body } = await app.call('editor', method, `/events/${id}`, { json })
      assert.deepEqual([status, Object.keys(body.data.params)], [400, ['end_date']])
    }
    assert.deepEqual((await move({ end_date: '2027-03-01 01:00:00' })).slice(0, 2), [
      ...['2027-03-01 01:00:00', '2027-03-01 01:00:00'],
    ])
  }
})

test('whole days are whole on the clock of the event, stay whole, and end no earlier than they begin', async () => {
  const { body } = await post({ all_day: 'yes', timezone: 'Asia/Tokyo', end_date: '2027-03-02 05:00' })
  assert.deepEqual(timesOf(body), [
    ...['2027-03-01 00:00:00', '2027-03-02 23:59:59'],
    ...['2027-02-28 15:00:00', '2027-03-02 14:59:59'],
  ])
  assert.deepEqual((await moved(body.id, { start_date: '2027-03-02 15:00' })).slice(0, 2), [
    ...['2027-03-02 00:00:00', '2027-03-02 23:59:59'],
  ])
  assert.deepEqual((await moved(body.id, { all_day: false })).slice(0, 2), [
    ...['2027-03-02 00:00:00', '2027-03-02 23:59:59'],
  ])
  assert.deepEqual(
    (await moved(body.id, { start_date: '2027-03-02 08:00', end_date: '2027-03-02 09:00' })).slice(0, 2),
    [...['2027-03-02 08:00:00', '2027-03-02 09:00:00']],
  )
  assert.deepEqual((await moved(body.id, { all_day: 1 })).slice(0, 2), ['2027-03-02 00:00:00', '2027-03-02 23:59:59'])
  const backwards = { all_day: true, start_date: '2027-03-01 10:00', end_date: '2027-03-01 08:00' }
  assert.deepEqual(timesOf((await post(backwards)).body).slice(0, 2), ['2027-03-01 00:00:00', '2027-03-01 23:59:59'])
  assert.equal((await post({ ...backwards, end_date: '2027-02-28 23:00' })).status, 400)
})

test('what the clock skips moves forward, and what it shows twice is the first, unless an offset says otherwise', async () => {
  const cases: readonly (readonly [start: string, end: string, times: readonly string[]])[] = [
    [
      ...(['2027-03-14 02:30', '2027-03-14 02:45'] as const),
      ['2027-03-14 03:30:00', '2027-03-14 03:45:00', '2027-03-14 07:30:00', '2027-03-14 07:45:00'],
    ],
    [
      ...(['2027-11-07 01:30', '2027-11-07 01:45'] as const),
      ['2027-11-07 01:30:00', '2027-11-07 01:45:00', '2027-11-07 05:30:00', '2027-11-07 05:45:00'],
    ],
    [
      ...(['2027-11-07T01:30-04:00', '2027-11-07T01:15-05:00'] as const),
      ['2027-11-07 01:30:00', '2027-11-07 01:15:00', '2027-11-07 05:30:00', '2027-11-07 06:15:00'],
    ],
  ]
  for (const [start_date, end_date, times] of cases)
    assert.deepEqual(timesOf((await post({ start_date, end_date })).body), times)
})

test('the publication date is read on the clock of the site, date_utc on that of UTC, and both follow each other', async () => {
  const dates = async (json: object): Promise<string[]> => {
    const { body } = await post(json)
    return [body.date, body.date_utc, body.status]
  }
  assert.deepEqual(await dates({ date: '2026-01-01 10:00', timezone: 'Asia/Tokyo' }), [
    ...['2026-01-01 10:00:00', '2026-01-01 15:00:00', 'publish'],
  ])
  assert.deepEqual(await dates({ date_utc: '2026-01-01 10:00' }), [
    ...['2026-01-01 05:00:00', '2026-01-01 10:00:00', 'publish'],
  ])
  for (const name of ['date', 'date_utc']) {
    assert.deepEqual(await dates({ [name]: '2026-01-01T10:00:00+09:00' }), [
      ...['2025-12-31 20:00:00', '2026-01-01 01:00:00', 'publish'],
    ])
  }
  assert.deepEqual(await dates({ date: null, date_utc: null }), [
    ...['2026-11-20 13:00:00', '2026-11-20 18:00:00', 'publish'],
  ])
  for (const [status, expected] of [
    [undefined, 'future'],
    ['publish', 'future'],
    ['future', 'future'],
    ['draft', 'draft'],
    ['private', 'private'],
  ]) {
    const [, , settled] = await dates({ date: '2027-01-01', ...(status !== undefined && { status }) })
    assert.equal(settled, expected)
  }
  assert.equal((await dates({ status: 'future' }))[2], 'publish')
})
