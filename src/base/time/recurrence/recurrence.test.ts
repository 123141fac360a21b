import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datesInSteps, datesOf, isEndless, WORK } from './dates.ts'
import { expandRule } from './expand.ts'
import { type FirstDate, type Recurrence, readingSteps, readRecurrence } from './lines.ts'
import { readRule } from './rule.ts'
import { writeStamp } from './stamp.ts'
import { inSteps } from './steps.ts'
import { writeRecurrence, writingSteps } from './write.ts'

const TUESDAY: FirstDate = {
  start: '2027-01-05 18:00:00',
  end: '2027-01-05 19:30:00',
  zone: 'Europe/Berlin',
  isAllDay: false,
}
const WHOLE_DAY: FirstDate = { ...TUESDAY, start: '2027-01-05 00:00:00', end: '2027-01-06 23:59:59', isAllDay: true }

function soundly(lines: readonly string[], first = TUESDAY): Recurrence {
  const read = readRecurrence(lines, first)
  if (!read.ok) throw new Error(`${read.problem.part} ${read.problem.reason}`)
  return read.recurrence
}

function starts(lines: readonly string[], first = TUESDAY, limit = 100): string[] {
  const dates = datesOf(soundly(lines, first), first, { limit })
  if (!dates.ok) throw new Error(`${dates.problem.part} ${dates.problem.reason}`)
  assert.equal(dates.total ?? dates.dates.length, dates.dates.length)
  return dates.dates.map(({ start }) => start.replace(' 18:00:00', '').replace(' 00:00:00', ''))
}

function problemOf(lines: readonly string[], first = TUESDAY): string {
  const read = readRecurrence(lines, first)
  const dates = read.ok ? datesOf(read.recurrence, first, { horizon: '2032-01-01 00:00:00' }) : read
  return dates.ok ? 'none' : `${dates.problem.part} ${dates.problem.reason}`
}

const SETS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['every day, four times', ['RRULE:FREQ=DAILY;COUNT=4'], ['2027-01-05', '2027-01-06', '2027-01-07', '2027-01-08']],
  [
    'two weekdays until a day, that day included',
    ['RRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20270114'],
    ['2027-01-05', '2027-01-07', '2027-01-12', '2027-01-14'],
  ],
  ['until a moment of UTC', ['RRULE:FREQ=WEEKLY;UNTIL=20270112T165959Z'], ['2027-01-05']],
  ['until the very moment of UTC', ['RRULE:FREQ=WEEKLY;UNTIL=20270112T170000Z'], ['2027-01-05', '2027-01-12']],
  ['until a moment of the own clock', ['RRULE:FREQ=WEEKLY;UNTIL=20270112T180000'], ['2027-01-05', '2027-01-12']],
  [
    'the last Friday of the month; the own start counts though it is none',
    ['RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3'],
    ['2027-01-05', '2027-01-29', '2027-02-26'],
  ],
  [
    'the 31st, in months that have one',
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=31;COUNT=4'],
    ['2027-01-05', '2027-01-31', '2027-03-31', '2027-05-31'],
  ],
  ['dates without a rule', ['RDATE:20270301T180000,20270201T180000'], ['2027-01-05', '2027-02-01', '2027-03-01']],
  [
    'dates added to a rule and taken from it, COUNT knowing of neither',
    ['EXDATE:20270112T180000', 'RRULE:FREQ=WEEKLY;COUNT=3', 'RDATE:20270120T180000'],
    ['2027-01-05', '2027-01-19', '2027-01-20'],
  ],
  [
    'EXDATE before RDATE',
    ['RDATE:20270120T180000,20270121T180000', 'EXDATE:20270120T180000'],
    ['2027-01-05', '2027-01-21'],
  ],
  ['the first date taken out', ['RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:20270105T180000'], ['2027-01-06']],
  ['a day of a list at the time of the first', ['RDATE;VALUE=DATE:20270110'], ['2027-01-05', '2027-01-10']],
  ['a list on another clock', ['RDATE;TZID=America/New_York:20270110T120000'], ['2027-01-05', '2027-01-10']],
  ['a list of UTC', ['RDATE:20270110T170000Z'], ['2027-01-05', '2027-01-10']],
  ['a leap day', ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=3'], ['2027-01-05', '2028-02-29', '2032-02-29']],
]

for (const [name, lines, expected] of SETS) test(`dates: ${name}`, () => assert.deepEqual(starts(lines), expected))

test('one text holds folded lines of any letter case', () => {
  const text = 'rrule:freq=weekly;\r\n count=3\r\nexdate;tzid="europe/berlin":20270112t180000\n'
  assert.deepEqual(starts([text]), ['2027-01-05', '2027-01-19'])
})

