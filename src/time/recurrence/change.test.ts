import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { divideRecurrence, excludeDate, includeDate } from './change.ts'
import { datesOf } from './dates.ts'
import { type FirstDate, type Recurrence, readRecurrence } from './lines.ts'
import { writeRecurrence } from './write.ts'

const FIRST: FirstDate = {
  start: '2027-01-05 18:00:00',
  end: '2027-01-05 19:30:00',
  zone: 'Europe/Berlin',
  isAllDay: false,
}

function recurrenceOf(lines: readonly string[]): Recurrence {
  const read = readRecurrence(lines, FIRST)
  if (!read.ok) throw new Error(`${read.problem.part} ${read.problem.reason}`)
  return read.recurrence
}

function startsOf(recurrence: Recurrence, start = FIRST.start): string[] {
  const dates = datesOf(recurrence, { ...FIRST, start, end: start }, { limit: 60 })
  return dates.ok ? dates.dates.map(({ recurrenceId }) => recurrenceId) : []
}

test('a date that is excluded is gone, and comes back when it is included', () => {
  const weekly = recurrenceOf(['RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20270119T180000'])
  const fewer = excludeDate(weekly, '2027-01-12 18:00:00')
  assert.deepEqual(startsOf(fewer), ['2027-01-05 18:00:00'])
  assert.deepEqual(writeRecurrence(fewer, FIRST)[1], 'EXDATE:20270112T180000,20270119T180000')
  assert.deepEqual(includeDate(fewer, '2027-01-12 18:00:00'), weekly)
  assert.deepEqual(excludeDate(fewer, '2027-01-12 18:00:00'), fewer)
})

test('COUNT is divided, UNTIL ends the first part, lists go where they belong', () => {
  const lines = ['RDATE:20270106T180000,20270301T180000', 'EXDATE:20270112T180000,20270126T180000']
  const counted = divideRecurrence(recurrenceOf(['RRULE:FREQ=WEEKLY;COUNT=6', ...lines]), FIRST, '2027-01-19 18:00:00')
  const endless = divideRecurrence(recurrenceOf(['RRULE:FREQ=WEEKLY']), FIRST, '2027-01-19 18:00:00')
  assert.ok(counted && endless)
  assert.deepEqual(
    [counted.before, counted.after, endless.before, endless.after].map((part) => writeRecurrence(part, FIRST)),
    [
      ['RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:20270106T180000', 'EXDATE:20270112T180000'],
      ['RRULE:FREQ=WEEKLY;COUNT=4', 'RDATE:20270301T180000', 'EXDATE:20270126T180000'],
      ['RRULE:FREQ=WEEKLY;UNTIL=20270119T165959Z'],
      ['RRULE:FREQ=WEEKLY'],
    ],
  )
})

test('at an added date the rule keeps its own days, unless an INTERVAL forbids it', () => {
  const weekly = recurrenceOf(['RRULE:FREQ=WEEKLY;COUNT=4', 'RDATE:20270115T180000'])
  const divided = divideRecurrence(weekly, FIRST, '2027-01-15 18:00:00')
  assert.ok(divided)
  assert.deepEqual(startsOf(divided.after, '2027-01-15 18:00:00').slice(1), startsOf(weekly).slice(3))
  const fortnightly = recurrenceOf(['RRULE:FREQ=WEEKLY;INTERVAL=2', 'RDATE:20270115T180000'])
  assert.equal(divideRecurrence(fortnightly, FIRST, '2027-01-15 18:00:00'), undefined)
})

test('both parts together are the whole, for rules of every kind and every place', () => {
  const rule = fc.constantFrom(
    ...['FREQ=DAILY', 'FREQ=WEEKLY;BYDAY=MO,TU,SA', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU', 'FREQ=MONTHLY'],
    ...[
      'FREQ=MONTHLY;BYDAY=-1FR',
      'FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=1,-1',
      'FREQ=YEARLY;BYMONTH=1,6',
      'FREQ=HOURLY;INTERVAL=5',
    ],
    ...[
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      'FREQ=YEARLY;BYWEEKNO=1,20',
      'FREQ=DAILY;BYHOUR=9,18;INTERVAL=3',
    ],
  )
  const end = fc.constantFrom('', ';COUNT=23', ';UNTIL=20280630T120000Z', ';UNTIL=20280630')
  fc.assert(
    fc.property(rule, end, fc.nat(), (text, until, place) => {
      const recurrence = recurrenceOf([`RRULE:${text}${until}`, 'EXDATE:20270202T180000'])
      const all = startsOf(recurrence)
      const at = all[1 + (place % (all.length - 1))] as string
      const divided = divideRecurrence(recurrence, FIRST, at)
      assert.ok(divided)
      const both = [...startsOf(divided.before), ...startsOf(divided.after, at)]
      assert.deepEqual(both.slice(0, all.length), all)
    }),
    { numRuns: 300 },
  )
})
