import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DateInZone } from '../../../model/kinds/date.ts'
import { keepHidden, resolveTimes } from './rules.ts'

const local = (text: string): DateInZone => ({
  inZone: () => ({ kind: 'local', local: text, hasTime: true, ok: true }),
})
const instant = (text: string): DateInZone => ({
  inZone: () => ({ kind: 'instant', utc: text, hasTime: true, ok: true }),
})

const STORED = {
  start_local: '2027-03-01 10:00:00',
  end_local: '2027-03-01 12:00:00',
  start_utc: '2027-03-01 15:00:00',
  end_utc: '2027-03-01 17:00:00',
  timezone: 'America/New_York',
  all_day: 0,
}

function times(sent: Parameters<typeof resolveTimes>[1], stored: Parameters<typeof resolveTimes>[0] = STORED) {
  const resolved = resolveTimes(stored, sent, 'America/New_York')
  assert.ok(resolved.ok)
  return resolved.times
}

test('the start alone moves and the end stays', () => {
  const moved = times({ start_date: local('2027-03-01 09:00:00') })
  assert.deepEqual(
    [moved.start_local, moved.end_local, moved.start_utc],
    ['2027-03-01 09:00:00', STORED.end_local, '2027-03-01 14:00:00'],
  )
})

test('a new zone keeps the wall clock and recomputes UTC', () => {
  const moved = times({ timezone: 'Asia/Tokyo' })
  assert.deepEqual(
    [moved.start_local, moved.start_utc, moved.timezone],
    [STORED.start_local, '2027-03-01 01:00:00', 'Asia/Tokyo'],
  )
})

test('an empty zone asks for the zone of the site', () => {
  assert.equal(times({ timezone: '' }, { ...STORED, timezone: 'Asia/Tokyo' }).timezone, 'America/New_York')
})

test('an instant is converted to the zone of the event', () => {
  const moved = times({ start_date: instant('2027-03-01 16:30:00') })
  assert.equal(moved.start_local, '2027-03-01 11:30:00')
})

test('whole days are widened on create and when switched on, and stay when not sent', () => {
  const switched = times({ all_day: true })
  assert.deepEqual(
    [switched.start_local, switched.end_local, switched.end_utc],
    ['2027-03-01 00:00:00', '2027-03-01 23:59:59', '2027-03-02 04:59:59'],
  )
  const moved = times(
    { end_date: local('2027-03-03 15:00:00') },
    { ...STORED, all_day: 1, start_local: '2027-03-01 00:00:00', end_local: '2027-03-01 23:59:59' },
  )
  assert.deepEqual([moved.end_local, moved.all_day], ['2027-03-03 23:59:59', 1])
})

test('a wall clock that the change to summer time skips moves forward', () => {
  const moved = times({ start_date: local('2027-03-14 02:30:00'), end_date: local('2027-03-14 04:00:00') })
  assert.deepEqual([moved.start_local, moved.start_utc], ['2027-03-14 03:30:00', '2027-03-14 07:30:00'])
})

test('a wall clock that occurs twice means the first', () => {
  const moved = times({ start_date: local('2027-11-07 01:30:00'), end_date: local('2027-11-07 03:00:00') })
  assert.equal(moved.start_utc, '2027-11-07 05:30:00')
})

test('an end before the start is refused on the end', () => {
  const resolved = resolveTimes(STORED, { end_date: local('2027-03-01 09:59:59') }, 'America/New_York')
  assert.deepEqual(resolved, { ok: false, name: 'end_date', reason: 'end_before_start' })
})

test('an event may end when it starts', () => {
  assert.equal(times({ end_date: local('2027-03-01 10:00:00') }).end_local, '2027-03-01 10:00:00')
})

test('an end in the hour that a change of the clocks skips over may lie before the moved start', () => {
  const timezone = 'America/New_York'
  const skipped = { start_date: local('2027-03-14 02:30:00'), timezone }
  assert.deepEqual(resolveTimes(undefined, { ...skipped, end_date: local('2027-03-14 03:00:00') }, 'UTC'), {
    ok: false,
    name: 'end_date',
    reason: 'end_before_start',
  })
  assert.ok(resolveTimes(undefined, { ...skipped, end_date: local('2027-03-14 03:30:00') }, 'UTC').ok)
})

test('hidden relations are kept behind those that were sent, and go only with an explicit clearing', () => {
  assert.deepEqual(keepHidden([5], [7, 9], new Set([9])), [5, 9])
  assert.deepEqual(keepHidden([9, 5], [9], new Set([9])), [9, 5])
  assert.deepEqual(keepHidden([], [7, 9], new Set([9])), [])
})

test('naming just the visible relations, as a GET shows them, leaves hidden ones in their places', () => {
  assert.deepEqual(keepHidden([5, 7], [9, 5, 7], new Set([9])), [9, 5, 7])
  assert.deepEqual(keepHidden([7, 5], [9, 5, 7], new Set([9])), [7, 5, 9])
})