test('every date is exactly as long as the first, also where the clocks change meanwhile', () => {
  // The clocks of Berlin go from 02:00 to 03:00 in the night of 28 March; three hours are three hours.
  const lengths = [
    ['2027-03-26 23:30:00', '2027-03-27 02:30:00'],
    ['2027-03-27 23:30:00', '2027-03-28 02:30:00'],
  ] as const
  const nights = lengths.map(([start, end]) => {
    const first = { ...TUESDAY, start, end }
    const dates = datesOf(soundly(['RRULE:FREQ=DAILY;COUNT=3'], first), first)
    return dates.ok && dates.dates.map((date) => `${date.start.slice(8, 16)}-${date.end.slice(8, 16)}`)
  })
  assert.deepEqual(nights, [
    ['26 23:30-27 02:30', '27 23:30-28 03:30', '28 23:30-29 02:30'],
    // 02:30 is skipped in that night and stands for 03:30.
    ['27 23:30-28 03:30', '28 23:30-29 02:30', '29 23:30-30 02:30'],
  ])
})

test('a time that the clock skips moves forward, and keeps the name that it has in the recurrence', () => {
  const first = { ...TUESDAY, start: '2027-03-27 02:30:00', end: '2027-03-27 03:00:00' }
  const dates = datesOf(soundly(['RRULE:FREQ=DAILY;COUNT=3'], first), first)
  assert.ok(dates.ok)
  assert.deepEqual(dates.dates[1], {
    recurrenceId: '2027-03-28 02:30:00',
    start: '2027-03-28 03:30:00',
    end: '2027-03-28 04:00:00',
    utcStart: '2027-03-28 01:30:00',
    utcEnd: '2027-03-28 02:00:00',
  })
})

test('all-day dates keep their number of days, over a change of clocks and a leap day', () => {
  const dates = datesOf(soundly(['RRULE:FREQ=MONTHLY;BYMONTHDAY=28;COUNT=4'], WHOLE_DAY), WHOLE_DAY)
  assert.ok(dates.ok)
  assert.deepEqual(
    dates.dates.map(({ start, end }) => [start, end]),
    [
      ['2027-01-05 00:00:00', '2027-01-06 23:59:59'],
      ['2027-01-28 00:00:00', '2027-01-29 23:59:59'],
      ['2027-02-28 00:00:00', '2027-03-01 23:59:59'],
      ['2027-03-28 00:00:00', '2027-03-29 23:59:59'],
    ],
  )
})

test('a rule without end gives dates to the horizon, and a limit of it where one is given', () => {
  const recurrence = soundly(['RRULE:FREQ=WEEKLY', 'EXDATE:20270112T180000', 'RDATE:20400101T180000'])
  assert.ok(isEndless(recurrence))
  const upTo = datesOf(recurrence, TUESDAY, { horizon: '2027-02-02 18:00:00' })
  const limited = datesOf(recurrence, TUESDAY, { limit: 2 })
  assert.ok(upTo.ok && limited.ok)
  assert.deepEqual([upTo.total, limited.total], [undefined, undefined])
  assert.deepEqual(
    [upTo.dates.length, upTo.dates.at(-1)?.start, limited.dates.length, limited.dates.at(-1)?.start],
    [4, '2027-02-02 18:00:00', 2, '2027-01-19 18:00:00'],
  )
})

test('the first date is told even where it lies beyond the horizon', () => {
  const dates = datesOf(soundly(['RRULE:FREQ=DAILY']), TUESDAY, { horizon: '2026-01-01 00:00:00' })
  assert.ok(dates.ok)
  assert.deepEqual(
    dates.dates.map(({ start }) => start),
    ['2027-01-05 18:00:00'],
  )
})

