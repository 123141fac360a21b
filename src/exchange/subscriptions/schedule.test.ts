import assert from 'node:assert/strict'
import test from 'node:test'
import { type DueHost, SyncSchedule } from './schedule.ts'

/** A schedule whose syncs end when the test says so. */
function made(places: number) {
  const due: DueHost[] = []
  const begun: number[] = []
  const ends = new Map<number, (isWell: boolean) => void>()
  let freed = 0
  const schedule = new SyncSchedule({
    due: async () => due,
    visit: (id) => {
      begun.push(id)
      return new Promise((resolve) => ends.set(id, resolve))
    },
    freed: () => {
      freed += 1
    },
    places,
  })
  const end = async (id: number, isWell = true): Promise<void> => {
    ends.get(id)?.(isWell)
    // What follows from it is done by then.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { schedule, due, begun, end, freed: () => freed }
}

test('what becomes due while a visit goes on begins as soon as a place is free', async () => {
  const { schedule, due, begun, end, freed } = made(2)
  due.push({ host: 'slow', ids: [1] }, { host: 'quick', ids: [2] })
  await schedule.begin(undefined)
  due.push({ host: 'next', ids: [3] })
  await schedule.begin(undefined)
  assert.deepEqual([begun, freed()], [[1, 2], 0])
  await end(2)
  assert.equal(freed(), 1)
  due.splice(1, 1)
  await schedule.begin(undefined)
  assert.deepEqual(begun, [1, 2, 3])
  await Promise.all([end(1), end(3)])
  await schedule.ended()
})

test('a host is asked for one of its calendars after the other, and nothing begins once that is to end', async () => {
  const { schedule, due, begun, end } = made(3)
  due.push({ host: 'one', ids: [1, 2, 3] })
  const ending = new AbortController()
  await schedule.begin(ending.signal)
  await schedule.begin(ending.signal)
  assert.deepEqual(begun, [1])
  await end(1)
  assert.deepEqual(begun, [1, 2])
  ending.abort()
  await end(2)
  await schedule.begin(ending.signal)
  await schedule.ended()
  assert.deepEqual(begun, [1, 2])
})

test('what went wrong in an unexpected way waits for the next look', async () => {
  const { schedule, due, begun, end, freed } = made(2)
  due.push({ host: 'broken', ids: [1] })
  const all = schedule.all(undefined)
  await new Promise((resolve) => setImmediate(resolve))
  await end(1, false)
  await all
  assert.deepEqual([begun, freed()], [[1], 0])
})
