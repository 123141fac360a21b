import assert from 'node:assert/strict'
import { test } from 'node:test'
import { offsetsOf, readClock, writeClock } from './clock.ts'
import { observancesOf, placeOf } from './observances.ts'

function namedPlace(zone: string) {
  return placeOf(zone) ?? assert.fail(`${zone} is no place`)
}

/** `onset before>offset letters`, with `*` for summer time. */
function brief(zone: string, year: number): string[] {
  return observancesOf(namedPlace(zone), year).map(
    ({ onset, before, offset, letters, isDaylight }) =>
      `${onset} ${before / 3600}>${offset / 3600} ${letters}${isDaylight ? '*' : ''}`,
  )
}

test('a year of a place begins with the time in force and tells every change on the clock before it', () => {
  assert.deepEqual(brief('Europe/Berlin', 2027), [
    '2027-01-01 00:00:00 1>1 CET',
    '2027-03-28 02:00:00 1>2 CEST*',
    '2027-10-31 03:00:00 2>1 CET',
  ])
  assert.deepEqual(brief('America/New_York', 2027), [
    '2027-01-01 00:00:00 -5>-5 EST',
    '2027-03-14 02:00:00 -5>-4 EDT*',
    '2027-11-07 02:00:00 -4>-5 EST',
  ])
  // South of the equator, by half an hour.
  assert.deepEqual(brief('Australia/Lord_Howe', 2027), [
    '2027-01-01 00:00:00 11>11 +11*',
    '2027-04-04 02:00:00 11>10.5 +1030',
    '2027-10-03 02:00:00 10.5>11 +11*',
  ])
  // An hour back for Ramadan: what comes before it within the year passes for summer time.
  assert.deepEqual(brief('Africa/Casablanca', 2024), [
    '2024-01-01 00:00:00 1>1 +01*',
    '2024-03-10 03:00:00 1>0 +00',
    '2024-04-14 02:00:00 0>1 +01',
  ])
  assert.deepEqual(brief('Asia/Tokyo', 2027), ['2027-01-01 00:00:00 9>9 JST'])
})

test('a clock that is put forward permanently is not on summer time', () => {
  assert.deepEqual(brief('Asia/Pyongyang', 2018), ['2018-01-01 00:00:00 8.5>8.5 KST', '2018-05-04 23:30:00 8.5>9 KST'])
  // The day that Samoa left out.
  assert.deepEqual(brief('Pacific/Apia', 2011).at(-1), '2011-12-30 00:00:00 -10>14 +14*')
})

test('every second of a year is in one of its observances, in every zone', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const place = placeOf(zone)
    if (place === undefined) continue
    const offsetAt = offsetsOf(place.resolved)
    for (const year of [1911, 2026]) {
      const observances = observancesOf(place, year)
      const last = readClock(`${year}-12-31 23:59:59`) - offsetAt(readClock(`${year}-12-31 23:59:59`))
      for (let at = readClock(observances[0]?.onsetUtc ?? ''); at < last; at += 86_400 * 9.7) {
        const moment = writeClock(Math.floor(at))
        const found = observances.findLast(({ onsetUtc }) => onsetUtc <= moment)
        assert.equal(found?.offset, offsetAt(Math.floor(at)), `${zone} ${moment}`)
      }
    }
  }
})

test('the first and the last year there are have observances too', () => {
  assert.deepEqual(brief('Europe/Paris', 1000), [`1000-01-01 00:00:00 ${561 / 3600}>${561 / 3600} LMT`])
  assert.equal(brief('Europe/Paris', 9999).length, 3)
})

test('a place keeps the name it was given, with the letter case of the tz database', () => {
  assert.equal(namedPlace('europe/berlin').name, 'Europe/Berlin')
  assert.equal(namedPlace('Europe/Kyiv').name, 'Europe/Kyiv')
  for (const zone of ['UTC', 'Etc/UTC', 'UTC+3', '+05:30', 'EST', 'nowhere']) assert.equal(placeOf(zone), undefined)
})