const NORMAL_FORMS: readonly (readonly [readonly string[], FirstDate, readonly string[]])[] = [
  [
    [
      'exdate:20270119T180000,20270112T180000,20270119T180000',
      'RRULE:WKST=MO;BYDAY=TH,TU;INTERVAL=1;COUNT=09;FREQ=weekly;',
    ],
    TUESDAY,
    ['RRULE:FREQ=WEEKLY;COUNT=9;BYDAY=TU,TH', 'EXDATE:20270112T180000,20270119T180000'],
  ],
  [
    ['RDATE;TZID=Europe/Berlin:20270301T180000', 'RDATE;TZID=Asia/Tokyo:20270401T090000', 'RDATE:20270501T170000Z'],
    TUESDAY,
    ['RDATE:20270301T180000', 'RDATE;TZID=Asia/Tokyo:20270401T090000', 'RDATE:20270501T170000Z'],
  ],
  [
    ['RRULE:FREQ=DAILY;UNTIL=20270201T225959Z;BYHOUR=9', 'EXDATE:20270107T090000,20270106'],
    WHOLE_DAY,
    ['RRULE:FREQ=DAILY;UNTIL=20270201', 'EXDATE;VALUE=DATE:20270106,20270107'],
  ],
  [
    [
      'RRULE:BYSETPOS=-1;BYMONTH=12,3;BYWEEKNO=-1,20;WKST=SU;FREQ=YEARLY;UNTIL=20400101T000000Z;BYDAY=FR,+SU'.replace(
        '+',
        '',
      ),
    ],
    TUESDAY,
    ['RRULE:FREQ=YEARLY;UNTIL=20400101T000000Z;BYDAY=FR,SU;BYWEEKNO=-1,20;BYMONTH=3,12;BYSETPOS=-1;WKST=SU'],
  ],
]

for (const [lines, first, expected] of NORMAL_FORMS) {
  test(`normal form: ${expected.join(' ')}`, () => {
    assert.deepEqual(writeRecurrence(soundly(lines, first), first), expected)
    assert.deepEqual(writeRecurrence(soundly(expected, first), first), expected)
  })
}

const PROBLEMS: readonly (readonly [readonly string[], string])[] = [
  [[], 'RRULE or RDATE is missing'],
  [['FREQ=DAILY'], 'FREQ is none of RRULE, RDATE, EXDATE'],
  [['RRULE:FREQ=DAILY', 'RRULE:FREQ=WEEKLY'], 'RRULE is given twice'],
  [['EXRULE:FREQ=DAILY'], 'EXRULE is none of RRULE, RDATE, EXDATE'],
  [['DTSTART:20270105T180000'], 'DTSTART is none of RRULE, RDATE, EXDATE'],
  [['RRULE:BYDAY=MO'], 'FREQ is missing'],
  [['RRULE:FREQ=FORTNIGHTLY'], 'FREQ is none of YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY, SECONDLY'],
  [['RRULE:FREQ=DAILY;BYEASTER=0'], 'BYEASTER is no part of a rule'],
  [['RRULE:FREQ=DAILY;COUNT=0'], 'COUNT is no whole number from 1 to 1000000000'],
  [['RRULE:FREQ=DAILY;COUNT=2;UNTIL=20280101'], 'UNTIL and COUNT exclude each other'],
  [
    ['RRULE:FREQ=DAILY;UNTIL=20280230'],
    'UNTIL is no date or time such as 20270630, 20270630T180000 or 20270630T160000Z',
  ],
  [['RRULE:FREQ=DAILY;UNTIL=20261231'], 'UNTIL lies before the start of the event'],
  [['RRULE:FREQ=DAILY;BYDAY=2MO'], 'BYDAY has a number, which is not for FREQ=DAILY'],
  [['RRULE:FREQ=MONTHLY;BYWEEKNO=3'], 'BYWEEKNO is for FREQ=YEARLY only'],
  [['RRULE:FREQ=YEARLY;BYMONTH=13'], 'BYMONTH has "13" where a number from 1 to 12 is expected'],
  [['RDATE:20270231'], 'RDATE has "20270231" where a date such as 20270630T180000 is expected'],
  [['RDATE:'], 'RDATE has "" where a date such as 20270630T180000 is expected'],
  [['RDATE:20261231T180000'], 'RDATE has a date before the start of the event'],
  [['EXDATE;TZID=Europe/Atlantis:20270105T180000'], 'EXDATE has a TZID that names no time zone'],
  [['RDATE;VALUE=PERIOD:20270110T180000Z/PT1H'], 'RDATE has a period, but every date is as long as the first one'],
  [['RRULE:FREQ=DAILY;COUNT=1', 'EXDATE:20270105T180000'], 'EXDATE leaves no date'],
  [['RRULE:FREQ=DAILY;COUNT=5001'], 'RRULE gives more than 5000 dates'],
  [['RRULE:FREQ=HOURLY'], 'RRULE gives more than 5000 dates'],
]

for (const [lines, expected] of PROBLEMS)
  test(`problem: ${lines.join(' ') || 'no line'}: ${expected}`, () => assert.equal(problemOf(lines), expected))

test('another calendar has a reason of its own', () => {
  assert.match(problemOf(['RRULE:RSCALE=GREGORIAN;FREQ=YEARLY']), /^RSCALE is not supported/)
  assert.match(problemOf(['RRULE:FREQ=MONTHLY;SKIP=FORWARD']), /^SKIP is not supported/)
})

