import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { draws } from '../../../test/support/draws.ts'
import { Budget, type Draw, type SharedCounts } from './budget.ts'

const POLICY = { name: 'reads', count: 3, seconds: 60 }

function openBudget(most?: number): { budget: Budget; clock: { now: number } } {
  const clock = { now: 1_000_000_000 }
  return { budget: new Budget({ policy: POLICY, now: () => clock.now, ...(most && { most }) }), clock }
}

/** Counts that some budgets share, as the supervisor keeps them. */
function openCounts(): SharedCounts & { readonly keys: Map<string, number>; asked: number } {
  const keys = new Map<string, number>()
  const counts = {
    keys,
    asked: 0,
    add: async (key: string, points: number) => {
      counts.asked += 1
      const sum = (keys.get(key) ?? 0) + points
      keys.set(key, sum)
      return sum
    },
    forget: (key: string) => void keys.delete(key),
  }
  return counts
}

test('a client may do so much in a window, says how much is left, and is refused until the next one', async () => {
  const { budget, clock } = openBudget()
  const left = async (): Promise<[number, boolean]> => {
    const { left: rest, isRefused, seconds } = await budget.draw('a')
    assert.ok(seconds >= 1 && seconds <= 60)
    return [rest, isRefused]
  }
  const all = [await left(), await left(), await left(), await left(), await left()]
  assert.deepEqual(all, [
    [2, false],
    [1, false],
    [0, false],
    [0, true],
    [0, true],
  ])
  assert.equal((await budget.draw('b')).isRefused, false, 'another client pays')
  clock.now += ((await budget.draw('a')) as Draw).seconds * 1000
  assert.deepEqual(await left(), [2, false])
})

test('what is given back may be drawn again, and never makes more than the whole', async () => {
  const { budget } = openBudget()
  for (let turn = 0; turn < 3; turn += 1) await budget.draw('a')
  budget.giveBack('a')
  assert.equal((await budget.draw('a')).isRefused, false)
  assert.equal((await budget.draw('a')).isRefused, true)
  for (let turn = 0; turn < 9; turn += 1) budget.giveBack('a')
  assert.equal(budget.look('a').left, 3)
})

test('clients beyond a number are forgotten, the oldest first, and so are those whose window has ended', async () => {
  const { budget, clock } = openBudget(100)
  for (let number = 0; number < 10_000; number += 1) await budget.draw(`client ${number}`)
  assert.ok(budget.clients <= 100 && budget.clients > 80, String(budget.clients))
  assert.equal((await budget.draw('client 9999')).left, 1, 'one of the last is known')
  assert.equal((await budget.draw('client 1')).left, 2, 'the first is not')
  clock.now += 120_000
  for (let number = 0; number < 20; number += 1) await budget.draw(`late ${number}`)
  assert.ok(budget.clients <= 20, String(budget.clients))
})

test('processes that share counts allow together what one would, however the requests are spread', async () => {
  const plan = fc.record({
    count: fc.integer({ min: 1, max: 2000 }),
    drawers: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 300 }),
  })
  await fc.assert(
    fc.asyncProperty(plan, async ({ count, drawers }) => {
      const counts = openCounts()
      const policy = { ...POLICY, count }
      const budgets = [0, 1, 2].map(() => new Budget({ policy, now: () => 5, counts }))
      const draws = await Promise.all(drawers.map(async (number) => budgets[number]?.draw('a')))
      const allowed = draws.filter((draw) => draw?.isRefused === false).length
      assert.ok(allowed <= count, `${allowed} of ${count}`)
      // What a process has taken and not used is lost to the others: one portion each, and those who waited with it.
      if (drawers.length <= count / 2) assert.equal(allowed, drawers.length)
    }),
    { numRuns: draws(200) },
  )
})

test('a process asks for portions of what is shared, and for one at a time of little', async () => {
  const counts = openCounts()
  const large = new Budget({ policy: { ...POLICY, count: 20_000 }, now: () => 5, counts })
  for (let turn = 0; turn < 1000; turn += 1) await large.draw('a')
  assert.equal(counts.asked, 10)
  const small = new Budget({ policy: POLICY, now: () => 5, counts: openCounts() })
  const results = [await small.draw('a'), await small.draw('a'), await small.draw('a'), await small.draw('a')]
  assert.deepEqual(
    results.map(({ isRefused }) => isRefused),
    [false, false, false, true],
  )
})

test('clients that are forgotten are so where the counts are kept, too', async () => {
  const counts = openCounts()
  const budget = new Budget({ policy: POLICY, now: () => 5, counts, most: 10 })
  for (let number = 0; number < 500; number += 1) await budget.draw(`client ${number}`)
  assert.ok(counts.keys.size <= 10, String(counts.keys.size))
})

test('where nobody keeps the counts any more, nobody is refused', async () => {
  const counts = { add: () => Promise.reject(new Error('gone')), forget: () => undefined }
  const budget = new Budget({ policy: POLICY, now: () => 5, counts })
  for (let turn = 0; turn < 10; turn += 1) assert.equal((await budget.draw('a')).isRefused, false)
})
