import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { speaker } from '../base/i18n/translate.ts'
import { addToLocal, toUtc } from '../base/time/zones.ts'
import { daysIn, hoursText, lastDay, time, whenText } from './dates.ts'

const ENGLISH = { language: 'en', say: speaker('en') }

/** An event in New York; `days` for whole days. */
const event = (start_date: string, end_date: string, days = false) => ({
  start_local: start_date,
  end_local: end_date,
  start_utc: toUtc(start_date, 'America/New_York'),
  end_utc: toUtc(end_date, 'America/New_York'),
  all_day: days ? 1 : 0,
  timezone: 'America/New_York',
})

test('an event is said to be when it is on its own clock', () => {
  const cases = [
    ['2027-03-01 10:00:00', '2027-03-01 12:00:00', false, 'Monday, 1 March 2027, 10:00 – 12:00 EST'],
    ['2027-03-01 10:00:00', '2027-03-01 10:00:00', false, 'Monday, 1 March 2027, 10:00 EST'],
    [
      '2027-03-05 18:00:00',
      '2027-03-07 14:30:00',
      false,
      'Friday, 5 March 2027, 18:00 – Sunday, 7 March 2027, 14:30 EST',
    ],
    ['2027-03-01 00:00:00', '2027-03-01 23:59:59', true, 'Monday, 1 March 2027, all day'],
    ['2027-12-31 00:00:00', '2028-01-01 23:59:59', true, 'Friday, 31 December 2027 – Saturday, 1 January 2028'],
    ['1969-12-31 08:05:00', '1969-12-31 09:00:00', false, 'Wednesday, 31 December 1969, 08:05 – 09:00 EST'],
    ['0033-04-03 15:00:00', '0033-04-03 15:00:00', false, 'Sunday, 3 April 33, 15:00 LMT'],
  ] as const
  for (const [start, end, days, text] of cases) assert.equal(whenText(ENGLISH, event(start, end, days)), text)
})

test('programs read the beginning with its offset, or a date for whole days', () => {
  const timed = time(ENGLISH, event('2027-07-01 10:00:00', '2027-07-01 12:00:00')).markup
  assert.match(timed, /^<time datetime="2027-07-01T10:00:00-04:00">/)
  assert.match(timed, />Thursday, 1 July 2027, <span class="clocks">10:00 – 12:00 EDT<\/span><\/time>$/)
  const days = time(ENGLISH, event('2027-07-01 00:00:00', '2027-07-01 23:59:59', true)).markup
  assert.equal(days, '<time datetime="2027-07-01">Thursday, 1 July 2027, all day</time>')
})

test('the weekday is the one of the calendar, on every day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200_000 }), (days) => {
      const local = addToLocal('1700-01-01 00:00:00', { days })
      const expected = new Date(`${local.slice(0, 10)}T00:00:00Z`).toLocaleDateString('en', {
        weekday: 'long',
        timeZone: 'UTC',
      })
      assert.equal(whenText(ENGLISH, event(local, local, true)).split(',')[0], expected)
    }),
  )
})

test('a week is said with its year, wherever a language puts it, and with both where it has two', () => {
  const week = (language: string, first: string, last: string) => daysIn(language, first, last).replace(/\s/g, ' ')
  assert.equal(week('en', '2026-11-23', '2026-11-29'), '23 – 29 November 2026')
  assert.equal(week('en', '2026-12-28', '2027-01-03'), '28 December 2026 – 3 January 2027')
  assert.equal(week('ja', '2026-11-22', '2026-11-28'), '2026年11月22日 – 11月28日')
  assert.equal(week('zh', '2026-12-28', '2027-01-03'), '2026年12月28日 – 2027年1月3日')
})

test('a night is one day with both of its times, wherever these are written', () => {
  const night = event('2026-12-05 20:00:00', '2026-12-06 02:00:00')
  assert.equal(lastDay(night), '2026-12-05')
  assert.equal(hoursText(ENGLISH, night, '2026-12-05'), '20:00 – 02:00')
  assert.equal(whenText(ENGLISH, night), 'Saturday, 5 December 2026, 20:00 – 02:00 EST')
  for (const [start, end, last] of [
    ['2026-12-05 19:59:59', '2026-12-06 07:59:59', '2026-12-05'],
    ['2026-12-05 19:59:58', '2026-12-06 07:59:59', '2026-12-06'],
    ['2026-12-05 23:00:00', '2026-12-06 08:00:00', '2026-12-06'],
    ['2026-12-05 18:00:00', '2026-12-06 06:30:00', '2026-12-06'],
    ['2026-12-05 04:00:00', '2026-12-06 00:00:00', '2026-12-05'],
    ['2026-12-04 20:00:00', '2026-12-06 02:00:00', '2026-12-06'],
    ['2026-12-05 00:00:00', '2026-12-05 00:00:00', '2026-12-05'],
  ] as const)
    assert.equal(lastDay({ start_local: start, end_local: end }), last, `${start} – ${end}`)
})
