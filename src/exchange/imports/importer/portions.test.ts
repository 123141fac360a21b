import assert from 'node:assert/strict'
import test from 'node:test'
import { calendar, event } from '../../../../test/support/icalendar-import.ts'
import type { Site } from '../../../model/site.ts'
import { readCalendar } from '../readers/icalendar/read-calendar.ts'
import { planEvent } from './plan-events.ts'
import type { PlannedEvent } from './planned.ts'
import { boundDates, portionsOf } from './portions.ts'

const NOW = Date.UTC(2026, 10, 20)
const HOLDING = { now: NOW, recurrenceYears: 5 }

function series(uid: string, count: number, ...more: readonly string[]): string[] {
  return event(uid, 'DTSTART:20270105T100000Z', `SUMMARY:${uid}`, `RRULE:FREQ=DAILY;COUNT=${count}`, ...more)
}

async function planned(...events: readonly (readonly string[])[]): Promise<readonly PlannedEvent[]> {
  const options = { zone: undefined, siteZone: 'UTC', now: NOW, recurrenceYears: 5 }
  const read = readCalendar('diary.ics', calendar(...events.flat()), options)
  const site = { host: 'calendar.example' } as Site
  const how = { file: 'diary.ics', site, status: 'publish', categories: [], same: new Map() } as const
  return read.events.map((one) => planEvent(one, how))
}

function titles(events: readonly PlannedEvent[]): string[] {
  return events.map(({ columns }) => columns.title)
}

test('series beyond the dates of a file are left out in its order, and what fits still comes', async () => {
  const events = await planned(series('a', 60), series('b', 50), event('c', 'DTSTART:20270105T100000Z', 'SUMMARY:c'))
  const more = await planned(series('d', 40), series('e', 1, 'RDATE:20270301T100000Z'))
  const {
    events: left,
    dates,
    skipped,
  } = await boundDates([...events, ...more], HOLDING, { stored: 102, counted: 500 })
  assert.deepEqual(
    [titles(left), [...dates.values()]],
    [
      ['a', 'c', 'd', 'e'],
      [60, 40, 2],
    ],
  )
  assert.deepEqual(
    skipped.map(({ what, why }) => [what, why.includes('import.problem.tooManyDates')]),
    [['diary.ics: line 11', true]],
  )
})

test('once very many dates were counted the further series are left out unseen', async () => {
  const events = await planned(series('a', 60), series('b', 60), series('c', 60), series('d', 5))
  const { events: left, skipped } = await boundDates(events, HOLDING, { stored: 70, counted: 150 })
  assert.deepEqual([titles(left), skipped.length], [['a'], 3])
})

test('a transaction writes at most 10,000 rows, unless a single series has more', async () => {
  const events = await planned(...[5000, 5000, 500, 500, 500].map((count, index) => series(`s${index}`, count)))
  const { dates } = await boundDates(events, HOLDING)
  assert.deepEqual(
    [...portionsOf(events, dates)].map((portion) => portion.length),
    [1, 1, 3],
  )
  const plain = Array.from({ length: 1000 }, () => ({}))
  const portions = [...portionsOf(plain, new Map())]
  assert.deepEqual([portions.flat().length, portions.every((one) => one.length < 200)], [1000, true])
  assert.deepEqual([...portionsOf([], new Map())], [])
})

test('of a small file of many long series 100,000 dates come', async () => {
  const events = await planned(...Array.from({ length: 22 }, (_none, index) => series(`s${index}`, 5000)))
  const { events: left, skipped } = await boundDates(events, HOLDING)
  assert.deepEqual([left.length, skipped.length], [20, 2])
  assert.match(skipped[0]?.why ?? '', /tooManyDates.*100000/)
})
