import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_DEPENDENCIES, DEPENDENCY_KINDS, Versions } from './versions.ts'

test('a stamp is current until one of its parts changes, and not until then', () => {
  const versions = new Versions()
  const list = versions.versionOf([{ of: 'venue' }, { of: 'media' }])
  const item = versions.versionOf([
    { of: 'event', id: 5 },
    { of: 'tag', id: 9 },
  ])
  versions.change('event', 6)
  versions.change('tag', 5)
  versions.change('user', 5)
  assert.deepEqual([versions.isFresh(list), versions.isFresh(item)], [true, true])
  versions.change('venue', 1)
  assert.deepEqual([versions.isFresh(list), versions.isFresh(item)], [false, true])
  versions.change('tag', 9)
  assert.equal(versions.isFresh(item), false)
})

test('a change of all items of a kind, or of everything, is one of each', () => {
  const versions = new Versions()
  const [one, other] = [
    versions.versionOf([{ of: 'category', id: 70_000 }]),
    versions.versionOf([{ of: 'event', id: 3 }]),
  ]
  versions.changeAll('category')
  assert.deepEqual([versions.isFresh(one), versions.isFresh(other)], [false, true])
  const all = versions.versionOf(ALL_DEPENDENCIES)
  versions.changeEverything()
  assert.deepEqual([versions.isFresh(all), versions.isFresh(other)], [false, false])
})

test('what is made of nothing changes with the settings of the site alone', () => {
  const versions = new Versions()
  const version = versions.versionOf([])
  for (const kind of DEPENDENCY_KINDS) if (kind !== 'site') versions.changeAll(kind)
  assert.equal(versions.isFresh(version), true)
  versions.change('site', 1)
  assert.equal(versions.isFresh(version), false)
})

test('numbers of events change what shows them, and nothing else of an item', () => {
  const versions = new Versions()
  const item = versions.versionOf([{ of: 'tag', id: 9 }])
  const all = versions.versionOf([{ of: 'tag' }])
  const names = versions.versionOf([{ of: 'tag', uncounted: true }])
  const current = (): boolean[] => [item, all, names].map((version) => versions.isFresh(version))
  versions.recount('tag', 8)
  assert.deepEqual(current(), [true, false, true])
  versions.recountAll('tag')
  assert.deepEqual(current(), [false, false, true])
  versions.change('tag', 7)
  assert.deepEqual(current(), [false, false, false])
})

test('a list lasts until lists hold other events or a text on it changes', () => {
  const versions = new Versions()
  const after = (change: () => void): boolean => {
    const version = versions.versionOf([{ of: 'event', listed: true }, versions.versionOf([{ of: 'event', id: 5 }])])
    change()
    return versions.isFresh(version)
  }
  assert.equal(
    after(() => versions.change('event', 6, false)),
    true,
  )
  assert.equal(
    after(() => versions.change('event', 5, false)),
    false,
  )
  assert.equal(
    after(() => versions.change('event', 6)),
    false,
  )
  assert.equal(
    after(() => versions.changeAll('event')),
    false,
  )
})
