import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { draws, SEED } from '../../../test/support/draws.ts'
import { daysAfter, lastDay } from '../dates.ts'
import { type MonthDay, type MonthWeek, monthGrid } from './month-grid.ts'

const FIRST = '2026-11-23'

function event(id: number, from: string, { days = 1, hour = 12, all_day = 0 } = {}) {
  const end = daysAfter(from, days - 1)
  return { id, start_local: `${from} ${hour}:00:00`, end_local: `${end} ${hour + 1}:00:00`, all_day }
}

const CALENDARS = fc.array(
  fc.record({
    start: fc.integer({ min: -12, max: 20 }),
    days: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 20 })),
    hour: fc.integer({ min: 10, max: 21 }),
    all_day: fc.constantFrom(0, 1),
  }),
  { maxLength: 60 },
)

function namedOn({ bars, long }: MonthWeek, { lines, hidden }: MonthDay, column: number) {
  const barred = bars.flat().filter((bar) => bar.column <= column && column < bar.column + bar.days)
  return { ids: [...barred.map(({ id }) => id), ...lines], long: long.map(({ id }) => id), hidden }
}

test('a month names everything of each day, or says how much more there is, which is never one', () => {
  const law = fc.property(CALENDARS, (drawn) => {
    const events = drawn
      .map(({ start, ...more }, id) => event(id + 1, daysAfter(FIRST, start), more))
      .sort((one, other) => (one.start_local < other.start_local ? -1 : 1))
    for (const week of monthGrid(events, { first: FIRST, weeks: 2 }))
      for (const [column, day] of week.days.entries()) {
        const there = events.filter((one) => one.start_local.slice(0, 10) <= day.day && lastDay(one) >= day.day)
        const { ids, long, hidden } = namedOn(week, day, column)
        const ofDay = there.filter(({ id }) => !long.includes(id))
        assert.equal(new Set(ids).size, ids.length, day.day)
        assert.equal(ids.length + hidden, ofDay.length, day.day)
        assert.notEqual(hidden, 1, day.day)
        assert.ok(ids.every((id) => there.some((one) => one.id === id)))
        assert.deepEqual(new Set([...day.own, ...day.long]), new Set(there.map(({ id }) => id)), day.day)
        const timed = ofDay.filter(({ all_day, start_local, ...one }) => {
          return all_day === 0 && lastDay({ start_local, ...one }) === start_local.slice(0, 10)
        })
        const named = timed.filter(({ id }) => day.lines.includes(id))
        assert.ok(named.length >= Math.min(4, timed.length), day.day)
      }
  })
  fc.assert(law, { numRuns: draws(1_000), seed: SEED })
})

test('what takes longer than a week has a line of its own, and a week has a bar', () => {
  const events = [event(1, '2026-11-24', { days: 7 }), event(2, '2026-11-24', { days: 8 })]
  const [week, next] = monthGrid(events, { first: FIRST, weeks: 2 })
  assert.deepEqual(week?.bars, [[{ id: 1, column: 1, days: 6, isFrom: false, isTo: true }]])
  assert.deepEqual(next?.bars, [[{ id: 1, column: 0, days: 1, isFrom: true, isTo: false }]])
  assert.deepEqual(
    week?.long.map(({ id }) => id),
    [2],
  )
})

test('five events of a day have five lines, and six have four and a way to the others', () => {
  const of = (count: number) =>
    monthGrid(
      Array.from({ length: count }, (_, index) => event(index + 1, FIRST, { hour: 10 + index })),
      { first: FIRST, weeks: 1 },
    )[0]?.days[0]
  assert.deepEqual([of(5)?.lines.length, of(5)?.hidden], [5, 0])
  assert.deepEqual([of(6)?.lines.length, of(6)?.hidden], [4, 2])
})
