import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { readClock, writeClock } from '../../time/clock.ts'
import { placeOf } from '../../time/observances.ts'
import { toUtc } from '../../time/zones.ts'
import { zoneComponent } from './zone.ts'

function written(zone: string, years: readonly number[]): string {
  return zoneComponent(placeOf(zone) ?? assert.fail(zone), years)
}

test('a zone is written with the rule of its changes (RFC 5545 section 3.6.5)', () => {
  assert.equal(
    written('Europe/Berlin', [2027, 2026, 2028]),
    [
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Berlin',
      ...['BEGIN:STANDARD', 'DTSTART:20260101T000000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0100', 'TZNAME:CET'],
      'END:STANDARD',
      ...['BEGIN:DAYLIGHT', 'DTSTART:20260329T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'TZNAME:CEST'],
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20280326T010000Z',
      'END:DAYLIGHT',
      ...['BEGIN:STANDARD', 'DTSTART:20261025T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'TZNAME:CET'],
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20281029T010000Z',
      'END:STANDARD',
      'END:VTIMEZONE',
      '',
    ].join('\r\n'),
  )
})

test('changes that no rule tells stand one by one, and a zone without changes has one observance', () => {
  const casablanca = written('Africa/Casablanca', [2023, 2024, 2025])
  assert.doesNotMatch(casablanca, /RRULE|RDATE/)
  assert.deepEqual(casablanca.match(/DTSTART:\d{8}T030000/g), [
    'DTSTART:20230319T030000',
    'DTSTART:20240310T030000',
    'DTSTART:20250223T030000',
  ])
  assert.equal(written('Asia/Tokyo', [2026, 2027, 2033]).match(/DTSTART/g)?.length, 1)
})

test('days of local mean time have seconds in their offsets (RFC 5545 section 3.3.14)', () => {
  assert.match(written('Europe/Berlin', [1893]), /TZOFFSETFROM:\+005328\r\nTZOFFSETTO:\+0100\r\n/)
  assert.match(written('America/New_York', [1800]), /TZOFFSETTO:-045602\r\nTZNAME:LMT\r\n/)
})

/** Zones, and years of their clocks in which something was or will be odd. */
const ODD: readonly (readonly [string, readonly number[]])[] = [
  ['Europe/Berlin', [2026, 2027, 2028, 2029]],
  ['Europe/Berlin', [1945, 1946, 1947, 2050]],
  ['America/New_York', [2005, 2006, 2007, 2008, 2026]],
  ['Africa/Casablanca', [2023, 2024, 2025, 2026, 2027, 2028, 2031]],
  ['Australia/Lord_Howe', [2025, 2026, 2027]],
  ['Australia/Sydney', [2026, 2030]],
  ['Europe/Dublin', [2026, 2027]],
  ['America/Sao_Paulo', [2017, 2018, 2019, 2020]],
  ['Asia/Tehran', [2019, 2020, 2021, 2022, 2023]],
  ['Asia/Jerusalem', [2024, 2025, 2026, 2027, 2028, 2029]],
  ['America/Nuuk', [2022, 2023, 2024, 2025, 2026, 2027]],
  ['Africa/Cairo', [2013, 2014, 2023, 2024, 2025]],
  ['Antarctica/Troll', [2026, 2027]],
  ['Asia/Pyongyang', [2014, 2015, 2018, 2019]],
  ['Asia/Kathmandu', [1985, 1986, 2026]],
]

for (const [zone, years] of ODD) {
  test(`another reader finds the clock of ${zone} in ${years.join(', ')}`, () => {
    const calendar = new ICAL.Component(ICAL.parse(`BEGIN:VCALENDAR\r\n${written(zone, years)}END:VCALENDAR\r\n`))
    const component = calendar.getFirstSubcomponent('vtimezone') ?? assert.fail('no zone')
    const timezone = new ICAL.Timezone(component)
    for (const year of years) {
      const [first, last] = [readClock(`${year}-01-01 00:00:00`), readClock(`${year}-12-31 23:00:00`)]
      for (let at = first; at <= last; at += 3 * 3600) {
        const local = writeClock(at)
        const utc = readClock(toUtc(local, zone))
        // A reading that a change skips, or that occurs twice, is read in ways of its own.
        if ([-2, 2].some((hours) => readClock(toUtc(writeClock(at + hours * 3600), zone)) - utc !== hours * 3600))
          continue
        const time = ICAL.Time.fromDateTimeString(local.replace(' ', 'T'))
        assert.equal(timezone.utcOffset(time), at - utc, local)
      }
    }
  })
}