test('all-day events recur by days at the shortest', () => {
  assert.equal(problemOf(['RRULE:FREQ=HOURLY;COUNT=3'], WHOLE_DAY), 'FREQ is HOURLY, which is not for all-day events')
})

test('5,000 dates are allowed', () => {
  assert.equal(starts(['RRULE:FREQ=DAILY;COUNT=5000'], TUESDAY, 5_000).length, 5_000)
})

const every = (count: number): string => Array.from({ length: count }, (_, at) => at).join()

const HOSTILE = [
  ...[
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
  ],
  ...[
    'FREQ=YEARLY;BYYEARDAY=366;INTERVAL=100',
    'FREQ=SECONDLY;INTERVAL=2;BYSECOND=1',
    'FREQ=MINUTELY;INTERVAL=1440;BYHOUR=5',
  ],
  ...[
    'FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6',
    'FREQ=YEARLY;BYDAY=53MO;BYSETPOS=366',
    'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2,4',
  ],
  `FREQ=DAILY;BYSETPOS=366;BYHOUR=${every(24)};BYMINUTE=${every(60)};BYSECOND=${every(60)}`,
]

for (const rule of HOSTILE) {
  test(`a rule that never comes is refused after bounded work: ${rule.slice(0, 60)}`, () => {
    for (const end of ['', ';COUNT=1', ';COUNT=3', ';UNTIL=20300101'])
      assert.match(problemOf([`RRULE:${rule}${end}`]), /^RRULE (gives no date|takes too much work)/)
  })
}

test('a rule that comes only after its end leaves the start', () => {
  for (const rule of ['FREQ=WEEKLY;BYDAY=MO;UNTIL=20270110', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;UNTIL=20271231'])
    assert.deepEqual(starts([`RRULE:${rule}`]), ['2027-01-05'])
  assert.deepEqual(starts(['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=1']), ['2027-01-05'])
})

for (const [rule, pauses] of [
  ['FREQ=DAILY;COUNT=5000', 15],
  ['FREQ=DAILY;UNTIL=20400101T000000Z', 15],
  ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 10],
  ['FREQ=SECONDLY;INTERVAL=2;BYSECOND=1', 10],
  ['FREQ=WEEKLY;COUNT=10', 0],
] as const) {
  test(`in steps the dates are the same, and long work pauses again and again: ${rule}`, async () => {
    const recurrence = soundly([`RRULE:${rule}`, 'EXDATE:20270106T180000'])
    let paused = 0
    const pause = async (): Promise<void> => {
      paused += 1
    }
    const limit = 5_000
    assert.deepEqual(await datesInSteps(recurrence, TUESDAY, { limit, pause }), datesOf(recurrence, TUESDAY, { limit }))
    assert.ok(paused >= pauses && (pauses > 0 || paused === 0), `${paused} pauses`)
  })
}

test('thousands of dates of another zone are read and written in steps, as they are at once', async () => {
  const dates = Array.from({ length: 5_000 }, (_, day) =>
    writeStamp({ seconds: 1_800_000_000 + day * 7_200, isUtc: false, isDate: false }),
  )
  const lines = [`RDATE;TZID=Asia/Tokyo:${dates.join()}`, `EXDATE;TZID=Asia/Tokyo:${dates.slice(1_000).join()}`]
  let paused = 0
  const pause = async (): Promise<void> => {
    paused += 1
  }
  const read = await inSteps(readingSteps(lines, TUESDAY), pause)
  assert.deepEqual(read, readRecurrence(lines, TUESDAY))
  assert.ok(read.ok)
  assert.ok(paused >= 30, `${paused} pauses`)
  paused = 0
  const written = await inSteps(writingSteps(read.recurrence, TUESDAY), pause)
  assert.deepEqual(written, writeRecurrence(read.recurrence, TUESDAY))
  assert.ok(paused >= 30, `${paused} pauses`)
})

/** The most that one period of a rule is looked at beyond the budget: the days of a year with all their parts. */
const PERIOD = 4_000

for (const rule of [
  ...HOSTILE,
  'FREQ=SECONDLY',
  'FREQ=DAILY',
  `FREQ=HOURLY;BYMINUTE=${every(60)};BYSECOND=${every(60)}`,
]) {
  test(`an expansion ends when its budget is spent: ${rule.slice(0, 60)}`, () => {
    const read = readRule(rule)
    assert.ok(read.ok)
    const budget = { left: WORK, isSpent: false }
    let dates = 0
    for (const _date of expandRule(read.rule, 1_800_000_000, budget)) dates += 1
    assert.ok(dates <= WORK && budget.left > -PERIOD, `${dates} dates, ${budget.left} left`)
  })
}
