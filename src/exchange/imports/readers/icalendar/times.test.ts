import assert from 'node:assert/strict'
import test from 'node:test'
import { calendar, event } from '../../../../../test/support/icalendar-import.ts'
import { readCalendar } from './read-calendar.ts'

const OPTIONS = { zone: undefined, siteZone: 'Europe/Berlin', now: Date.UTC(2027, 0, 1), recurrenceYears: 2 }

/** What is read of events, each written as lines that one text separates with blanks. */
async function read(...written: readonly string[]) {
  const lines = written.flatMap((text, index) => event(`e${index}`, ...text.split(' ')))
  const { events, problems } = readCalendar('diary.ics', calendar(...lines), OPTIONS)
  const notes = problems.map(({ why, isNote }) => (isNote ? decodeURIComponent(why) : `skipped: ${why}`))
  return { events, notes }
}

/** Start and end of an event on its clock, as `14 20:00 - 15 00:00`, with a star for whole days. */
async function timesOf(...written: readonly string[]) {
  const { events, notes } = await read(...written)
  const shown = events.map(({ times: { start, end, isAllDay } }) => {
    const [from, to] = [start, end].map((text) => text.slice(8, 16))
    return `${from} - ${to}${isAllDay ? ' *' : ''}`
  })
  return { shown, notes }
}

const EVENING = 'DTSTART;TZID=Europe/Berlin:20270114T200000'

test('whole days are what is declared or marked as such, with their times on any clock', async () => {
  const { shown, notes } = await timesOf(
    'DTSTART;TZID=Europe/Berlin:20270114T000000 DTEND;TZID=Europe/Berlin:20270115T000000 X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
    'DTSTART:20270114T000000 X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT:true',
    'DTSTART:20270113T230000Z DTEND:20270115T230000Z X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
    'DTSTART:20270114T050000Z DTEND:20270115T050000Z X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
    'DTSTART:20270114T000000 DTEND:20270114T235959 X-FUNAMBOL-ALLDAY:1',
    'DTSTART;TZID=Europe/Berlin:20270114T100000 DTEND;TZID=Europe/Berlin:20270114T110000 X-MICROSOFT-CDO-ALLDAYEVENT:FALSE',
    'DTSTART;VALUE=DATE:20270127T000000Z DTEND;VALUE=DATE:20270205T000000Z',
    'DTSTART;VALUE=DATE:2027-01-27T10:00:00 DTEND;VALUE=DATE:2027-01-28',
    'DTSTART;VALUE=DATE:20270114 DTEND;VALUE=DATE:20270114',
  )
  assert.deepEqual(shown, [
    '14 00:00 - 14 23:59 *',
    '14 00:00 - 14 23:59 *',
    '14 00:00 - 15 23:59 *',
    '14 00:00 - 14 23:59 *',
    '14 00:00 - 14 23:59 *',
    '14 10:00 - 14 11:00',
    '27 00:00 - 04 23:59 *',
    '27 00:00 - 27 23:59 *',
    '14 00:00 - 14 23:59 *',
  ])
  assert.deepEqual(notes, [])
})

test('a marked series of whole days leaves out and moves the days that are written with times', async () => {
  const mark = 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE'
  const first = `DTSTART:20270112T230000Z DTEND:20270113T230000Z RRULE:FREQ=DAILY;COUNT=4 EXDATE:20270114T230000Z ${mark}`
  const lines = [
    ...event('one', ...first.split(' ')),
    ...event('one', 'RECURRENCE-ID:20270113T230000Z', 'DTSTART:20270119T230000Z', 'DTEND:20270120T230000Z', mark),
  ]
  const { events, problems } = readCalendar('diary.ics', calendar(...lines), OPTIONS)
  const [series] = events
  assert.deepEqual([events.length, problems], [1, []])
  assert.deepEqual(
    series?.exceptions.map(({ recurrenceId, times }) => [recurrenceId, times.start, times.isAllDay]),
    [['2027-01-14 00:00:00', '2027-01-20 00:00:00', true]],
  )
  assert.deepEqual(
    series?.recurrence?.excluded.map(({ seconds }) => new Date(seconds * 1000).toISOString().slice(0, 10)),
    ['2027-01-15'],
  )
})

