import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, percentile, quotients, spreadOf } from './statistics.ts'

test('the median is the middle number, or the mean of the two in the middle', () => {
  assert.equal(median([9, 1, 5]), 5)
  assert.equal(median([4, 1, 2, 10]), 3)
  assert.throws(() => median([]), RangeError)
})

test('a percentile is a number that occurred, and no smaller one covers the share', () => {
  const hundred = Array.from({ length: 100 }, (_none, index) => 100 - index)
  assert.deepEqual([percentile(hundred, 0.99), percentile(hundred, 0.5), percentile(hundred, 0)], [99, 50, 1])
  assert.equal(percentile([7], 0.99), 7)
  assert.throws(() => percentile([], 0.5), RangeError)
})

test('a spread has the median, the least and the most; no numbers have none', () => {
  assert.deepEqual(spreadOf([3, 1, 2]), { median: 2, least: 1, most: 3 })
  assert.equal(spreadOf([]), undefined)
})

test('quotients pair the numbers of the same round and leave out rounds that one of the two lacks', () => {
  assert.deepEqual(quotients([10, 20, 30], [2, 5]), [5, 4])
})
