import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfDay, nextMidnight, spanClass, startOfDay, wholeDays } from './ranges.ts'

test('the bounds of a day are its first and last second and the next midnight', () => {
  assert.equal(startOfDay('2028-02-10 10:30:00'), '2028-02-10 00:00:00')
  assert.equal(endOfDay('2028-02-10 10:30:00'), '2028-02-10 23:59:59')
  assert.equal(nextMidnight('2028-02-29 23:59:59'), '2028-03-01 00:00:00')
})

test('an all-day event covers whole days whatever times were given', () => {
  assert.deepEqual(wholeDays('2028-02-10 10:00:00', '2028-02-12 09:00:00'), {
    start: '2028-02-10 00:00:00',
    end: '2028-02-12 23:59:59',
  })
})

const SPANS = [
  ['2028-02-10 10:00:00', '2028-02-10 10:00:00', 1],
  ['2028-02-10 00:00:00', '2028-02-10 23:59:59', 1],
  ['2028-02-10 10:00:00', '2028-02-11 10:00:00', 1],
  ['2028-02-10 10:00:00', '2028-02-11 10:00:01', 7],
  ['2028-02-10 00:00:00', '2028-02-16 23:59:59', 7],
  ['2028-02-10 00:00:00', '2028-02-17 23:59:59', 31],
  ['2028-01-01 00:00:00', '2028-12-31 23:59:59', 366],
  ['2028-01-01 00:00:00', '2029-01-01 00:00:01', 9999],
  ['2028-02-10 10:00:00', '2028-02-09 10:00:00', 1],
] as const
for (const [start, end, expected] of SPANS) {
  test(`${start} to ${end} is of length class ${expected}`, () => assert.equal(spanClass(start, end), expected))
}
