import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isZone, occursTwice, offsetIn, offsetText, toLocal, toUtc, zoneAbbreviation } from './zones.ts'

const ACCEPTED = [
  ...['Europe/Rome', 'europe/rome', 'AMERICA/NEW_YORK', 'America/Argentina/Buenos_Aires', 'US/Eastern', 'GB', 'PRC'],
  ...['Asia/Calcutta', 'Asia/Kolkata', 'Europe/Kiev', 'Europe/Kyiv', 'Etc/GMT+3', 'EST5EDT', 'CET', 'GMT', 'GMT0'],
  ...['UTC', 'utc', 'Z', 'UTC+3', 'UTC-3', 'UTC+0', 'UTC+5.5', 'UTC+5:30', 'UTC+5.75', 'UTC-12', 'UTC+14', 'UTC+05:30'],
  ...['EST', 'est', 'PDT', 'JST', 'CEST', 'IST', '+05:30', '-0300', '+05', '+14:00', 'GMT+3', 'GMT-3', 'GMT+0530'],
]
const REFUSED = [
  ...['', ' ', 'utc+3', 'UTCfoo', 'UTC+', 'UTC+99', 'UTC+15', 'UTC-13', 'UTC+14:30', 'UTC+0530', 'UTC+5.3', 'UTC 3'],
  ...['Europe', 'Europe/Atlantis', 'Europe/Rome ', 'Factory', 'AET', 'SystemV/EST5', '5', '+5', '+15:00', '-12:30'],
  ...['GMT+99', 'constructor', '__proto__', 'Europe/Rome\0', 'A'.repeat(500), '１', 'null'],
]

for (const zone of ACCEPTED) test(`'${zone}' is a zone`, () => assert.equal(isZone(zone), true))
for (const zone of REFUSED) test(`'${zone.slice(0, 20)}' is no zone`, () => assert.equal(isZone(zone), false))

test('every zone the runtime knows is accepted, in lower case too', () => {
  const zones = Intl.supportedValuesOf('timeZone')
  assert.deepEqual(
    zones.filter((zone) => !isZone(zone) || !isZone(zone.toLowerCase())),
    [],
  )
})

// zone, wall clock, UTC, wall clock of that UTC, offset, letters
const CASES = [
  ['America/New_York', '2028-02-10 10:00:00', '2028-02-10 15:00:00', '=', '-05:00', 'EST'],
  ['America/New_York', '2028-07-10 10:00:00', '2028-07-10 14:00:00', '=', '-04:00', 'EDT'],
  ['america/new_york', '2027-03-14 02:30:00', '2027-03-14 07:30:00', '2027-03-14 03:30:00', '-04:00', 'EDT'],
  ['America/New_York', '2027-11-07 01:30:00', '2027-11-07 05:30:00', '=', '-04:00', 'EDT'],
  ['Europe/Rome', '2027-03-28 02:30:00', '2027-03-28 01:30:00', '2027-03-28 03:30:00', '+02:00', 'CEST'],
  ['Europe/Rome', '2027-10-31 02:30:00', '2027-10-31 00:30:00', '=', '+02:00', 'CEST'],
  ['Australia/Lord_Howe', '2027-10-03 02:10:00', '2027-10-02 15:40:00', '2027-10-03 02:40:00', '+11:00', '+11'],
  ['Pacific/Apia', '2011-12-30 10:00:00', '2011-12-30 20:00:00', '2011-12-31 10:00:00', '+14:00', '+14'],
  ['Asia/Tokyo', '2027-03-01 00:00:00', '2027-02-28 15:00:00', '=', '+09:00', 'JST'],
  ['Asia/Kathmandu', '2028-02-10 10:00:00', '2028-02-10 04:15:00', '=', '+05:45', '+0545'],
  ['America/Sao_Paulo', '2028-02-10 10:00:00', '2028-02-10 13:00:00', '=', '-03:00', '-03'],
  ['Africa/Monrovia', '1971-06-01 12:00:00', '1971-06-01 12:44:30', '=', '-00:44', 'LMT'],
  ['Etc/GMT+3', '2028-02-10 10:00:00', '2028-02-10 13:00:00', '=', '-03:00', '-03'],
  ['UTC', '2028-02-10 10:00:00', '2028-02-10 10:00:00', '=', '+00:00', 'UTC'],
  ['UTC+3', '2028-02-10 10:00:00', '2028-02-10 07:00:00', '=', '+03:00', 'UTC+3'],
  ['UTC-12', '9999-12-31 23:00:00', '9999-12-31 23:59:59', '9999-12-31 11:59:59', '-12:00', 'UTC-12'],
  ['UTC+5.5', '2028-02-10 10:00:00', '2028-02-10 04:30:00', '=', '+05:30', 'UTC+5.5'],
  ['UTC+5:30', '2028-02-10 10:00:00', '2028-02-10 04:30:00', '=', '+05:30', 'UTC+5:30'],
  ['GMT+3', '2028-02-10 10:00:00', '2028-02-10 07:00:00', '=', '+03:00', 'GMT+0300'],
  ['-0300', '2028-02-10 10:00:00', '2028-02-10 13:00:00', '=', '-03:00', '-03:00'],
  ['EST', '2028-07-10 10:00:00', '2028-07-10 15:00:00', '=', '-05:00', 'EST'],
  ['CET', '2028-07-10 10:00:00', '2028-07-10 08:00:00', '=', '+02:00', 'CEST'],
] as const
for (const [zone, local, utc, back, offset, letters] of CASES) {
  test(`${local} in ${zone} is ${utc} UTC, ${offset}, ${letters}`, () => {
    assert.equal(toUtc(local, zone), utc)
    assert.equal(toLocal(utc, zone), back === '=' ? local : back)
    assert.equal(offsetText(utc, zone), offset)
    if (back === '=' || utc.startsWith('9999')) assert.equal(offsetIn(local, zone), offset)
    assert.equal(zoneAbbreviation(local, zone), letters)
  })
}

