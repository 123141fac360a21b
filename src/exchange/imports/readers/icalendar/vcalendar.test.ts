import assert from 'node:assert/strict'
import test from 'node:test'
import { readCalendar } from './read-calendar.ts'

const OPTIONS = { zone: undefined, siteZone: 'Europe/Berlin', now: Date.UTC(2027, 0, 1), recurrenceYears: 2 }

/** What is read of events in vCalendar 1.0, each of these lines. */
async function read(head: readonly string[], ...written: readonly (readonly string[])[]) {
  const events = written.flatMap((own) => ['BEGIN:VEVENT', ...own, 'END:VEVENT'])
  const lines = ['BEGIN:VCALENDAR', 'VERSION:1.0', ...head, ...events, 'END:VCALENDAR', '']
  const found = readCalendar('old.vcs', Buffer.from(lines.join('\r\n'), 'latin1'), OPTIONS)
  const problems = found.problems.map(({ why }) => decodeURIComponent(why.replaceAll('+', ' ')))
  return { events: found.events, problems }
}

test('texts in quoted-printable and Base64 are decoded, over several lines and in their character sets', async () => {
  const start = 'DTSTART:20270114T200000Z'
  const { events, problems } = await read(
    [],
    [
      start,
      'SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Caf=C3=A9 am =',
      'Hafen',
      'DESCRIPTION;QUOTED-PRINTABLE:One=0D=0ATwo=',
      ' three',
    ],
    [
      'DTSTART:20270115T200000Z',
      'SUMMARY;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Caf=E9',
      'LOCATION;ENCODING=BASE64:SGFmZW4=',
    ],
    [
      'DTSTART:20270116T200000Z',
      'SUMMARY;CHARSET=ISO-8859-1:Caf\u00e9',
      'CATEGORIES:Rowing;Water sports',
      'DCREATED:20261201T100000Z',
    ],
  )
  assert.deepEqual(problems, [])
  assert.deepEqual(
    events.map(({ content }) => [content.title, content.description, content.location]),
    [
      ['Café am Hafen', '<p>One<br />\nTwo three</p>', ''],
      ['Café', '', 'Hafen'],
      ['Café', '', ''],
    ],
  )
  assert.deepEqual(
    [events[2]?.content.categories, events[2]?.content.created],
    [['Rowing', 'Water sports'], '2026-12-01 10:00:00'],
  )
})

/** What a rule is expected to say. */
interface Expected {
  readonly freq?: string
  readonly interval?: number
  readonly count?: number
  readonly until?: boolean
  readonly days?: number
}

test('rules are converted where iCalendar has them, and noted where it has not', async () => {
  const rules: Readonly<Record<string, Expected>> = {
    'D2 #5': { freq: 'DAILY', interval: 2, count: 5 },
    'W1 MO WE #0': { freq: 'WEEKLY', interval: 1, days: 2 },
    W1: { freq: 'WEEKLY', interval: 1, count: 2 },
    'MP1 1+ MO 2- FR #3': { freq: 'MONTHLY', interval: 1, count: 3, days: 2 },
    'MD1 1 LD 20271231T000000Z': { freq: 'MONTHLY', interval: 1, until: true },
    'YM1 6 #4': { freq: 'YEARLY', interval: 1, count: 4 },
  }
  const texts = [...Object.keys(rules), 'YM1 6 MP1 1+ MO #4', 'D1 0800 1200 #4']
  const { events, problems } = await read(
    [],
    ...texts.map((text) => ['DTSTART:20270104T200000Z', `SUMMARY:${text}`, `RRULE:${text}`]),
  )
  for (const { content, recurrence } of events.slice(0, -2)) {
    const { freq, interval, count, until, days = 0 }: Expected = rules[content.title] ?? {}
    const rule = recurrence?.rule
    assert.deepEqual(
      [rule?.frequency, rule?.interval, rule?.byDay.length, rule?.until !== undefined],
      [freq, interval, days, until === true],
      content.title,
    )
    if (count !== undefined) assert.ok((rule?.count ?? 0) >= count, content.title)
  }
  assert.deepEqual(
    problems,
    texts.slice(-2).map((text) => `import.note.unread?property=RRULE&value=${text}`),
  )
})

test('dates of lists are separated by semicolons, and times without a zone have the offset of the calendar', async () => {
  const lines = ['DTSTART:20270104T200000', 'RRULE:D1 #4', 'EXDATE:20270105T200000;20270106T200000']
  const { events } = await read(['TZ:-05'], lines)
  assert.deepEqual([events[0]?.times.startUtc, events[0]?.recurrence?.excluded.length], ['2027-01-05 01:00:00', 2])
  const summer = await read(
    ['TZ:+01', 'DAYLIGHT:TRUE;+02;20270328T020000;20271031T030000;;'],
    ['DTSTART:20270704T200000'],
  )
  assert.equal(summer.events[0]?.times.startUtc, '2027-07-04 18:00:00')
})