test('ends and lengths are read as they are meant', async () => {
  const end = (text: string) => `${EVENING} DTEND${text}`
  const length = (text: string) => `${EVENING} DURATION:${text}`
  const { shown, notes } = await timesOf(
    ...[
      ';TZID=Europe/Berlin:20270114T240000',
      ':2027-01-14T23:00:00+01:00',
      ':2027-01-14T22:00Z',
      ':20270114T2330',
    ].map(end),
    ...['PT1D', 'P1H', 'P1DT2H', '1H30M', 'PT1.5H', 'P1W', 'PT90M', 'p1h15m'].map(length),
    `${EVENING} DTEND:soon DURATION:PT1H`,
    `${EVENING} DTEND:`,
  )
  assert.deepEqual(
    shown.map((text) => text.slice(11)),
    [
      ...['15 00:00', '14 23:00', '14 23:00', '14 23:30'],
      ...['15 20:00', '14 21:00', '15 22:00', '14 21:30', '14 21:30', '21 20:00', '14 21:30', '14 21:15'],
      ...['14 21:00', '14 20:00'],
    ],
  )
  assert.deepEqual(notes, ['import.note.unread?property=DTEND&value=soon'])
})

test('an event stays without an end that cannot be read or lies before its start, and the report names it', async () => {
  const { shown, notes } = await timesOf(
    ...['DTEND;TZID=Europe/Berlin:20270114T000000', 'DTEND:20270114T030000', 'DURATION:-PT1H'].map(
      (end) => `${EVENING} ${end}`,
    ),
    ...['DTEND:20270230T200000', 'DURATION:P1M', 'DURATION:PT1W', 'DURATION:long'].map((end) => `${EVENING} ${end}`),
    'DTSTART;VALUE=DATE:20270114 DTEND;VALUE=DATE:20270112',
  )
  assert.deepEqual(shown, [...Array<string>(7).fill('14 20:00 - 14 20:00'), '14 00:00 - 14 23:59 *'])
  assert.deepEqual(notes, [
    'import.note.noEnd?property=DTEND&value=20270114T000000',
    'import.note.noEnd?property=DTEND&value=20270114T030000',
    'import.note.noEnd?property=DURATION&value=-PT1H',
    'import.note.unread?property=DTEND&value=20270230T200000',
    'import.note.unread?property=DURATION&value=P1M',
    'import.note.unread?property=DURATION&value=PT1W',
    'import.note.unread?property=DURATION&value=long',
    'import.note.noEnd?property=DTEND&value=20270112',
  ])
})

test('dates of a series are read with hyphens and offsets, and what is no date is noted', async () => {
  const { events, notes } = await read(
    `${EVENING} RRULE:FREQ=WEEKLY;UNTIL=2027-02-04 EXDATE:2027-01-21`,
    `${EVENING} RDATE:someday,2027-01-20T19:00:00+00:00`,
    `${EVENING} RDATE;VALUE=PERIOD:20270120T200000/never`,
    `${EVENING} RRULE:FREQ=SOMETIMES`,
    `${EVENING} RRULE:FREQ=DAILY;COUNT=3 EXDATE:tomorrow`,
    `${EVENING} RRULE:FREQ=DAILY;COUNT=5 EXDATE;TZID=Europe/Berlin:20270115T200000;20270116T200000`,
  )
  const starts = events.map(({ recurrence }) => [
    recurrence?.rule?.until?.seconds,
    recurrence?.added.length,
    recurrence?.excluded.length,
  ])
  assert.deepEqual(starts, [
    [Date.UTC(2027, 1, 4) / 1000, 0, 1],
    [undefined, 1, 0],
    [undefined, 1, 0],
    [undefined, undefined, undefined],
    [undefined, 0, 0],
    [undefined, 0, 2],
  ])
  assert.deepEqual(notes, [
    'import.note.unread?property=RDATE&value=someday',
    'import.note.unread?property=RDATE&value=never',
    'import.note.unread?property=RRULE&value=FREQ=SOMETIMES',
    'import.note.unread?property=EXDATE&value=tomorrow',
  ])
})

test('a rule is read with blanks, empty parts and longer names of days', async () => {
  const { events, notes } = await read(
    `${EVENING} RRULE:freq=weekly;COUNT=3;BYDAY=MON,THU;WKST=SUN`,
    `${EVENING} RRULE:RRULE:FREQ=WEEKLY;;\tUNTIL=;COUNT=3;BYDAY=TH;`,
    `${EVENING} RRULE:FREQ=MONTHLY;COUNT=3;BYDAY=2THU;INTERVAL=`,
  )
  assert.deepEqual(
    events.map(({ recurrence }) => [recurrence?.rule?.count, recurrence?.rule?.byDay.length]),
    [
      [3, 2],
      [3, 1],
      [3, 1],
    ],
  )
  assert.deepEqual(notes, [])
})
