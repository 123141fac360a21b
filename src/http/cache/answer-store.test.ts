import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnswerStore, type Entry } from './answer-store.ts'
import { readyAnswer } from './ready-answer.ts'
import { Versions } from './versions.ts'

const stamp = new Versions().stamp([])

/** An answer of some bytes that compress well. */
function put(shelf: AnswerStore, key: string, bytes: number): Entry | undefined {
  const make = () => ({ fields: [], type: 'text/plain', etag: '"a"', body: Buffer.alloc(bytes, 'a') })
  shelf.put(key, { stamp, from: 0, until: Infinity }, { length: bytes, make })
  return shelf.get(key)
}

test('the answers used longest ago go when all of them take more than the limit', () => {
  const shelf = new AnswerStore(100_000)
  for (let number = 0; number < 9; number += 1) put(shelf, String(number), 8000)
  assert.equal(shelf.stats.count, 9)
  assert.ok(shelf.get('0'))
  put(shelf, '9', 8000)
  assert.deepEqual([shelf.get('0') === undefined, shelf.get('1') === undefined], [false, true])
  const { count, size, evicted } = shelf.stats
  assert.ok(size <= 100_000, String(size))
  assert.deepEqual([count, evicted], [9, 1])
})

test('an answer that would take too large a part of the whole is not kept', () => {
  const shelf = new AnswerStore(100_000)
  assert.equal(put(shelf, 'large', 20_000), undefined)
  assert.equal(put(shelf, 'k'.repeat(10_000), 1), undefined)
  assert.deepEqual([shelf.stats.count, shelf.stats.size], [0, 0])
})

test('an answer takes the place of the one before it', () => {
  const shelf = new AnswerStore(100_000)
  put(shelf, 'a', 1000)
  const { size } = shelf.stats
  put(shelf, 'a', 1000)
  assert.deepEqual([shelf.stats.count, shelf.stats.size], [1, size])
  shelf.remove('a')
  assert.deepEqual([shelf.stats.count, shelf.stats.size], [0, 0])
})

test('neither an answer nor its compressed form keeps memory that others had beside it', async () => {
  const shelf = new AnswerStore(100_000)
  const pieces = ['two pieces ', 'of a larger buffer '.repeat(100)].map((text) => Buffer.from(text))
  const term = { stamp, from: 0, until: Infinity }
  shelf.put('a', term, { length: 1911, make: () => readyAnswer({}, pieces) })
  const entry = shelf.get('a') ?? assert.fail('not kept')
  await shelf.pack(entry, 'gzip')
  const packed = entry.packed.get('gzip') ?? assert.fail('not packed')
  assert.deepEqual(entry.answer.body, Buffer.concat(pieces))
  for (const bytes of [entry.answer.body, packed]) assert.equal(bytes.buffer.byteLength, bytes.length)
})

test('compressed forms count, and none is added to an answer that is gone', async () => {
  const shelf = new AnswerStore(100_000)
  const entry = put(shelf, 'a', 5000) ?? assert.fail('not kept')
  const { size } = shelf.stats
  await Promise.all([shelf.pack(entry, 'br'), shelf.pack(entry, 'br'), shelf.pack(entry, 'gzip')])
  const packed = [...entry.packed.values()].reduce((sum, bytes) => sum + bytes.length, 0)
  assert.equal(entry.packed.size, 2)
  assert.equal(shelf.stats.size, size + packed)
  const packing = shelf.pack(entry, 'zstd')
  shelf.remove('a')
  await packing
  assert.deepEqual([entry.packed.has('zstd'), shelf.stats.size], [false, 0])
})

test('an answer is made ready when it is asked for, once', () => {
  const shelf = new AnswerStore(100_000)
  let made = 0
  const make = () => {
    made += 1
    return { fields: [], type: 'text/plain', etag: '"a"', body: Buffer.from('a') }
  }
  shelf.put('a', { stamp, from: 0, until: Infinity }, { length: 1, make })
  const entry = shelf.get('a') ?? assert.fail('not kept')
  assert.equal(made, 0)
  assert.equal(entry.answer, entry.answer)
  assert.equal(made, 1)
})
