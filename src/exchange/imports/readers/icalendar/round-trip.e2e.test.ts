import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { openTestApp } from '../../../../../test/support/app.ts'

const DAY = 86_400_000
const STAMP = 'DTSTAMP:20260301T080000Z'

function event(uid: string, title: string, ...lines: readonly string[]): string[] {
  return ['BEGIN:VEVENT', `UID:${uid}@diary.example`, STAMP, `SUMMARY:${title}`, ...lines, 'END:VEVENT']
}

/** A zone with the same clock all year round. */
function fixedZone(name: string, offset: string): string[] {
  const standard = ['BEGIN:STANDARD', 'DTSTART:16010101T000000', `TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`]
  return ['BEGIN:VTIMEZONE', `TZID:${name}`, ...standard, 'END:STANDARD', 'END:VTIMEZONE']
}

/** Files by what makes them hard to take in a second time. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'events of one title that are not in the order of their starts': [
    ...event('c', 'Regatta', 'DTSTART;TZID=Europe/Berlin:20270603T100000', 'DURATION:PT2H'),
    ...event('a', 'Regatta', 'DTSTART;TZID=Europe/Berlin:20270601T100000', 'RRULE:FREQ=DAILY;COUNT=2'),
    ...event('b', 'Regatta', 'DTSTART;TZID=Europe/Berlin:20270602T120000'),
    ...event('d', '1', 'DTSTART;VALUE=DATE:20270701'),
  ],
  'zones with one offset, UTC and times of no zone': [
    ...fixedZone('(UTC+07:00) Three Cities', '+0700'),
    ...fixedZone('Harbour Time', '+0345'),
    ...event('a', 'Far', 'DTSTART;TZID="(UTC+07:00) Three Cities":20270430T090000', 'DURATION:PT3H'),
    ...event('b', 'Odd', 'DTSTART;TZID=Harbour Time:20270501T090000', 'DTEND;TZID=Harbour Time:20270501T101500'),
    ...event('c', 'Universal', 'DTSTART:20270502T090000Z', 'DTEND:20270502T100000Z'),
    ...event('d', 'Floating', 'DTSTART:20270503T090000'),
    ...fixedZone('(GMT +05:30)', '+0530'),
    ...event('f', 'Offset', 'DTSTART;TZID="(GMT +05:30)":20270506T100000', 'RRULE:FREQ=WEEKLY;COUNT=3'),
    ...event('e', 'Weekly', 'DTSTART:20270504T220000Z', 'DURATION:PT4H', 'RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=TU'),
  ],
  'an hour that a clock shows twice': [
    ...event('a', 'First', 'DTSTART;TZID=Europe/Berlin:20271031T023000', 'DURATION:PT30M'),
    ...event('b', 'Night', 'DTSTART;TZID=America/Chicago:20271107T013000', 'DURATION:PT5H'),
  ],
  'places and organizers of events that were changed at different times': [
    ...event('a', 'Late', 'DTSTART:20270610T100000Z', 'LAST-MODIFIED:20260215T000000Z', 'LOCATION:Boathouse\\, Pier 3'),
    ...event(
      'b',
      'Early',
      'DTSTART:20270609T100000Z',
      'LAST-MODIFIED:20250101T000000Z',
      'LOCATION:Boathouse\\, Pier 3',
    ),
    ...event('c', 'Led', 'DTSTART:20270608T100000Z', 'ORGANIZER;CN=Mira:mailto:mira@diary.example', 'GEO:53.5;9.9'),
  ],
  'dates of a recurring event that differ, changed before the event was': [
    ...event(
      'a',
      'Choir',
      'DTSTART;TZID=Europe/Paris:20270105T190000',
      'DURATION:PT90M',
      'RRULE:FREQ=WEEKLY;COUNT=6',
      'EXDATE;TZID=Europe/Paris:20270119T190000',
      'RDATE;TZID=Europe/Paris:20270121T200000',
      'LAST-MODIFIED:20260101T000000Z',
      'LOCATION:School',
    ),
    ...event(
      'a',
      'Choir with guests',
      'RECURRENCE-ID;TZID=Europe/Paris:20270112T190000',
      'DTSTART;TZID=Europe/Paris:20270113T180000',
      'DURATION:PT2H',
      'LAST-MODIFIED:20251224T000000Z',
    ),
  ],
  'texts, properties of other programs and what was called off': [
    ...event(
      'a',
      'A\\, b\\; c "d"',
      'DTSTART;VALUE=DATE:20270201',
      'DTEND;VALUE=DATE:20270204',
      'DESCRIPTION:One\\nTwo\\n\\nhttps://diary.example/x?a=1&b=2',
      'CATEGORIES:Water,Sports & more',
      'COLOR:navy',
      'X-DIARY-ROOM;X-FLOOR="2:left":Blue\\, north',
      'STATUS:CANCELLED',
      'COMMENT:Storm',
      'CLASS:PRIVATE',
      'CONFERENCE;VALUE=URI:https://meet.example/a',
    ),
  ],
  'what is not sure, nobody else’s time or business, and properties that nobody knows': [
    ...event(
      'a',
      'Perhaps',
      'DTSTART:20270228T100000Z',
      'FUTURE-WORD;X-A=1:One\\, two',
      'TRANSP:TRANSPARENT',
      'CLASS:CONFIDENTIAL',
      'COMMENT:If it does not rain',
      'CONTACT:Ada',
      'CONTACT:Ben',
      'CONFERENCE;VALUE=URI;FEATURE=PHONE:tel:+43-1-555-0101',
      'STATUS:TENTATIVE',
    ),
    ...event(
      'b',
      'Off',
      'DTSTART;VALUE=DATE:20270301',
      'RRULE:FREQ=DAILY;COUNT=2',
      'COMMENT:Storm',
      'COMMENT:Sorry',
      'TRANSP:OPAQUE',
      'STATUS:CANCELLED',
    ),
  ],
  'several ways to take part, with what is said of them': [
    ...event(
      'a',
      'Regatta talk',
      'DTSTART:20270228T100000Z',
      'CONFERENCE;VALUE=URI;FEATURE=PHONE:tel:+43-1-555-0101',
      'CONFERENCE;VALUE=URI;FEATURE=VIDEO,AUDIO;LABEL="Join, please":https://meet.example/a?x=1;y=2',
    ),
  ],
  'descriptions with links and the like, with odd spaces, and about HTML': [
    ...event(
      'a',
      'Linked',
      'DTSTART:20270301T100000Z',
      'DESCRIPTION:Every Friday <a href="https://diary.example/x">https://diary.example/x</a>\\, at eight',
    ),
    ...event(
      'b',
      'Spaced',
      'DTSTART:20270302T100000Z',
      'DESCRIPTION:One.\u00a0\\n\\nTwo\u00a0 a  \\n  Three\\n\\n\\n4',
    ),
    ...event(
      'c',
      'Told',
      'DTSTART:20270303T100000Z',
      'X-ALT-DESC;FMTTYPE=text/html:<p>Write &lt;b&gt;\\, not &amp;lt\\; </p>',
    ),
    ...event('d', 'Parted', 'DTSTART:20270304T100000Z', 'DESCRIPTION:<p>One </p><p> Two<br>Three</p>'),
    ...event('e', 'Listed', 'DTSTART;VALUE=DATE:20270305', 'RRULE:FREQ=DAILY;COUNT=2', 'DESCRIPTION:<ul><li>One</ul>'),
    ...event(
      'f',
      'Seen',
      'DTSTART:20270306T100000Z',
      'DESCRIPTION:<p><img src="https://diary.example/a.png" alt=""></p>',
    ),
  ],
  'days of a calendar in another zone than that of the site': [
    'X-WR-TIMEZONE:Asia/Tokyo',
    ...event('a', 'Day', 'DTSTART;VALUE=DATE:20270201'),
    ...event('b', 'Yearly', 'DTSTART;VALUE=DATE:20270202', 'RRULE:FREQ=YEARLY'),
    ...event('c', 'Pair', 'DTSTART;VALUE=DATE:20270203', 'RRULE:FREQ=WEEKLY;COUNT=2'),
    ...event('c', 'Other', 'RECURRENCE-ID;VALUE=DATE:20270210', 'DTSTART;VALUE=DATE:20270211'),
  ],
  'dates of a recurring event that are on a clock of their own': [
    ...fixedZone('(GMT +05:30)', '+0530'),
    ...event('a', 'Call', 'DTSTART;TZID=Europe/Berlin:20270204T100000', 'RRULE:FREQ=WEEKLY;COUNT=4'),
    ...event(
      'a',
      'Far call',
      'RECURRENCE-ID;TZID=Europe/Berlin:20270211T100000',
      'DTSTART;TZID="(GMT +05:30)":20270211T100000',
    ),
    ...event('a', 'Whole day', 'RECURRENCE-ID;TZID=Europe/Berlin:20270218T100000', 'DTSTART;VALUE=DATE:20270218'),
  ],
  'recurring events without a date that is like the others': [
    ...event('a', 'Once', 'DTSTART:20270401T180000Z', 'RDATE:20270401T180000Z'),
    ...event('a', 'Only', 'RECURRENCE-ID:20270401T180000Z', 'DTSTART:20270401T190000Z', 'DURATION:P1D'),
    ...event('b', 'Twice', 'DTSTART;TZID=Europe/Paris:20270402T180000', 'RRULE:FREQ=DAILY;COUNT=2'),
    ...event(
      'b',
      'First',
      'RECURRENCE-ID;TZID=Europe/Paris:20270402T180000',
      'DTSTART;TZID=Europe/Paris:20270402T190000',
    ),
    ...event(
      'b',
      'Second',
      'RECURRENCE-ID;TZID=Europe/Paris:20270403T180000',
      'DTSTART;TZID=Europe/Paris:20270403T200000',
    ),
  ],
}

/** What an event is, whatever number it has here. */
// biome-ignore lint/suspicious/noExplicitAny: JSON
function factsOf(event: any) {
  const { title, description, start_date, end_date, timezone, all_day, recurrence, icalendar } = event
  return { title, description, start_date, end_date, timezone, all_day, recurrence, icalendar }
}

