import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPeriod } from './periods.ts'

/** The period that words name at a moment, UTC text, in a zone: without what is not said. */
function named(words: string, moment: string, zone = 'Europe/Berlin'): string | undefined {
  const period = readPeriod(words, { now: Date.parse(`${moment}Z`), zone })
  return period && `${period.start} ${period.end}`.replaceAll(' 00:00:00', '').replaceAll(' 23:59:59', '')
}

test('words name weeks from Monday, weekends, months and years', () => {
  const friday = '2026-11-20T18:00:00'
  for (const [words, period] of [
    ['this week', '2026-11-16 2026-11-22'],
    ['next week', '2026-11-23 2026-11-29'],
    [' Last  Week ', '2026-11-09 2026-11-15'],
    ['weekend', '2026-11-21 2026-11-22'],
    ['THIS WEEKEND', '2026-11-21 2026-11-22'],
    ['next weekend', '2026-11-28 2026-11-29'],
    ['last weekend', '2026-11-14 2026-11-15'],
    ['this month', '2026-11-01 2026-11-30'],
    ['next month', '2026-12-01 2026-12-31'],
    ['previous month', '2026-10-01 2026-10-31'],
    ['next year', '2027-01-01 2027-12-31'],
  ] as const)
    assert.equal(named(words, friday), period, words)
  for (const other of ['week', 'month', 'next', 'today', 'monday next week', 'next weeks', '+1 week', ''])
    assert.equal(named(other, friday), undefined, other)
})

test('a weekend is the present one until its last second on the clock of the site', () => {
  assert.equal(named('this weekend', '2026-11-22T22:59:59'), '2026-11-21 2026-11-22')
  assert.equal(named('this weekend', '2026-11-22T23:00:00'), '2026-11-28 2026-11-29')
  assert.equal(named('this weekend', '2026-11-22T23:00:00', 'America/New_York'), '2026-11-21 2026-11-22')
  assert.equal(named('this month', '2024-02-29T12:00:00'), '2024-02-01 2024-02-29')
})

test('a night begins at 18:00 and goes on after midnight until 06:00, also when clocks change', () => {
  const night = '2026-11-20 18:00:00 2026-11-21 05:59:59'
  assert.equal(named('tonight', '2026-11-20T06:00:00'), night)
  assert.equal(named('tonight', '2026-11-20T22:30:00'), night)
  assert.equal(named('tonight', '2026-11-20T23:30:00'), night)
  assert.equal(named('tonight', '2026-11-21T04:59:59'), night)
  assert.equal(named('Tonight', '2026-11-21T05:00:00'), '2026-11-21 18:00:00 2026-11-22 05:59:59')
  // In Berlin clocks went back at 01:00 UTC on 25 October 2026, and forward on 28 March 2027.
  assert.equal(named('tonight', '2026-10-25T04:59:59'), '2026-10-24 18:00:00 2026-10-25 05:59:59')
  assert.equal(named('tonight', '2026-10-25T05:00:00'), '2026-10-25 18:00:00 2026-10-26 05:59:59')
  assert.equal(named('tonight', '2027-03-28T03:59:59'), '2027-03-27 18:00:00 2027-03-28 05:59:59')
  assert.equal(named('tonight', '2027-03-28T04:00:00'), '2027-03-28 18:00:00 2027-03-29 05:59:59')
})
