import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { draws } from '../../../test/support/draws.ts'
import { parseDate } from './parse.ts'

// Thursday, 10 February 2028, 12:34:56 in UTC, 07:34:56 in New York.
const NOW = Date.UTC(2028, 1, 10, 12, 34, 56, 789)
const context = { now: NOW, zone: 'America/New_York' }

/** `'… local'`, `'… date'` (no time of day was given), `'… utc'` or `'bad'`. */
function read(value: unknown, at = context): string {
  const parsed = parseDate(value, at)
  if (!parsed.ok) return 'bad'
  if (parsed.kind === 'instant') return `${parsed.utc} utc`
  return `${parsed.local} ${parsed.hasTime ? 'local' : 'date'}`
}

function table(title: string, cases: readonly (readonly [unknown, string])[]): void {
  for (const [value, expected] of cases) {
    test(`${title}: ${JSON.stringify(value)} is ${expected}`, () => assert.equal(read(value), expected))
  }
}

table('date', [
  ['2028-02-10', '2028-02-10 00:00:00 date'],
  [' 2028-2-1 ', '2028-02-01 00:00:00 date'],
  ['1970-01-01', '1970-01-01 00:00:00 date'],
  ['02/10/2028', '2028-02-10 00:00:00 date'],
  ['2/1/2028', '2028-02-01 00:00:00 date'],
  ['10-02-2028', '2028-02-10 00:00:00 date'],
  ['10.2.2028', '2028-02-10 00:00:00 date'],
  ['2028/02/10', '2028-02-10 00:00:00 date'],
  ['20280210', '2028-02-10 00:00:00 date'],
  ['2028-W06-4', '2028-02-10 00:00:00 date'],
  ['2028W064', '2028-02-10 00:00:00 date'],
  ['2028-W06', '2028-02-07 00:00:00 date'],
  ['2026-W53-5', '2027-01-01 00:00:00 date'],
  ['2028-041', '2028-02-10 00:00:00 date'],
  ['2028-366', '2028-12-31 00:00:00 date'],
  ['2028-02', '2028-02-01 00:00:00 date'],
  ['2028-02-29', '2028-02-29 00:00:00 date'],
])

table('English date', [
  ['February 10, 2028', '2028-02-10 00:00:00 date'],
  ['feb 10 2028', '2028-02-10 00:00:00 date'],
  ['10 Feb 2028', '2028-02-10 00:00:00 date'],
  ['10-Feb-2028', '2028-02-10 00:00:00 date'],
  ['10th of February 2028', '2028-02-10 00:00:00 date'],
  ['2028-Feb-10', '2028-02-10 00:00:00 date'],
  ['Sept. 3rd, 2028', '2028-09-03 00:00:00 date'],
  ['February 2028', '2028-02-01 00:00:00 date'],
  ['10 March', '2028-03-10 00:00:00 date'],
  ['29 Feb', '2028-02-29 00:00:00 date'],
  ['May 1', '2028-05-01 00:00:00 date'],
  ['Thursday, February 10, 2028', '2028-02-10 00:00:00 date'],
  ['Thu 10 Feb 2028 7pm', '2028-02-10 19:00:00 local'],
  ['February 10, 2028 at 7:30 pm', '2028-02-10 19:30:00 local'],
  ['10 Feb 2028 10:00', '2028-02-10 10:00:00 local'],
  ['7 pm 10 Feb', '2028-02-10 19:00:00 local'],
  ['Thu, 10 Feb 2028 10:00:00 GMT', '2028-02-10 10:00:00 utc'],
  ['Thu Feb 10 2028 10:00:00 GMT+0100 (Central European Time)', '2028-02-10 09:00:00 utc'],
])

table('date with time', [
  ['2028-02-10 10:00', '2028-02-10 10:00:00 local'],
  ['2028-02-10 10:00:30', '2028-02-10 10:00:30 local'],
  ['2028-02-10 00:00:00', '2028-02-10 00:00:00 local'],
  ['2028-02-10T10:00:30.999999', '2028-02-10 10:00:30 local'],
  ['2028-02-10t10:00', '2028-02-10 10:00:00 local'],
  ['20280210T100030', '2028-02-10 10:00:30 local'],
  ['2028-02-10T10', '2028-02-10 10:00:00 local'],
  ['2028-041T10:00', '2028-02-10 10:00:00 local'],
  ['02/10/2028 12am', '2028-02-10 00:00:00 local'],
  ['2028-02-10 10:00 America/Los_Angeles', '2028-02-10 18:00:00 utc'],
  ['2028-02-10 10:00:00 AMERICA/NEW_YORK', '2028-02-10 15:00:00 utc'],
  ['2028-02-10 10:00am', '2028-02-10 10:00:00 local'],
  ['02/10/2028 12 p.m.', '2028-02-10 12:00:00 local'],
  ['2028-02-10 24:00', '2028-02-11 00:00:00 local'],
  ['2028-03-12 02:30', '2028-03-12 02:30:00 local'],
  ['2028-02-10 noon', '2028-02-10 12:00:00 local'],
  ['12:00', '2028-02-10 12:00:00 local'],
  ['7pm', '2028-02-10 19:00:00 local'],
])

