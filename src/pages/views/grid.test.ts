import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GridDay, gridOf } from './grid.ts'

const MONDAY = '2026-11-23'

/** An event by its days, at noon. */
function event(id: number, from: string, to = from) {
  const [start_local, end_local] = [`${from} 12:00:00`, `${to} 13:00:00`]
  return { id, start_local, end_local, all_day: 0 as const }
}

/** The days of a week as `1 2 +3`: what is shown, `.` for a gap, and how many are not. */
function week(events: Parameters<typeof gridOf>[0]): readonly string[] {
  const [days = []] = gridOf(events, { first: MONDAY, weeks: 1, most: 3 })
  const textOf = ({ slots, hidden }: GridDay): string =>
    [...slots.map((slot) => (slot.kind === 'gap' ? '.' : String(slot.id))), ...(hidden > 0 ? [`+${hidden}`] : [])].join(
      ' ',
    )
  return days.map(textOf)
}

test('three events of a week fill it, unless there is something on one day only', () => {
  const long = [1, 2, 3].map((id) => event(id, '2026-11-20', '2026-12-05'))
  assert.deepEqual(week(long), Array(7).fill('1 2 3'))
  assert.deepEqual(week([...long, event(4, '2026-11-25')]), [
    ...['1 2 +1', '1 2 +1', '1 2 4 +1', '1 2 +1', '1 2 +1', '1 2 +1', '1 2 +1'],
  ])
})

test('a bar keeps its place below the end of another one', () => {
  const bars = [event(1, MONDAY, '2026-11-24'), event(2, '2026-11-24', '2026-11-25'), event(3, '2026-11-25')]
  assert.deepEqual(week(bars), ['1', '1 2', '. 2 3', '', '', '', ''])
})

test('a bar says how many days of the week it takes from each of its days on', () => {
  const events = [event(1, '2026-11-20', '2026-11-24'), event(2, '2026-11-26', '2026-12-05')]
  const weeks = gridOf(events, { first: MONDAY, weeks: 2, most: 3 })
  const named = weeks
    .flat()
    .flatMap(({ day, slots }) =>
      slots.flatMap((slot) =>
        slot.kind === 'bar' && slot.isNamed ? [`${day.slice(5)}: ${slot.id} for ${slot.days}`] : [],
      ),
    )
  assert.deepEqual(named, ['11-23: 1 for 2', '11-26: 2 for 4', '11-30: 2 for 6'])
})
