import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeClock } from '../clock.ts'
import { addToLocal } from '../zones.ts'
import { datesOf } from './dates.ts'
import { type FirstDate, readRecurrence } from './lines.ts'
import { portableRecurrence } from './portable.ts'

const MONDAY: FirstDate = {
  start: '1990-01-01 10:00:00',
  end: '1990-01-01 11:00:00',
  zone: 'Europe/Berlin',
  isAllDay: false,
}

test('UNTIL stands for any COUNT of a rule that does not give the start, also beyond the most dates', () => {
  const out = Array.from({ length: 20 }, (_, week) => addToLocal('1990-01-02 10:00:00', { days: 7 * week }))
  const exdate = `EXDATE:${out.map((date) => date.replaceAll(/[-:]/g, '').replace(' ', 'T')).join()}`
  const read = readRecurrence(['RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=5015', exdate], MONDAY)
  assert.ok(read.ok)
  const found = datesOf(read.recurrence, MONDAY)
  assert.ok(found.ok)
  assert.equal(found.dates.length, 4_995)
  const { rule, added } = portableRecurrence(read.recurrence, MONDAY)
  assert.equal(rule?.count, undefined)
  assert.equal(writeClock(rule?.until?.seconds ?? 0), found.dates.at(-1)?.utcStart)
  assert.deepEqual(added.map(writeClock), [MONDAY.start])
})

test('a rule that gives no date beside a start that it does not take is left out', () => {
  for (const rule of ['FREQ=WEEKLY;BYDAY=TU;COUNT=1', 'FREQ=WEEKLY;BYDAY=TU;UNTIL=19900101T230000Z']) {
    const read = readRecurrence([`RRULE:${rule}`, 'RDATE:19900301T100000'], MONDAY)
    assert.ok(read.ok)
    const { rule: written, added } = portableRecurrence(read.recurrence, MONDAY)
    assert.equal(written, undefined)
    assert.deepEqual(added.map(writeClock), ['1990-03-01 10:00:00'])
  }
  const read = readRecurrence(['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=1'], MONDAY)
  assert.ok(read.ok)
  assert.equal(portableRecurrence(read.recurrence, MONDAY).rule?.count, 1)
})
