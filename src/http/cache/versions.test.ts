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