table('offset or zone', [
  ['2028-02-10T10:00:00Z', '2028-02-10 10:00:00 utc'],
  ['2028-02-10T10:00:00.5z', '2028-02-10 10:00:00 utc'],
  ['20280210T100000Z', '2028-02-10 10:00:00 utc'],
  ['2028-02-10T10:00:00+09:00', '2028-02-10 01:00:00 utc'],
  ['2028-02-10T10:00:00+0900', '2028-02-10 01:00:00 utc'],
  ['2028-02-10 10:00:00 +09', '2028-02-10 01:00:00 utc'],
  ['2028-02-10T23:30:00-05:00', '2028-02-11 04:30:00 utc'],
  ['2028-02-10+09:00', '2028-02-09 15:00:00 utc'],
  ['2028-02-10Z', '2028-02-10 00:00:00 utc'],
  ['2028-02-10 10:00 Europe/Rome', '2028-02-10 09:00:00 utc'],
  ['2028-02-10 10:00 europe/rome', '2028-02-10 09:00:00 utc'],
  ['2028-02-10 10:00 UTC', '2028-02-10 10:00:00 utc'],
  ['2028-02-10 10:00 EST', '2028-02-10 15:00:00 utc'],
  ['2028-02-10 10:00 UTC+3', '2028-02-10 07:00:00 utc'],
  ['2028-03-26 02:30 Europe/Rome', '2028-03-26 01:30:00 utc'],
  ['12:00 Asia/Tokyo', '2028-02-10 03:00:00 utc'],
  ['tomorrow 10am UTC', '2028-02-11 10:00:00 utc'],
  ['now UTC', '2028-02-10 12:34:56 utc'],
])

table('Unix seconds', [
  [1834000000, '2028-02-12 20:26:40 utc'],
  [0, 'bad'],
  [-1, '1969-12-31 23:59:59 utc'],
  [-86400, '1969-12-31 00:00:00 utc'],
  ['1834000000', '2028-02-12 20:26:40 utc'],
  ['100000000', '1973-03-03 09:46:40 utc'],
  ['@1834000000', '2028-02-12 20:26:40 utc'],
  ['@0', '1970-01-01 00:00:00 utc'],
  ['@-1', '1969-12-31 23:59:59 utc'],
  ['253402300799', '9999-12-31 23:59:59 utc'],
])

table('relative', [
  ['now', '2028-02-10 07:34:56 local'],
  ['NOW', '2028-02-10 07:34:56 local'],
  ['today', '2028-02-10 00:00:00 date'],
  ['tomorrow', '2028-02-11 00:00:00 date'],
  ['yesterday', '2028-02-09 00:00:00 date'],
  ['noon', '2028-02-10 12:00:00 local'],
  ['midnight', '2028-02-10 00:00:00 local'],
  ['tomorrow 10am', '2028-02-11 10:00:00 local'],
  ['10:30 tomorrow', '2028-02-11 10:30:00 local'],
  ['yesterday noon', '2028-02-09 12:00:00 local'],
  ['thursday', '2028-02-10 00:00:00 date'],
  ['monday', '2028-02-14 00:00:00 date'],
  ['next thursday', '2028-02-17 00:00:00 date'],
  ['next monday 9am', '2028-02-14 09:00:00 local'],
  ['last friday', '2028-02-04 00:00:00 date'],
  ['last thursday', '2028-02-03 00:00:00 date'],
  ['monday next week', '2028-02-14 00:00:00 date'],
  ['sunday this week', '2028-02-13 00:00:00 date'],
  ['tuesday last week', '2028-02-01 00:00:00 date'],
  ['+14 months', '2029-04-10 07:34:56 local'],
  ['14 months', '2029-04-10 07:34:56 local'],
  ['-2 days', '2028-02-08 07:34:56 local'],
  ['3 weeks ago', '2028-01-20 07:34:56 local'],
  ['1 week 2 days ago', '2028-02-01 07:34:56 local'],
  ['next week', '2028-02-17 07:34:56 local'],
  ['last year', '2027-02-10 07:34:56 local'],
  ['+2 hours', '2028-02-10 09:34:56 local'],
  ['+1 day +2 hours', '2028-02-11 09:34:56 local'],
  ['90 min ago', '2028-02-10 06:04:56 local'],
  ['today +3 days', '2028-02-13 00:00:00 date'],
  ['2028-01-31 +1 month', '2028-02-29 00:00:00 date'],
  ['2028-02-10 10:00 +90 minutes', '2028-02-10 11:30:00 local'],
  ['first day of next month', '2028-03-01 07:34:56 local'],
  ['last day of february 2029', '2029-02-28 00:00:00 date'],
  ['first day of january', '2028-01-01 00:00:00 date'],
  ['first day of next year', '2029-01-01 07:34:56 local'],
  ['last day of this week', '2028-02-13 07:34:56 local'],
  ['second tuesday of next month', '2028-03-14 00:00:00 date'],
  ['last friday of february 2028 8pm', '2028-02-25 20:00:00 local'],
])

