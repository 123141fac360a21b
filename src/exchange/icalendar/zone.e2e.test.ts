import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { readClock, writeClock } from '../../base/time/clock.ts'
import { placeOf } from '../../base/time/observances.ts'
import { toUtc } from '../../base/time/zones.ts'
import { zoneComponent } from './zone.ts'

function written(zone: string, years: readonly number[]): string {
  return zoneComponent(placeOf(zone) ?? assert.fail(zone), years)
}

test('rules that hold for good have no end (RFC 5545 section 3.6.5)', () => {
  const berlin = [
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Berlin',
    ...['BEGIN:STANDARD', 'DTSTART:20260101T000000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0100', 'TZNAME:CET'],
    'END:STANDARD',
    ...['BEGIN:DAYLIGHT', 'DTSTART:20260329T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'TZNAME:CEST'],
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'END:DAYLIGHT',
    ...['BEGIN:STANDARD', 'DTSTART:20261025T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'TZNAME:CET'],
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'END:STANDARD',
    'END:VTIMEZONE',
    '',
  ].join('\r\n')
  assert.equal(written('Europe/Berlin', [2026]), berlin)
  assert.equal(written('Europe/Berlin', [2027, 2026, 2041]), berlin)
  // The Friday before the last Sunday.
  const friday = 'RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=23,24,25,26,27,28,29;BYDAY=FR\r\n'
  assert.ok(written('Asia/Jerusalem', [2026]).includes(friday))
})

test('rules that were given up end with their last onset among the given years', () => {
  const newYork = written('America/New_York', [2005, 2006, 2007, 2026])
  assert.deepEqual(newYork.match(/RRULE.+/g), [
    'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20061029T060000Z',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
    'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
  ])
  assert.match(written('America/Sao_Paulo', [2013, 2014, 2026]), /BYMONTH=10;BYDAY=3SU;UNTIL=20141019T030000Z/)
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

/**
 * The offset at a reading as python-dateutil finds it (vobject and others read through it): of all onsets up to the
 * reading the latest counts, and UNTIL is compared with wall clock readings as if it were one.
 */
function plainReader(text: string): (local: string) => number {
  const calendar = new ICAL.Component(ICAL.parse(text.replace(/(UNTIL=\w+)Z/g, '$1')))
  const parts = calendar.getAllSubcomponents().map((part) => {
    const first = part.getFirstPropertyValue('dtstart') as ICAL.Time
    const rule = part.getFirstPropertyValue('rrule') as ICAL.Recur | null
    const onsets = rule === null ? undefined : rule.iterator(first)
    const found: string[] = onsets === undefined ? [first.toString()] : []
    const offset = (part.getFirstPropertyValue('tzoffsetto') as ICAL.UtcOffset).toSeconds()
    const lastUpTo = (local: string): string => {
      while (onsets !== undefined && (found.at(-1) ?? '') <= local) {
        const next = onsets.next()
        if (!next) break
        found.push(next.toString())
      }
      return found.findLast((onset) => onset <= local) ?? ''
    }
    return { offset, lastUpTo }
  })
  return (local) => {
    const onsets = parts.map(({ offset, lastUpTo }) => ({ offset, onset: lastUpTo(local) }))
    return onsets.reduce((one, other) => (other.onset > one.onset ? other : one)).offset
  }
}

for (const [zone, years] of ODD) {
  test(`other readers find the clock of ${zone} in ${years.join(', ')}`, () => {
    const calendar = new ICAL.Component(ICAL.parse(`BEGIN:VCALENDAR\r\n${written(zone, years)}END:VCALENDAR\r\n`))
    const component = calendar.getFirstSubcomponent('vtimezone') ?? assert.fail('no zone')
    const timezone = new ICAL.Timezone(component)
    const plain = plainReader(written(zone, years))
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
        assert.equal(plain(time.toString()), at - utc, `${local} read plainly`)
      }
    }
  })
}
