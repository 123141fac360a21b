import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import './support/draws.ts'

test('what a property draws is the same whenever a run is repeated', () => {
  const told = process.env['KALENDS_TEST_SEED'] ?? '20261120'
  const texts = fc.array(fc.string())
  assert.deepEqual(fc.sample(texts, 20), fc.sample(texts, { numRuns: 20, seed: Number(told) & 0x7fffffff }))
})
