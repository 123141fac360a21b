import assert from 'node:assert/strict'
import test from 'node:test'
import { limitFields } from './client-limits.ts'

const READS = { name: 'reads', count: 10, seconds: 60 }
const COSTLY = { name: 'costly-reads', count: 2, seconds: 60 }

test('fields name each policy once, with the least that is left', () => {
  assert.deepEqual(limitFields([]), {})
  assert.deepEqual(limitFields([{ policy: READS, isRefused: false, left: 9, seconds: 41 }]), {
    'ratelimit-policy': '"reads";q=10;w=60',
    ratelimit: '"reads";r=9;t=41',
  })
  const several = [
    { policy: READS, isRefused: false, left: 9, seconds: 41 },
    { policy: READS, isRefused: false, left: 3, seconds: 7 },
    { policy: COSTLY, isRefused: true, left: 0, seconds: 12 },
  ]
  assert.deepEqual(limitFields(several), {
    'ratelimit-policy': '"reads";q=10;w=60, "costly-reads";q=2;w=60',
    ratelimit: '"reads";r=3;t=7, "costly-reads";r=0;t=12',
  })
})