test('a zone or a reading that is none is refused', () => {
  assert.throws(() => toUtc('2028-02-10 10:00:00', 'Europe/Atlantis'), RangeError)
  assert.throws(() => toLocal('2028-02-10', 'UTC'), RangeError)
  assert.throws(() => zoneAbbreviation('', 'UTC'), RangeError)
})

test('every zone of the tz database shows the letters date(1) prints on 15 January and 15 July 2025', () => {
  const file = readFileSync(new URL('./zone-letters.fixture.json', import.meta.url), 'utf8')
  const zonesByLetters: Record<string, string> = JSON.parse(file)
  for (const [letters, zones] of Object.entries(zonesByLetters)) {
    for (const zone of zones.split(' ')) {
      const shown = ['2025-01-15 12:00:00', '2025-07-15 12:00:00'].map((noon) => zoneAbbreviation(noon, zone))
      assert.equal(shown.join(' '), letters, zone)
    }
  }
})

test('letters follow the year in zones that changed theirs', () => {
  assert.equal(zoneAbbreviation('2010-07-15 12:00:00', 'Europe/Moscow'), 'MSD')
  assert.equal(zoneAbbreviation('2012-07-15 12:00:00', 'Europe/Moscow'), 'MSK')
  assert.equal(zoneAbbreviation('2012-07-15 12:00:00', 'Europe/Minsk'), '+03')
  assert.equal(zoneAbbreviation('2016-07-15 12:00:00', 'Europe/Istanbul'), 'EEST')
  assert.equal(zoneAbbreviation('2016-12-15 12:00:00', 'Europe/Istanbul'), '+03')
  assert.equal(zoneAbbreviation('2022-07-15 12:00:00', 'America/Chihuahua'), 'MDT')
  assert.equal(zoneAbbreviation('2022-12-15 12:00:00', 'America/Chihuahua'), 'CST')
})

test('the hour over which a clock is put back occurs twice, and no other', () => {
  const hour = ['02:00:00', '02:30:00', '02:59:59']
  for (const time of hour) assert.ok(occursTwice(`2027-10-31 ${time}`, 'Europe/Berlin'), time)
  for (const time of ['01:59:59', '03:00:00']) assert.ok(!occursTwice(`2027-10-31 ${time}`, 'Europe/Berlin'), time)
  for (const time of hour) assert.ok(!occursTwice(`2027-03-28 ${time}`, 'Europe/Berlin'), time)
  assert.ok(occursTwice('2027-04-04 01:45:00', 'Australia/Lord_Howe'))
  assert.ok(!occursTwice('2027-04-04 01:15:00', 'Australia/Lord_Howe'))
  assert.ok(!occursTwice('2027-10-31 02:30:00', 'UTC+1'))
})
