import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { datesOf } from '../../base/time/recurrence/dates.ts'
import { readRecurrence } from '../../base/time/recurrence/lines.ts'
import { repeatLines, repeatValues } from './values.ts'

/** The last Tuesday of June, the last day of which is that Tuesday as well; 18:00. */
const FIRST = { start: '2026-06-30 18:00:00', end: '2026-06-30 20:00:00', zone: 'Europe/Berlin', isAllDay: false }

function startsOf(lines: readonly string[]): readonly string[] {
  const read = readRecurrence(lines, FIRST)
  assert.ok(read.ok, lines.join())
  const found = datesOf(read.recurrence, FIRST, { limit: 40 })
  assert.ok(found.ok, lines.join())
  return found.dates.map(({ start }) => start)
}

test('what the editor can say is shown in its controls', () => {
  const shown = (line: string) => repeatValues([line], FIRST)
  assert.equal(shown('RRULE:FREQ=DAILY;INTERVAL=3').repeat_interval, '3')
  assert.deepEqual(shown('RRULE:FREQ=WEEKLY;BYDAY=TU,TH').repeat_days, ['TU', 'TH'])
  assert.equal(shown('RRULE:FREQ=MONTHLY;BYDAY=5TU').repeat_monthly, 'weekday')
  assert.equal(shown('RRULE:FREQ=MONTHLY;BYDAY=-1TU').repeat_monthly, 'last')
  assert.equal(shown('RRULE:FREQ=MONTHLY;BYMONTHDAY=-1').repeat_monthly, 'end')
  assert.equal(shown('RRULE:FREQ=MONTHLY;BYMONTHDAY=30').repeat_monthly, '')
  assert.equal(shown('RRULE:FREQ=YEARLY;COUNT=4').repeat_count, '4')
  assert.equal(shown('RRULE:FREQ=DAILY;UNTIL=20260710T155959Z').repeat_until, '2026-07-09')
  assert.equal(shown('RRULE:FREQ=DAILY;UNTIL=20260710T160000Z').repeat_until, '2026-07-10')
  assert.equal(shown('EXDATE:20260707T180000,20260708T090000').repeat_except, '2026-07-07\n2026-07-08 09:00')
})

test('what the editor cannot say stays as lines', () => {
  const lines = [
    'RRULE:FREQ=MONTHLY;BYDAY=2MO',
    'RRULE:FREQ=YEARLY;BYMONTH=5',
    'RRULE:FREQ=HOURLY;COUNT=3',
    'RRULE:FREQ=WEEKLY;WKST=SU',
    'RRULE:FREQ=MONTHLY;BYDAY=TU;BYSETPOS=-1',
    'RDATE;TZID=Asia/Tokyo:20260708T090000',
  ]
  for (const line of lines) {
    const values = repeatValues([line], FIRST)
    assert.equal(values.repeat, 'lines', line)
    assert.deepEqual(repeatLines(values, FIRST.start), [line])
  }
})

test('shown and sent back unchanged, every recurrence has the same dates', () => {
  const days = fc.subarray(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], { minLength: 1 })
  const rule = fc.oneof(
    days.map((list) => `FREQ=WEEKLY;BYDAY=${list.join()}`),
    fc.constantFrom('FREQ=DAILY', 'FREQ=YEARLY', 'FREQ=MONTHLY', 'FREQ=MONTHLY;BYDAY=-1TU', 'FREQ=MONTHLY;BYDAY=5TU'),
    fc.constantFrom('FREQ=MONTHLY;BYMONTHDAY=-1', 'FREQ=MONTHLY;BYDAY=1SU', 'FREQ=WEEKLY'),
  )
  const end = fc.constantFrom('', ';COUNT=9', ';UNTIL=20261231', ';UNTIL=20261201T170000Z')
  const interval = fc.constantFrom('', ';INTERVAL=2')
  const dates = fc.constantFrom('', 'EXDATE:20260714T180000', 'RDATE:20260801T101500,20260802T180000')
  fc.assert(
    fc.property(fc.tuple(rule, end, interval, dates), ([freq, ending, step, listed]) => {
      const lines = [`RRULE:${freq}${ending}${step}`, listed].filter((line) => line !== '')
      const sent = repeatLines(repeatValues(lines, FIRST), FIRST.start)
      assert.deepEqual(startsOf(sent), startsOf(lines))
    }),
  )
})

test('a choice that follows the start moves with it', () => {
  const values = repeatValues(['RRULE:FREQ=MONTHLY;BYDAY=-1TU'], FIRST)
  assert.deepEqual(repeatLines(values, '2026-06-26 18:00'), ['RRULE:FREQ=MONTHLY;BYDAY=-1FR'])
})

test('dates may be typed a line each or with commas, with times or without', () => {
  const values = { ...repeatValues([], FIRST), repeat: 'dates', repeat_also: '2026-07-01, 2026-07-02 09:30\nsoon' }
  assert.deepEqual(repeatLines(values, FIRST.start), ['RDATE:20260701,20260702T093000,soon'])
})
