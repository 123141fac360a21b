import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readClock, writeClock } from '../../base/time/clock.ts'
import { datesOf } from '../../base/time/recurrence/dates.ts'
import { type FirstDate, readRecurrence } from '../../base/time/recurrence/lines.ts'
import { withReadableUntil } from './until.ts'

const WINTER: FirstDate = {
  start: '2027-01-04 10:00:00',
  end: '2027-01-04 11:00:00',
  zone: 'Europe/Berlin',
  isAllDay: false,
}

/** UNTIL as it was and as it is written; the dates are the same. */
function written(rule: string, first: FirstDate): string {
  const read = readRecurrence([`RRULE:${rule}`], first)
  assert.ok(read.ok && read.recurrence.rule !== undefined)
  const later = withReadableUntil(read.recurrence.rule, first)
  assert.deepEqual(datesOf({ ...read.recurrence, rule: later }, first), datesOf(read.recurrence, first), rule)
  assert.deepEqual(withReadableUntil(later, first), later)
  return writeClock(later.until?.seconds ?? 0)
}

test('UNTIL is later by what the clock is ahead, where a date is so near before it', () => {
  assert.equal(written('FREQ=DAILY;UNTIL=20270701T080000Z', WINTER), '2027-07-01 09:00:00')
  assert.equal(written('FREQ=DAILY;UNTIL=20270701T083000Z', WINTER), '2027-07-01 09:00:00')
  const night = { ...WINTER, start: '2027-01-04 23:30:00', end: '2027-01-05 00:30:00' }
  assert.equal(written('FREQ=WEEKLY;UNTIL=20270705T213000Z', night), '2027-07-05 22:30:00')
  assert.equal(written('FREQ=WEEKLY;UNTIL=20270705T221500Z', night), '2027-07-05 22:30:00')
})

test('it stays where no date is near, the clock is not ahead, or a day has several times', () => {
  assert.equal(written('FREQ=DAILY;UNTIL=20270701T215959Z', WINTER), '2027-07-01 21:59:59')
  assert.equal(written('FREQ=DAILY;UNTIL=20270301T090000Z', WINTER), '2027-03-01 09:00:00')
  const summer = { ...WINTER, start: '2027-07-05 10:00:00', end: '2027-07-05 11:00:00' }
  assert.equal(written('FREQ=WEEKLY;UNTIL=20271206T090000Z', summer), '2027-12-06 09:00:00')
  assert.equal(written('FREQ=HOURLY;UNTIL=20270401T080000Z', WINTER), '2027-04-01 08:00:00')
  assert.equal(written('FREQ=DAILY;BYHOUR=10,11;UNTIL=20270401T080000Z', WINTER), '2027-04-01 08:00:00')
  assert.equal(readClock(written('FREQ=DAILY;COUNT=3', WINTER)), 0)
})