/** Imports a file into a calendar that has nothing, days after the others; its export, and the events that it has. */
async function passed(t: TestContext, file: string, { host, days }: { readonly host: string; readonly days: number }) {
  const app = await openTestApp(t, { siteHost: host, baseUrl: 'https://harbour.example' })
  app.clock.now += days * DAY
  assert.ok(app.app.importCalendars)
  const files = [{ name: 'diary.ics', bytes: Buffer.from(file) }]
  const { skipped } = await app.app.importCalendars({ files }, () => undefined)
  assert.deepEqual(skipped, [])
  const query = new URLSearchParams({ start_date: '2026-01-01', end_date: '2029-01-01', status: 'publish,private' })
  const response = await fetch(`${app.origin}/kalends/v1/events.ics?${query}`, {
    headers: { authorization: app.authorization('administrator') },
  })
  assert.equal(response.status, 200)
  const listed = await app.call('administrator', 'GET', `/events?${query}&per_page=50`)
  assert.equal(listed.body.total_pages, 1)
  return { text: await response.text(), events: listed.body.events.map(factsOf) }
}

for (const [name, lines] of Object.entries(FILES)) {
  test(`exported, imported elsewhere and exported again a file is the same: ${name}`, async (t) => {
    const file = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Diary//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
    const first = await passed(t, file, { host: 'first.example', days: 0 })
    assert.equal(first.text.split('BEGIN:VEVENT').length, file.split('BEGIN:VEVENT').length)
    const second = await passed(t, first.text, { host: 'second.example', days: 3 })
    assert.equal(second.text, first.text)
    assert.deepEqual(second.events, first.events)
  })
}