table(
  'not a date',
  [
    ...['', ' ', 'foo', '0', '7', '2028', '28-02-10', '1234567', '2028021', '20281345', '20280230', '2028-13-45'],
    ...['2028-02-30', '2027-02-29', '30 Feb 2028', '2028-00-10', '2028-02-00', '2028-13', '02-2028', '13/13/2028'],
    ...['2028-02-10 25:00', '2028-02-10 10:60', '2028-02-10 24:01', '13pm', '0am', '2028-02-10 10:00:60', '10'],
    ...['2028-02-10T10:00:00 09:00', '2028-02-10T10:00:00 0900', '2028-02-10T10:00:00+25:00', '+09:00', 'UTC', 'Z'],
    ...['2028-02-10 10:00 Europe/Atlantis', '2028-02-10 10:00 utc+3', '2028-02-10 10:00 EST PST', '10:00Z +01:00'],
    ...['2028-02-10 2028-02-11', '2028-02-1010:00', '2028-W54', '2028-W53-1', '2028-W06-8', '2028-000', '2027-366'],
    ...[
      '0999-12-31',
      '10000-01-01',
      '0000-00-00 00:00:00',
      '0000-00-00',
      '20280210100000',
      '253402300800',
      '@',
      '@1.5',
    ],
    ...[
      '1834000000.5',
      '1e9',
      '-1834000000',
      '+8000 years',
      '-1100 years',
      '9999-12-31T23:59:59-01:00',
      'ago',
      'february',
    ],
    ...[
      'Friday, 10 February 2028',
      'fifth monday of february 2028',
      'next',
      '+5',
      '(UTC)',
      '2028-02-10\0',
      '２０２８-02-10',
    ],
    ...['2028-02-10 '.padEnd(65, ' '), '1'.repeat(400)],
    ...[1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e13, -1e12],
    ...[null, undefined, true, false, [], ['2028-02-10'], {}, { date: '2028-02-10' }],
  ].map((value) => [value, 'bad'] as const),
)

test('a relative date counts from the day it is in the zone asked about', () => {
  const lateEvening = { now: Date.UTC(2028, 1, 10, 23, 30), zone: 'Asia/Tokyo' }
  assert.equal(read('today', lateEvening), '2028-02-11 00:00:00 date')
  assert.equal(read('tomorrow UTC', lateEvening), '2028-02-11 00:00:00 utc')
  assert.equal(read('today -05:00', { ...lateEvening, zone: 'UTC+3' }), 'bad')
})

test('hours count as they pass when the clocks change in between', () => {
  const beforeGap = { now: Date.UTC(2028, 2, 12, 6, 30), zone: 'America/New_York' }
  assert.equal(read('now', beforeGap), '2028-03-12 01:30:00 local')
  assert.equal(read('+1 hour', beforeGap), '2028-03-12 03:30:00 local')
  const secondHalfOfOverlap = { now: Date.UTC(2028, 10, 5, 6, 30), zone: 'America/New_York' }
  assert.equal(read('+1 hour', secondHalfOfOverlap), '2028-11-05 02:30:00 local')
})

test('10 February without a year is of the present year, 29 February only in leap years', () => {
  assert.equal(read('29 Feb', { now: Date.UTC(2027, 0, 1, 12), zone: 'UTC' }), 'bad')
})

test('every reading written out is read back as itself', () => {
  const seconds = fc.integer({ min: -30_610_224_000, max: 253_402_300_799 })
  fc.assert(
    fc.property(seconds, (count) => {
      const iso = new Date(count * 1000).toISOString()
      const text = iso.slice(0, 19).replace('T', ' ')
      assert.equal(read(text), `${text} local`)
      assert.equal(read(iso), `${text} utc`)
      assert.equal(read(count), count === 0 ? 'bad' : `${text} utc`)
    }),
  )
})

test('whatever text comes, the answer is a date of the years 1000 to 9999 or bad_date', () => {
  const words = [
    '2028-02-10',
    '10:00',
    'feb',
    'next',
    'last',
    'monday',
    '+',
    '-',
    '99999',
    'years',
    'weeks',
    'ago',
    'of',
  ]
  const more = [
    'first',
    'day',
    'T',
    'Z',
    'UTC',
    'Europe/Rome',
    '7pm',
    '@',
    ',',
    'now',
    'tomorrow',
    '31',
    'at',
    '(',
    ')',
  ]
  const phrase = fc.array(fc.constantFrom(...words, ...more), { maxLength: 7 }).map((list) => list.join(' '))
  fc.assert(
    fc.property(fc.oneof(phrase, fc.string({ unit: 'binary' })), (text) => {
      assert.match(read(text), /^bad$|^[1-9]\d{3}-\d\d-\d\d \d\d:\d\d:\d\d (?:local|date|utc)$/)
    }),
    { numRuns: draws(5000) },
  )
})
