import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BoundedMap } from './fragments.ts'

/** Which of some keys are kept; asked through the books, so that their order stays as it is. */
function filled(count: number, limit = 1000): BoundedMap<string, number> {
  const map = new BoundedMap<string, number>(limit)
  for (let number = 0; number < count; number += 1) map.put(String(number), number, 10)
  return map
}

test('what was used lately stays, and the rest goes in the order in which it came', () => {
  const map = filled(100)
  for (const key of ['3', '99']) assert.equal(map.get(key), Number(key))
  map.put('large', -1, 900)
  const kept = Array.from({ length: 100 }, (_none, number) => number).filter(
    (one) => map.get(String(one)) !== undefined,
  )
  // 99 was among the newest, where uses do not count, and is older than 3 now; both are newer than all others.
  assert.deepEqual(kept, [3, 91, 92, 93, 94, 95, 96, 97, 98, 99])
  assert.deepEqual(map.stats, { count: 11, size: 1000, evicted: 90 })
})

test('bytes that come later count, and can make others go', () => {
  const map = filled(10, 100)
  map.grow('9', 15)
  map.grow('gone', 1000)
  assert.deepEqual([map.get('0'), map.get('1'), map.get('2')], [undefined, undefined, 2])
  assert.deepEqual(map.stats, { count: 8, size: 95, evicted: 2 })
  map.remove('9')
  map.remove('9')
  assert.deepEqual(map.stats, { count: 7, size: 70, evicted: 2 })
})

test('what is larger than everything together is not kept, nor anything else then', () => {
  const map = filled(3, 100)
  map.put('large', 1, 101)
  assert.deepEqual(map.stats, { count: 0, size: 0, evicted: 4 })
})
