import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { draws } from '../../../test/support/draws.ts'
import { readClock, writeClock } from './clock.ts'
import { addToLocal, endOfToday, localFromMillis, millisFromUtc, toLocal, utcFromMillis } from './zones.ts'

test('a clock reading and its count of seconds are the same as Date has them', () => {
  const seconds = fc.integer({ min: Date.UTC(1000, 0, 1) / 1000, max: Date.UTC(9999, 11, 31) / 1000 })
  fc.assert(
    fc.property(seconds, (count) => {
      const text = new Date(count * 1000).toISOString().slice(0, 19).replace('T', ' ')
      assert.equal(writeClock(count), text)
      assert.equal(readClock(text), count)
    }),
    { numRuns: draws(2000) },
  )
})

test('milliseconds are cut down to the second, before 1970 too', () => {
  assert.equal(utcFromMillis(1_834_000_000_999), utcFromMillis(1_834_000_000_000))
  assert.equal(utcFromMillis(-1), '1969-12-31 23:59:59')
  assert.equal(millisFromUtc('1970-01-02 00:00:01'), 86_401_000)
})

test('readings past the year 9999 stop there, so that text keeps its width', () => {
  assert.equal(writeClock(readClock('9999-12-31 23:59:59') + 1), '9999-12-31 23:59:59')
  assert.equal(writeClock(-1e12), '0000-01-01 00:00:00')
})

for (const text of [
  '',
  '2028-02-10',
  '0000-00-00 00:00:00',
  '2028-13-01 00:00:00',
  '2028-02-10 25:00:00',
  'x'.repeat(19),
]) {
  test(`'${text}' is no clock reading`, () => assert.throws(() => readClock(text), RangeError))
}

test('moving by months keeps to the end of shorter months', () => {
  assert.equal(addToLocal('2028-01-31 10:00:00', { months: 1 }), '2028-02-29 10:00:00')
  assert.equal(addToLocal('2028-03-31 10:00:00', { months: -13 }), '2027-02-28 10:00:00')
  assert.equal(addToLocal('2028-02-29 00:00:00', { months: 12 }), '2029-02-28 00:00:00')
})

test('months, days and seconds add up in this order', () => {
  assert.equal(addToLocal('2028-01-31 23:59:59', { months: 1, days: 1, seconds: 1 }), '2028-03-02 00:00:00')
  assert.equal(addToLocal('2028-02-10 10:00:00', {}), '2028-02-10 10:00:00')
  assert.equal(addToLocal('2028-02-10 00:00:00', { seconds: -1 }), '2028-02-09 23:59:59')
})

test('the present on the clock of a zone is that of its UTC reading', () => {
  for (const zone of ['UTC', 'Europe/Zurich', 'America/New_York', 'Asia/Kathmandu', '+05:30']) {
    for (const ms of [-1, 999, Date.UTC(2026, 2, 29, 0, 59, 59), Date.UTC(2026, 2, 29, 1), 1_834_000_000_999])
      assert.equal(localFromMillis(ms, zone), toLocal(utcFromMillis(ms), zone), `${ms} in ${zone}`)
  }
})

test('today ends with the day of the zone, however long it is', () => {
  const cases: [now: number, zone: string, end: number][] = [
    [Date.UTC(2026, 10, 20, 12), 'UTC', Date.UTC(2026, 10, 21)],
    [Date.UTC(2026, 10, 21), 'UTC', Date.UTC(2026, 10, 22)],
    // A day of 23 hours, and one of 25.
    [Date.UTC(2026, 2, 28, 23), 'Europe/Zurich', Date.UTC(2026, 2, 29, 22)],
    [Date.UTC(2026, 9, 24, 22), 'Europe/Zurich', Date.UTC(2026, 9, 25, 23)],
    // The clock goes from 24:00 to 01:00: the next day starts with the hour that it skips.
    [Date.UTC(2026, 2, 28, 12), 'Asia/Beirut', Date.UTC(2026, 2, 28, 22)],
  ]
  for (const [now, zone, end] of cases) assert.equal(endOfToday(now, zone), end, `${zone} ${now}`)
})
