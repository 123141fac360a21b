import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ALL_PARTS, Versions } from './versions.ts'

test('a stamp is current until one of its parts changes, and not until then', () => {
  const versions = new Versions()
  const list = versions.stamp([{ of: 'venue' }, { of: 'media' }])
  const item = versions.stamp([
    { of: 'event', id: 5 },
    { of: 'tag', id: 9 },
  ])
  versions.change('event', 6)
  versions.change('tag', 5)
  versions.change('user', 5)
  assert.deepEqual([versions.isCurrent(list), versions.isCurrent(item)], [true, true])
  versions.change('venue', 1)
  assert.deepEqual([versions.isCurrent(list), versions.isCurrent(item)], [false, true])
  versions.change('tag', 9)
  assert.equal(versions.isCurrent(item), false)
})

test('a change of all items of a kind, or of everything, is one of each', () => {
  const versions = new Versions()
  const [one, other] = [versions.stamp([{ of: 'category', id: 70_000 }]), versions.stamp([{ of: 'event', id: 3 }])]
  versions.changeAll('category')
  assert.deepEqual([versions.isCurrent(one), versions.isCurrent(other)], [false, true])
  const all = versions.stamp(ALL_PARTS)
  versions.changeEverything()
  assert.deepEqual([versions.isCurrent(all), versions.isCurrent(other)], [false, false])
})

test('what is made of nothing never changes', () => {
  const versions = new Versions()
  const stamp = versions.stamp([])
  versions.changeEverything()
  assert.equal(versions.isCurrent(stamp), true)
})

test('numbers of events change what shows them, and nothing else of an item', () => {
  const versions = new Versions()
  const item = versions.stamp([{ of: 'tag', id: 9 }])
  const all = versions.stamp([{ of: 'tag' }])
  const names = versions.stamp([{ of: 'tag', uncounted: true }])
  const current = (): boolean[] => [item, all, names].map((stamp) => versions.isCurrent(stamp))
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
    const stamp = versions.stamp([{ of: 'event', listed: true }, versions.stamp([{ of: 'event', id: 5 }])])
    change()
    return versions.isCurrent(stamp)
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
