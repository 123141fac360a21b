import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joined } from './send-buffers.ts'

const parts = (...texts: string[]): Buffer[] => texts.map((text) => Buffer.from(text))

test('bytes that are being sent are nobody else’s, and their memory is used again when they are given back', () => {
  const one = joined(parts('a', 'bc'))
  const other = joined(parts('def', 'g'))
  assert.deepEqual([String(one.bytes), String(other.bytes)], ['abc', 'defg'])
  assert.notEqual(one.bytes.buffer, other.bytes.buffer)
  one.release?.()
  const next = joined(parts('h', 'i'))
  assert.equal(next.bytes.buffer, one.bytes.buffer)
  assert.deepEqual([String(next.bytes), String(other.bytes)], ['hi', 'defg'])
  for (const { release } of [other, next]) release?.()
})

test('where many bodies are read slowly each has no more memory than it needs', () => {
  const slow = Array.from({ length: 100 }, () => joined([Buffer.alloc(40_000), Buffer.alloc(40_000)]))
  assert.ok(slow.slice(50).every(({ bytes }) => bytes.buffer.byteLength === 80_000))
  for (const { release } of slow) release?.()
  const { release } = joined(parts('a', 'b'))
  assert.ok(release)
  release()
})

test('a single part is sent as it is, and a large body has memory of its own', () => {
  const [part = Buffer.of()] = parts('whole')
  assert.deepEqual(joined([part]), { bytes: part })
  const large = joined([Buffer.alloc(100_000, 'a'), Buffer.alloc(100_000, 'b')])
  assert.equal(large.release, undefined)
  assert.equal(large.bytes.length, 200_000)
  assert.equal(String(large.bytes.subarray(99_999, 100_001)), 'ab')
})
