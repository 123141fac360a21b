import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FragmentStore } from './fragments.ts'
import { Versions } from './versions.ts'

test('a text is true until one of its parts changes', () => {
  const versions = new Versions()
  const store = new FragmentStore(10_000, versions)
  const texts = store.of('a')
  const parts = [
    { of: 'event', id: 1 },
    { of: 'venue', id: 2 },
  ] as const
  texts.put(1, Buffer.from('first'), parts)
  versions.change('event', 2)
  assert.equal(String(texts.get(1)?.text), 'first')
  versions.change('venue', 2)
  assert.equal(texts.get(1), undefined)
  assert.deepEqual(store.stats, { count: 0, size: 0, evicted: 0, hits: 1, misses: 1 })
})

test('the texts used longest ago go when all of them take more than the limit', () => {
  const store = new FragmentStore(10_000, new Versions())
  const texts = store.of('a')
  for (const id of [1, 2, 3]) texts.put(id, Buffer.alloc(2500), [])
  assert.ok(texts.get(1))
  texts.put(4, Buffer.alloc(2500), [])
  assert.deepEqual(
    [1, 2, 3, 4].map((id) => texts.get(id) !== undefined),
    [true, false, true, true],
  )
  assert.ok(store.stats.size <= 10_000)
  assert.equal(store.stats.evicted, 1)
  texts.put(9, Buffer.alloc(20_000), [])
  assert.equal(store.stats.size, 0)
})

test('the texts of an item in several forms are kept apart, and of very many forms only the first', () => {
  const store = new FragmentStore(10_000_000, new Versions())
  for (let number = 0; number < 5000; number += 1) store.of(`only asked for ${number}`).get(1)
  const names = Array.from({ length: 2000 }, (_one, index) => `form ${index}`)
  for (const id of [1, 2, 5_000_000_000])
    for (const name of names) store.of(name).put(id, Buffer.from(`${name} ${id}`), [])
  const wrong = names.filter((name, index) => {
    const found = [1, 2, 5_000_000_000].map((id) => store.of(name).get(id)?.text)
    return index < 1000 && found.some((text, place) => !String(text).startsWith(`${name} ${[1, 2, 5][place]}`))
  })
  assert.deepEqual(wrong, [])
  assert.equal(store.of('form 1999').get(1), undefined)
})