test('series keep the name of a zone that has no clock of its own, also where it is that of the site', async (t) => {
  for (const siteZone of ['+03:00', 'GMT', 'UTC', 'Asia/Tokyo']) {
    const from = await openTestApp(t, { siteZone, siteHost: 'first.example' })
    const zones = ['GMT', 'UTC+0', 'UTC', '+03:00', 'UTC-3:30', 'Asia/Tokyo']
    for (const timezone of zones) {
      const json = { title: timezone, timezone, recurrence: 'RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=MO' }
      const times = { start_date: '2027-01-04 01:00:00', end_date: '2027-01-04 02:00:00' }
      const timed = await from.call('administrator', 'POST', '/events', { json: { ...json, ...times } })
      assert.equal(timed.status, 201)
      const days = await from.call('administrator', 'POST', '/events', { json: { ...json, ...times, all_day: true } })
      assert.equal(days.status, 201)
    }
    const query = '?start_date=2027-01-01&end_date=2028-01-01'
    const file = await (await fetch(`${from.origin}/kalends/v1/events.ics${query}`)).text()
    const to = await openTestApp(t, { siteZone: 'America/New_York', siteHost: 'second.example' })
    const files = [{ name: 'zones.ics', bytes: Buffer.from(file) }]
    const { skipped } = (await to.app.importCalendars?.({ files }, () => undefined)) ?? {}
    assert.deepEqual(skipped, [])
    const listed = async (app: typeof from): Promise<unknown[]> => {
      const { body } = await app.call('administrator', 'GET', `/events${query}&per_page=50`)
      // biome-ignore lint/suspicious/noExplicitAny: JSON
      return body.events.map(({ title, timezone, utc_start_date, all_day }: any) =>
        [title, timezone, utc_start_date, all_day].join(' '),
      )
    }
    const before = await listed(from)
    assert.equal(before.length, 6 * zones.length)
    assert.deepEqual((await listed(to)).toSorted(), before.toSorted(), `site in ${siteZone}`)
  }
})
