import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { draws } from '../../../../test/support/draws.ts'
import { writeClock } from '../clock.ts'
import { toLocal, toUtc } from '../zones.ts'
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

/** Dates that are looked at. */
const MANY = 60

function startsFrom(recurrence: Recurrence, first: FirstDate): string[] {
  const dates = datesOf(recurrence, first, { limit: MANY })
  return dates.ok ? dates.dates.map(({ recurrenceId }) => recurrenceId) : []
}

function startsOf(recurrence: Recurrence, start = FIRST.start): string[] {
  return startsFrom(recurrence, { ...FIRST, start, end: start })
}

/** Where a date starts on the clock, which may skip what its rule says. */
function shownStart({ zone }: FirstDate, start: string): string {
  return toLocal(toUtc(start, zone), zone)
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

test('at an added date the rule keeps its own days, also with an INTERVAL', () => {
  const at = '2027-01-15 18:00:00'
  const weekly = recurrenceOf(['RRULE:FREQ=WEEKLY;COUNT=4', 'RDATE:20270115T180000'])
  const divided = divideRecurrence(weekly, FIRST, at)
  assert.deepEqual([divided.begin, divided.after.rule?.count], [at, 3])
  assert.deepEqual(startsOf(divided.after, at).slice(1), startsOf(weekly).slice(3))
  // In a week that INTERVAL comes to, the rule continues from there; in another one from its last date before.
  const fortnightly = (date: string) => recurrenceOf(['RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=5', `RDATE:${date}T180000`])
  const onBeat = divideRecurrence(fortnightly('20270120'), FIRST, '2027-01-20 18:00:00')
  assert.deepEqual([onBeat.begin, onBeat.after.rule?.count], ['2027-01-20 18:00:00', 4])
  const offBeat = divideRecurrence(fortnightly('20270115'), FIRST, at)
  assert.equal(offBeat.begin, '2027-01-05 18:00:00')
  assert.deepEqual(writeRecurrence(offBeat.after, FIRST), [
    'RRULE:FREQ=WEEKLY;COUNT=5;INTERVAL=2',
    'RDATE:20270115T180000',
    'EXDATE:20270105T180000',
  ])
})

/** A first date, and lines that may go with it. */
interface Kind {
  readonly first: FirstDate
  readonly rules: readonly string[]
  /** Dates to add or exclude: `rules` may give them or not. */
  readonly listed: readonly string[]
}

const DAYS = ['MONTHLY', 'MONTHLY;BYDAY=-1FR', 'MONTHLY;INTERVAL=2;BYMONTHDAY=1,-1', 'YEARLY;BYMONTH=1,6'].concat(
  ...['YEARLY;INTERVAL=2;BYDAY=1MO,-1SU', 'MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'YEARLY;BYWEEKNO=1,20'],
  ...[
    'MONTHLY;INTERVAL=3;BYDAY=MO,TU,WE;BYSETPOS=2,-2',
    'DAILY;INTERVAL=3',
    'WEEKLY',
    'WEEKLY;BYDAY=MO,TU,SA',
    'DAILY',
  ],
  ...['WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU', 'WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO', 'WEEKLY;INTERVAL=3'],
)

const KINDS: readonly Kind[] = [
  {
    first: FIRST,
    rules: [...DAYS, 'HOURLY;INTERVAL=5', 'DAILY;BYHOUR=9,18;INTERVAL=3', 'MINUTELY;INTERVAL=1000'],
    listed: ['20270106T180000', '20270112T180000', '20270115T093000', '20270119T180000', '20270202T180000'].concat(
      ...['20270208T110000', '20270301T180000', '20280229T180000', '20290101T000000'],
    ),
  },
  {
    // An hour before the clocks go forward.
    first: { ...FIRST, start: '2027-03-28 01:30:00', end: '2027-03-28 01:40:00' },
    rules: [
      'HOURLY',
      'HOURLY;INTERVAL=2',
      'MINUTELY;INTERVAL=20',
      'MINUTELY;INTERVAL=45',
      'DAILY;BYHOUR=2,3',
      'YEARLY',
    ],
    listed: ['20270328T020000', '20270328T023000', '20270328T025959', '20270328T030000', '20270328T033000'],
  },
  {
    // The 30th of December 2011 did not take place.
    first: { start: '2011-12-28 09:00:00', end: '2011-12-28 10:00:00', zone: 'Pacific/Apia', isAllDay: false },
    rules: ['DAILY', 'DAILY;INTERVAL=2', 'WEEKLY;BYDAY=WE,FR,SA', 'MONTHLY', 'DAILY;INTERVAL=3'],
    listed: ['20111229T090000', '20111230T090000', '20111230T120000', '20111231T090000', '20111231T120000'],
  },
  {
    first: { start: '2027-01-05 00:00:00', end: '2027-01-06 23:59:59', zone: 'Europe/Berlin', isAllDay: true },
    rules: DAYS,
    listed: ['20270106', '20270112', '20270113', '20270119', '20270202', '20270328', '20280229'],
  },
]

const END = fc.constantFrom('', ';COUNT=2', ';COUNT=23', ';UNTIL=20270329T033000Z', ';UNTIL=20280630')

/** Lines of a recurrence of a kind. */
function linesOf({ first, rules, listed }: Kind): fc.Arbitrary<readonly string[]> {
  const some = fc.subarray([...listed], { maxLength: 4 })
  const type = first.isAllDay ? ';VALUE=DATE' : ''
  const dates = (name: string, all: readonly string[]): string[] => (all.length > 0 ? [`${name}${type}:${all}`] : [])
  return fc
    .tuple(fc.constantFrom(...rules), END, some, some)
    .map(([rule, end, added, excluded]) => [
      `RRULE:FREQ=${rule}${end}`,
      ...dates('RDATE', added),
      ...dates('EXDATE', excluded),
    ])
}

test('both parts together are the whole, for rules, dates and ends of every kind and every place', () => {
  const kinds = fc.constantFrom(...KINDS).chain((kind) => fc.tuple(fc.constant(kind.first), linesOf(kind)))
  const seen = { itself: 0, earlier: 0, added: 0 }
  fc.assert(
    fc.property(kinds, fc.nat(), ([first, lines], place) => {
      const read = readRecurrence(lines, first)
      if (!read.ok) throw new Error(`${read.problem.part} ${read.problem.reason}`)
      const whole = startsFrom(read.recurrence, first)
      const later = whole.filter((start) => start > first.start)
      if (later.length === 0) return
      const at = later[place % later.length] as string
      const { before, after, begin } = divideRecurrence(read.recurrence, first, at)
      const begun = shownStart(first, begin)
      const rest = startsFrom(after, { ...first, start: begun, end: begun })
      if (begin === at) {
        // It has a name of its own where the clock skips what the rule says.
        assert.equal(rest[0], begun)
        rest[0] = at
      }
      assert.deepEqual([...startsFrom(before, first), ...rest].slice(0, MANY), whole)
      seen[begin === at ? 'itself' : 'earlier'] += 1
      if (read.recurrence.added.some(({ seconds }) => writeClock(seconds) === at)) seen.added += 1
    }),
    { numRuns: draws(20_000, 1000) },
  )
  for (const [name, times] of Object.entries(seen)) assert.ok(times > draws(20, 0), `${name} ${times}`)
})
