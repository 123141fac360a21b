import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Place } from '../../journal/entry.ts'
import { type Area, Moves } from './moves.ts'

const DECEMBER: Area = {
  startFrom: '2026-12-01 00:00:00',
  endBefore: '2027-01-01 00:00:00',
  targets: [],
  isOpen: false,
}
const IN: Place = {
  start: '2026-12-05 10:00:00',
  end: '2026-12-05 12:00:00',
  published: '2026-11-01 09:00:00',
  targets: [],
}
const OUT: Place = { ...IN, start: '2026-11-30 23:59:59' }

/** Whether a list is the same after a move. */
function spares(area: Area, before: Place | undefined, after: Place | undefined): boolean {
  const moves = new Moves()
  moves.add({ before, after })
  return moves.haveSpared(area, 0)
}

test('a list changes when an event comes or goes, or takes another place in it', () => {
  const cases: [Place | undefined, Place | undefined, boolean][] = [
    [undefined, IN, false],
    [IN, undefined, false],
    [OUT, IN, false],
    [IN, OUT, false],
    [IN, { ...IN, start: '2026-12-05 09:00:00' }, false],
    [IN, { ...IN, published: '2026-11-01 09:00:01' }, false],
    [IN, { ...IN, end: '2027-01-01 00:00:00' }, false],
    [IN, { ...IN, end: '2026-12-31 23:59:59' }, true],
    [IN, { ...IN, targets: ['1:5'] }, true],
    [OUT, { ...OUT, end: '2026-12-01 00:00:00' }, true],
    [undefined, OUT, true],
    [undefined, undefined, true],
  ]
  for (const [before, after, isSame] of cases)
    assert.equal(spares(DECEMBER, before, after), isSame, JSON.stringify([before, after]))
})

test('a list of certain targets changes with events that have one of each group', () => {
  const area: Area = { targets: [['3:1', '3:2'], ['1:5']], isOpen: false }
  const having = (...targets: string[]): Place => ({ ...IN, targets })
  assert.equal(spares(area, undefined, having('3:2', '1:5')), false)
  assert.equal(spares(area, undefined, having('3:2', '3:1')), true)
  assert.equal(spares(area, having('3:1', '1:5'), having('3:1', '1:6')), false)
  assert.equal(spares(area, having('3:1', '1:5'), having('3:2', '1:5', '4:1')), true)
})

test('a list that asks for more than dates and targets changes with each write of an event within them', () => {
  const area: Area = { ...DECEMBER, isOpen: true }
  assert.deepEqual([spares(area, IN, IN), spares(area, OUT, OUT)], [false, true])
})

test('what nobody knows, and what was too long ago, may have changed any list', () => {
  const moves = new Moves()
  const add = (count: number): void => {
    for (let turn = 0; turn < count; turn += 1) moves.add({ before: OUT, after: OUT })
  }
  moves.add(undefined)
  assert.equal(moves.haveSpared(DECEMBER, 0), false)
  add(1000)
  assert.deepEqual([moves.haveSpared(DECEMBER, 0), moves.haveSpared(DECEMBER, 1)], [false, true])
  add(1)
  assert.deepEqual([moves.haveSpared(DECEMBER, 1), moves.haveSpared(DECEMBER, 2)], [false, true])
})
