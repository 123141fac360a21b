import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FragmentShelf } from './fragments.ts'
import { Versions } from './versions.ts'

test('a text is true until one of its parts changes', () => {
  const versions = new Versions()
  const shelf = new FragmentShelf(10_000, versions)
  const parts = [
    { of: 'event', id: 1 },
    { of: 'venue', id: 2 },
  ] as const
  shelf.put('a', Buffer.from('first'), parts)
  versions.change('event', 2)
  assert.equal(String(shelf.get('a')?.text), 'first')
  versions.change('venue', 2)
  assert.equal(shelf.get('a'), undefined)
  assert.deepEqual(shelf.stats, { count: 0, size: 0, evicted: 0, hits: 1, misses: 1 })
})

test('the texts used longest ago go when all of them take more than the limit', () => {
  const shelf = new FragmentShelf(10_000, new Versions())
  for (const name of ['a', 'b', 'c']) shelf.put(name, Buffer.alloc(2500), [])
  assert.ok(shelf.get('a'))
  shelf.put('d', Buffer.alloc(2500), [])
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((name) => shelf.get(name) !== undefined),
    [true, false, true, true],
  )
  assert.ok(shelf.stats.size <= 10_000)
  assert.equal(shelf.stats.evicted, 1)
  shelf.put('large', Buffer.alloc(20_000), [])
  assert.equal(shelf.stats.size, 0)
})
