import assert from 'node:assert/strict'
import test from 'node:test'
import { Budget } from './budget.ts'

const POLICY = { name: 'reads', count: 3, seconds: 60 }

function openBudget(most?: number): { budget: Budget; clock: { now: number } } {
  const clock = { now: 1_000_000_000 }
  return { budget: new Budget({ policy: POLICY, now: () => clock.now, ...(most && { most }) }), clock }
}

test('a client may do so much in a window, says how much is left, and is refused until the next one', () => {
  const { budget, clock } = openBudget()
  const left = (): [number, boolean] => {
    const { left: rest, isRefused, seconds } = budget.draw('a')
    assert.ok(seconds >= 1 && seconds <= 60)
    return [rest, isRefused]
  }
  const all = [left(), left(), left(), left(), left()]
  assert.deepEqual(all, [
    [2, false],
    [1, false],
    [0, false],
    [0, true],
    [0, true],
  ])
  assert.equal(budget.draw('b').isRefused, false, 'another client pays')
  clock.now += budget.draw('a').seconds * 1000
  assert.deepEqual(left(), [2, false])
})

test('what is given back may be drawn again, and never makes more than the whole', () => {
  const { budget } = openBudget()
  for (let turn = 0; turn < 3; turn += 1) budget.draw('a')
  budget.giveBack('a')
  assert.equal(budget.draw('a').isRefused, false)
  assert.equal(budget.draw('a').isRefused, true)
  for (let turn = 0; turn < 9; turn += 1) budget.giveBack('a')
  assert.equal(budget.look('a').left, 3)
})

test('clients beyond a number are forgotten, the oldest first, and so are those whose window has ended', () => {
  const { budget, clock } = openBudget(100)
  for (let number = 0; number < 10_000; number += 1) budget.draw(`client ${number}`)
  assert.ok(budget.clients <= 100 && budget.clients > 80, String(budget.clients))
  assert.equal(budget.draw('client 9999').left, 1, 'one of the last is known')
  assert.equal(budget.draw('client 1').left, 2, 'the first is not')
  clock.now += 120_000
  for (let number = 0; number < 20; number += 1) budget.draw(`late ${number}`)
  assert.ok(budget.clients <= 20, String(budget.clients))
})

test('several are drawn at once or not at all, and a refusal leaves nothing', () => {
  const { budget } = openBudget()
  assert.deepEqual([budget.draw('a', 2).isRefused, budget.look('a').left], [false, 1])
  assert.deepEqual([budget.draw('a', 2).isRefused, budget.look('a').left], [true, 0])
})
