import assert from 'node:assert/strict'
import test from 'node:test'
import { BoundedKeys } from './bounded-keys.ts'

test('keys are remembered for a time, and a bounded number of them, the last ones', () => {
  const clock = { now: 0 }
  const keys = new BoundedKeys({ now: () => clock.now, keepFor: 1000 })
  keys.add('a')
  assert.ok(keys.has('a') && !keys.has('b'))
  clock.now = 1000
  assert.ok(!keys.has('a'))
  for (let number = 0; number < 100_000; number += 1) keys.add(String(number))
  assert.ok(keys.size <= 20_000)
  assert.ok(keys.has('99999') && keys.has('90000') && !keys.has('1'))
  keys.delete('99999')
  assert.ok(!keys.has('99999'))
})
