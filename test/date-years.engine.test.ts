import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestApp } from './support/app.ts'

/* Dates whose UTC reading or wall clock leaves the years 1000 to 9999 are refused (decisions: Dates). */

const { call } = await openTestApp({ after }, { siteZone: 'America/New_York' })
const TIMES = { start_date: '2027-01-01 10:00:00', end_date: '2027-01-01 12:00:00' }

async function refused(path: string, json: object): Promise<string[]> {
  const { status, body } = await call('editor', 'POST', path, { json })
  if (status === 201) return []
  assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], JSON.stringify(json))
  return Object.keys(body.data.params)
}

test('the times of an event stay within the years on its own clock and in UTC', async () => {
  const event = (times: object) => refused('/events', { title: 'Edge', ...TIMES, ...times })
  const late = { start_date: '9999-12-31 10:00:00', end_date: '9999-12-31 20:00:00' }
  assert.deepEqual(await event(late), ['end_date'])
  assert.deepEqual(await event({ ...late, start_date: '9999-12-31 19:30:00' }), ['start_date'])
  assert.deepEqual(await event({ ...late, timezone: 'UTC' }), [])
  assert.deepEqual(await event({ ...late, timezone: 'Asia/Tokyo' }), [])
  assert.deepEqual(await event({ ...late, timezone: 'Asia/Tokyo', end_date: '9999-12-31T20:00:00Z' }), ['end_date'])
  assert.deepEqual(await event({ ...late, end_date: '9999-12-31 23:00 America/New_York' }), ['end_date'])
  assert.deepEqual(await event({ ...late, end_date: '9999-12-31 12:00:00', all_day: true }), ['end_date'])
  const early = { start_date: '1000-01-01 04:00:00', end_date: '1000-01-01 12:00:00', timezone: 'Asia/Tokyo' }
  assert.deepEqual(await event(early), ['start_date'])
  assert.deepEqual(await event({ ...early, start_date: '1000-01-01 11:00:00', all_day: true }), ['start_date'])
  assert.deepEqual(await event({ ...early, timezone: 'America/New_York' }), [])
  assert.deepEqual(await event({ ...early, timezone: '', start_date: '1000-01-01T00:00:00Z' }), ['start_date'])
  const ticket = { name: 'Seat', available_from: '2026-01-01', available_until: '9999-12-31 23:00:00' }
  assert.deepEqual(await event({ tickets: [ticket] }), ['tickets'])
})

test('another zone does not move a stored time out of the years', async () => {
  const times = { start_date: '9999-12-31 20:00:00', end_date: '9999-12-31 22:00:00', timezone: 'UTC' }
  const { body } = await call('editor', 'POST', '/events', { json: { title: 'Edge', ...times } })
  assert.equal(body.utc_end_date, '9999-12-31 22:00:00')
  const { status, body: answer } = await call('editor', 'PATCH', `/events/${body.id}`, {
    json: { timezone: 'America/New_York' },
  })
  assert.deepEqual([status, Object.keys(answer.data.params)], [400, ['timezone']])
  assert.equal(
    (await call('editor', 'PATCH', `/events/${body.id}`, { json: { title: 'Edges' } })).body.utc_end_date,
    body.utc_end_date,
  )
})

test('so do publication dates, of everything that has one', async () => {
  for (const [path, json] of [
    ['/events', { title: 'E', ...TIMES }],
    ['/venues', { venue: 'V' }],
    ['/organizers', { organizer: 'O' }],
  ] as const) {
    assert.deepEqual(await refused(path, { ...json, date: '9999-12-31 20:00:00' }), ['date'])
    assert.deepEqual(await refused(path, { ...json, date: '9999-12-31 12:00:00' }), [])
    assert.deepEqual(await refused(path, { ...json, date: '9999-12-31 20:00:00 America/New_York' }), ['date'])
    assert.deepEqual(await refused(path, { ...json, date_utc: '1000-01-01 02:00:00' }), ['date_utc'])
    assert.deepEqual(await refused(path, { ...json, date_utc: '9999-12-31 23:59:59' }), [])
  }
})

test('filters refuse moments outside, and take days without a zone to the last', async () => {
  const asked = async (query: Record<string, string>) => (await call('anonymous', 'GET', '/events', { query })).status
  for (const name of ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after']) {
    for (const moment of [
      '9999-12-31T23:00:00-05:00',
      '9999-12-31 23:00 America/New_York',
      '1000-01-01 01:00 Asia/Tokyo',
    ])
      assert.equal(await asked({ [name]: moment }), 400, `${name} ${moment}`)
    assert.equal(await asked({ [name]: '1000-01-01T02:00:00Z', strict_dates: 'true' }), 400, name)
    assert.notEqual(await asked({ [name]: '9999-12-31' }), 400, name)
    assert.notEqual(await asked({ [name]: '9999-12-31 23:59:59', strict_dates: 'true' }), 400, name)
  }
})
