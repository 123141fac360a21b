import assert from 'node:assert/strict'
import test from 'node:test'
import { calendar, event } from '../../../../../test/support/icalendar-import.ts'
import { toUtc } from '../../../../base/time/zones.ts'
import { readCalendar } from './read-calendar.ts'
import { zoneCalled } from './zone-labels.ts'

/** Labels by the zone that they stand for. */
const LABELS: Readonly<Record<string, string>> = {
  'Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna': 'Europe/Berlin',
  'Amsterdam, Berlin, Bern, Rom, Stockholm, Wien': 'Europe/Berlin',
  'Amsterdam\\, Berlin\\, Bern': 'Europe/Berlin',
  'Sarajevo/Warsaw/Zagreb': 'Europe/Warsaw',
  'Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London': 'Europe/London',
  'Pacific Time (US & Canada)': 'America/Los_Angeles',
  'Pacific Time (US & Canada); Tijuana': 'America/Los_Angeles',
  'Indiana (East)': 'America/Indiana/Indianapolis',
  'La Paz, Mazatlan': 'America/Mazatlan',
  'Georgetown, La Paz, Manaus, San Juan': 'America/La_Paz',
  'West Central Africa': 'Africa/Lagos',
  'Yangon (Rangoon)': 'Asia/Yangon',
  'Canberra, Melbourne, Sydney': 'Australia/Sydney',
  'Solomon Is., New Caledonia': 'Pacific/Guadalcanal',
  'Petropavlovsk-Kamchatsky - Old': 'Asia/Kamchatka',
  'Coordinated Universal Time': 'UTC',
  'Coordinated Universal Time-11': 'Etc/GMT+11',
  Hawaii: 'Pacific/Honolulu',
  Newfoundland: 'America/St_Johns',
  'W. Europe Standard Time 1': 'Europe/Berlin',
  'America/New York': 'America/New_York',
  'Europe-Berlin': 'Europe/Berlin',
  '/harbour.example/2005_1/Europe/Berlin': 'Europe/Berlin',
}

test('a label stands for the zone of its name, whatever offset it claims', () => {
  for (const [label, zone] of Object.entries(LABELS))
    for (const offset of ['', '(UTC+03:00) ', '(GMT-05.00) ', '(UTC) ', '(GMT +9:30) ']) {
      const found = zoneCalled(offset + label) ?? 'none'
      for (const local of ['2027-01-15 12:00:00', '2027-07-15 12:00:00'])
        assert.equal(found === 'none' ? found : toUtc(local, found), toUtc(local, zone), `${offset}${label}: ${found}`)
    }
})

test('an offset counts where nothing else stands there, and a label of nothing is no zone', () => {
  const offsets = { 'UTC+01:00': -60, 'GMT-5': 300, '(UTC+05:30)': -330, '+0530': -330, '(UTC)': 0, GMT: 0 }
  const noon = Date.UTC(2027, 6, 15, 12)
  for (const [label, minutes] of Object.entries(offsets)) {
    const utc = new Date(noon + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ')
    assert.equal(toUtc('2027-07-15 12:00:00', zoneCalled(label) ?? 'none'), utc, label)
  }
  for (const label of [
    '',
    '1',
    '-3',
    'Local',
    'Customized Time Zone 1',
    'tzone://Microsoft/Custom',
    '(UTC+01:00) Atlantis',
  ])
    assert.equal(zoneCalled(label), undefined, label)
})

test('labels of zones may have colons without quotes, and unknown ones are noted with the zone that is used', async () => {
  const at = (tzid: string, rest = '') => event(tzid, `DTSTART;TZID=${tzid}${rest}:20270715T200000`, `SUMMARY:${tzid}`)
  const file = calendar(
    'X-WR-TIMEZONE:Nowhere',
    ...at('tzone://Microsoft/Utc'),
    ...at('(UTC-08:00) Pacific Time (US & Canada)', ';VALUE=DATE-TIME'),
    ...at('"(UTC+01:00) Amsterdam, Berlin"'),
    ...event(
      'after',
      'DTSTART:TZID=Asia/Tokyo:20270715T200000',
      'EXDATE;TZID=Mars:20270716T200000',
      'RRULE:FREQ=DAILY;COUNT=3',
    ),
    ...at('(UTC+01:00) Atlantis'),
  )
  const options = { zone: undefined, siteZone: 'Europe/Paris', now: Date.UTC(2027, 0, 1), recurrenceYears: 2 }
  const { events, problems } = readCalendar('diary.ics', file, options)
  assert.deepEqual(
    events.map(({ times }) => times.startUtc),
    ['2027-07-15 20:00:00', '2027-07-16 03:00:00', '2027-07-15 18:00:00', '2027-07-15 11:00:00', '2027-07-15 18:00:00'],
  )
  assert.deepEqual(
    problems.map(({ line, why, isNote }) => [line, isNote, new URLSearchParams(why.split('?')[1]).get('zone')]),
    [
      [4, true, 'Nowhere'],
      [27, true, 'Mars'],
      [33, true, '(UTC+01:00) Atlantis'],
    ],
  )
})
