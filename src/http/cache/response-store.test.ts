import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CacheEntry, cachedResponse, RecentKeys, ResponseStore } from './response-store.ts'
import { Versions } from './versions.ts'

const version = new Versions().versionOf([])

/** An answer of some bytes that compress well. */
function answerOf(bytes: number) {
  const body = Buffer.alloc(bytes, 'a')
  return { length: bytes, make: () => ({ fields: [], hasCors: true, type: 'text/plain', etag: '"a"', body }) }
}

function put(store: ResponseStore, key: string, bytes: number): CacheEntry | undefined {
  store.store(key, { version, from: 0, until: Infinity }, answerOf(bytes))
  return store.get(key)
}

test('the answers used longest ago go when all of them take more than the limit', () => {
  const store = new ResponseStore(100_000)
  for (let number = 0; number < 9; number += 1) put(store, String(number), 8000)
  assert.equal(store.stats.count, 9)
  assert.ok(store.get('0'))
  put(store, '9', 8000)
  put(store, '9', 8000)
  assert.deepEqual([store.get('0') === undefined, store.get('1') === undefined], [false, true])
  const { count, size, evicted } = store.stats
  assert.ok(size <= 100_000, String(size))
  assert.deepEqual([count, evicted], [9, 1])
})

test('an answer that would take too large a part of the whole is not kept', () => {
  const store = new ResponseStore(100_000)
  assert.equal(put(store, 'large', 20_000), undefined)
  assert.equal(put(store, 'k'.repeat(10_000), 1), undefined)
  assert.deepEqual([store.stats.count, store.stats.size], [0, 0])
})

test('an answer that would push others out is kept when it is asked for again', () => {
  const store = new ResponseStore(100_000)
  const ask = (key: string): boolean => put(store, key, 8000) !== undefined
  const first = Array.from({ length: 9 }, (_none, number) => ask(String(number)))
  assert.ok(first.every(Boolean), 'there was room for all of them')
  assert.deepEqual([ask('once'), ask('twice'), ask('0'), ask('twice')], [false, false, true, true])
  assert.deepEqual([store.stats.count, store.stats.evicted, store.get('once')], [9, 1, undefined])
})

test('an answer that somebody waits for is kept although others have to go', () => {
  const store = new ResponseStore(100_000)
  for (let number = 0; number < 9; number += 1) put(store, String(number), 8000)
  store.expect('awaited')
  assert.ok(put(store, 'awaited', 8000))
  assert.deepEqual([store.stats.count, store.stats.evicted], [9, 1])
})

test('what nobody has asked for lately makes room for any other answer', () => {
  const store = new ResponseStore(100_000)
  for (let number = 0; number < 9; number += 1) put(store, String(number), 8000)
  const first = store.get('0') ?? assert.fail('not kept')
  first.usedAt = 5_000
  const putAt = (key: string, from: number): CacheEntry | undefined => {
    store.store(key, { version, from, until: Infinity }, answerOf(8000))
    return store.get(key)
  }
  assert.deepEqual([putAt('soon', 10_000), store.stats.evicted], [undefined, 0])
  assert.ok(putAt('later', 10_001), 'the others were asked for more than ten seconds ago')
  assert.deepEqual([store.stats.evicted, store.get('1')], [1, undefined])
})

test('a large answer takes the place of nothing that is in use, although something small is not', () => {
  const store = new ResponseStore(100_000)
  put(store, 'small', 100)
  for (let number = 0; number < 9; number += 1) Object.assign(put(store, String(number), 8000) ?? {}, { usedAt: 5_000 })
  const putAt = (from: number): void => store.store(String(from), { version, from, until: Infinity }, answerOf(10_000))
  putAt(10_001)
  assert.deepEqual([store.stats.count, store.stats.evicted], [10, 0])
  putAt(15_001)
  assert.deepEqual([store.stats.count, store.stats.evicted, store.get('0')], [9, 2, undefined])
})

test('an answer takes the place of the one before it', () => {
  const store = new ResponseStore(100_000)
  put(store, 'a', 1000)
  const { size } = store.stats
  put(store, 'a', 1000)
  assert.deepEqual([store.stats.count, store.stats.size], [1, size])
  store.remove('a')
  assert.deepEqual([store.stats.count, store.stats.size], [0, 0])
})

test('in a full cache an answer takes the place of the one before it, which counts as room', () => {
  const store = new ResponseStore(100_000)
  const entries = Array.from({ length: 9 }, (_none, number) => put(store, String(number), 8000))
  for (let number = 0; number < 100_000; number += 1) store.expect(`other ${number}`)
  const replaced = put(store, '0', 8000)
  assert.ok(replaced)
  assert.notEqual(replaced, entries[0])
  assert.deepEqual([store.stats.count, store.stats.evicted], [9, 0])
})

test('neither an answer nor its compressed form keeps memory that others had beside it', async () => {
  const store = new ResponseStore(100_000)
  const pieces = ['two pieces ', 'of a larger buffer '.repeat(100)].map((text) => Buffer.from(text))
  const term = { version, from: 0, until: Infinity }
  store.store('a', term, { length: 1911, make: () => cachedResponse({}, pieces) })
  const entry = store.get('a') ?? assert.fail('not kept')
  await store.compress(entry, 'gzip')
  const packed = entry.compressed.get('gzip') ?? assert.fail('not packed')
  assert.deepEqual(entry.response.body, Buffer.concat(pieces))
  for (const bytes of [entry.response.body, packed]) assert.equal(bytes.buffer.byteLength, bytes.length)
})

test('compressed forms count, but not those of an answer that is gone', async () => {
  const store = new ResponseStore(100_000)
  const entry = put(store, 'a', 5000) ?? assert.fail('not kept')
  const { size } = store.stats
  await Promise.all([store.compress(entry, 'br'), store.compress(entry, 'br'), store.compress(entry, 'gzip')])
  const packed = [...entry.compressed.values()].reduce((sum, bytes) => sum + bytes.length, 0)
  assert.equal(entry.compressed.size, 2)
  assert.equal(store.stats.size, size + packed)
  const packing = store.compress(entry, 'zstd')
  store.remove('a')
  await packing
  // Whoever waits for it gets it.
  assert.deepEqual([entry.compressed.has('zstd'), store.stats.size], [true, 0])
})

test('an answer is made ready when it is asked for, once', () => {
  const store = new ResponseStore(100_000)
  let made = 0
  const make = () => {
    made += 1
    return { fields: [], hasCors: true, type: 'text/plain', etag: '"a"', body: Buffer.from('a') }
  }
  store.store('a', { version, from: 0, until: Infinity }, { length: 1, make })
  const entry = store.get('a') ?? assert.fail('not kept')
  assert.equal(made, 0)
  assert.equal(entry.response, entry.response)
  assert.equal(made, 1)
})

test('a key is known from the second time on', () => {
  const recent = new RecentKeys(1_024)
  assert.deepEqual(
    ['a', 'b', 'a', '', '', 'b'].map((key) => recent.note(key)),
    [false, false, true, false, true, true],
  )
})

test('of many keys the last ones are remembered, and hardly any others', () => {
  const recent = new RecentKeys(1_024)
  const keys = Array.from({ length: 20_000 }, (_none, number) => `/events?page=${number}`)
  assert.equal(keys.filter((key) => recent.note(key)).length, 0)
  const lately = keys.slice(-100).filter((key) => recent.note(key)).length
  const longAgo = keys.slice(0, 5_000).filter((key) => recent.note(key)).length
  assert.ok(lately > 85, `${lately} of 100`)
  assert.ok(longAgo < 5, `${longAgo} of 5000`)
})
