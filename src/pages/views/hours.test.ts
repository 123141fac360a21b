import assert from 'node:assert/strict'
import test from 'node:test'
import { toUtc } from '../../base/time/zones.ts'
import { daysAfter } from '../dates.ts'
import { dayClock } from './day-clock.ts'
import { hourGrid, type TimedEvent } from './hours.ts'

const BERLIN = 'Europe/Berlin'

let ids = 0

function event(start: string, end: string, more: Partial<TimedEvent> = {}): TimedEvent {
  ids += 1
  const timezone = more.timezone ?? 'UTC'
  const [start_local, end_local] = [`${start}:00`, `${end}:00`]
  const instants = { start_utc: toUtc(start_local, timezone), end_utc: toUtc(end_local, timezone) }
  return { id: ids, start_local, end_local, ...instants, timezone, all_day: 0, ...more }
}

function gridFrom(first: string, events: readonly TimedEvent[], { zone = 'UTC', count = 7, lanes = 3 } = {}) {
  const days = Array.from({ length: count }, (_, index) => daysAfter(first, index))
  return hourGrid(events, { days, clocks: days.map((day) => dayClock(day, zone)), lanes, bars: 4 })
}

test('overlapping events share the width of their group, and those after them have all of it', () => {
  const events = [
    event('2026-11-23 10:00', '2026-11-23 12:00'),
    event('2026-11-23 10:15', '2026-11-23 11:00'),
    event('2026-11-23 11:00', '2026-11-23 12:30'),
    event('2026-11-23 13:00', '2026-11-23 14:00'),
  ]
  const [monday] = gridFrom('2026-11-23', events).days
  assert.deepEqual(
    monday?.blocks.map(({ from, to, lane, lanes }) => [from / 60, to / 60, lane, lanes]),
    [
      [10, 12, 0, 2],
      [10.25, 11, 1, 2],
      [11, 12.5, 1, 2],
      [13, 14, 0, 1],
    ],
  )
})

test('no two blocks of one lane overlap, and what has no lane is left to the agenda', () => {
  const events = Array.from({ length: 20 }, (_, index) =>
    event(`2026-11-23 10:${String(index).padStart(2, '0')}`, `2026-11-23 ${11 + (index % 5)}:00`),
  )
  const blocks = gridFrom('2026-11-23', events).days[0]?.blocks ?? []
  assert.equal(blocks.length, 20)
  assert.equal(blocks.filter(({ isLate }) => !isLate).length, 3)
  for (const one of blocks) {
    const same = blocks.filter((other) => other !== one && other.lane === one.lane)
    assert.ok(same.every((other) => other.to <= one.from || other.from >= one.to))
  }
})

test('a night stays in its evening, so that one that began before the first day is not of that day', () => {
  const night = event('2026-11-24 22:00', '2026-11-25 03:00')
  const before = event('2026-11-22 22:00', '2026-11-23 03:00')
  const grid = gridFrom('2026-11-23', [before, night])
  assert.deepEqual(
    grid.days.map(({ blocks, bars }) => [blocks.length, bars.length]),
    [[0, 0], [1, 0], ...Array.from({ length: 5 }, () => [0, 0])],
  )
  assert.deepEqual([grid.days[1]?.blocks[0]?.from, grid.days[1]?.blocks[0]?.to], [22 * 60, 24 * 60])
})

test('whole days and several days stand above the hours, on each of their days', () => {
  const fair = event('2026-11-24 00:00', '2026-11-26 23:59', { all_day: 1 })
  const camp = event('2026-11-20 18:00', '2026-11-23 12:00')
  const grid = gridFrom('2026-11-23', [camp, fair])
  assert.deepEqual(
    grid.days.map(({ bars }) => bars.length),
    [1, 1, 1, 1, 0, 0, 0],
  )
  assert.equal(grid.days.flatMap(({ blocks }) => blocks).length, 0)
})

test('a short event has room for its name, also at the end of the day', () => {
  const grid = gridFrom('2026-11-23', [
    event('2026-11-23 09:00', '2026-11-23 09:00'),
    event('2026-11-23 23:50', '2026-11-23 23:55'),
  ])
  assert.deepEqual(
    grid.days[0]?.blocks.map(({ from, to }) => [from, to]),
    [
      [540, 585],
      [1395, 1440],
    ],
  )
  assert.deepEqual(grid.shown, { from: 480, to: 1440 })
})

test('a day of 25 hours has an hour twice, and the other days leave it out', () => {
  assert.deepEqual(dayClock('2026-10-25', BERLIN), { twice: { from: 120, to: 180 } })
  const walk = event('2026-10-25 01:00', '2026-10-25 04:00', { timezone: BERLIN })
  const late = event('2026-10-25 02:30', '2026-10-25 02:45', {
    timezone: BERLIN,
    ...{ start_utc: '2026-10-25 01:30:00', end_utc: '2026-10-25 01:45:00' },
  })
  const saturday = event('2026-10-24 01:00', '2026-10-24 03:00', { timezone: BERLIN })
  const grid = gridFrom('2026-10-19', [saturday, walk, late], { zone: BERLIN })
  const [, , , , , before, sunday] = grid.days
  assert.deepEqual([before?.blocks[0]?.from, before?.blocks[0]?.to], [60, 180])
  assert.deepEqual(before?.missing, { from: 180, to: 240 })
  assert.equal(sunday?.missing, undefined)
  assert.deepEqual(
    sunday?.blocks.map(({ from, to }) => [from, to]),
    [
      [60, 300],
      [210, 255],
    ],
  )
  assert.deepEqual(
    grid.marks.slice(0, 4).map(({ at, label }) => [at, label]),
    [
      [60, '01:00'],
      [120, '02:00'],
      [180, '02:00'],
      [240, '03:00'],
    ],
  )
})

test('a day of 23 hours marks the hour that it does not have', () => {
  assert.deepEqual(dayClock('2026-03-29', BERLIN), { skipped: { from: 120, to: 180 } })
  const walk = event('2026-03-29 01:00', '2026-03-29 04:00', { timezone: BERLIN })
  const grid = gridFrom('2026-03-23', [walk], { zone: BERLIN })
  assert.deepEqual(grid.days[6]?.missing, { from: 120, to: 180 })
  assert.equal(grid.days[5]?.missing, undefined)
  assert.deepEqual([grid.days[6]?.blocks[0]?.from, grid.days[6]?.blocks[0]?.to], [60, 240])
})

test('clocks that change at midnight or by half an hour are read right', () => {
  assert.deepEqual(dayClock('2026-09-06', 'America/Santiago'), { skipped: { from: 0, to: 60 } })
  assert.deepEqual(dayClock('2026-04-04', 'America/Santiago'), { twice: { from: 1380, to: 1440 } })
  assert.deepEqual(dayClock('2026-04-05', 'Australia/Lord_Howe'), { twice: { from: 90, to: 120 } })
  assert.deepEqual(dayClock('2026-04-05', 'UTC+3'), {})
})
