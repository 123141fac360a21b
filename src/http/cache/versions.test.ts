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

test('a list lasts as long as no event comes or goes and no text on it changes', () => {
  const place = (day: string) => ({ start: `${day} 10:00:00`, end: `${day} 12:00:00`, published: '', targets: [] })
  const [inside, outside] = [place('2026-12-05'), place('2027-12-05')]
  const list = { list: { endBefore: '2027-01-01 00:00:00', targets: [], isOpen: false } }
  const versions = new Versions()
  const stampNow = (): ReturnType<Versions['stamp']> => versions.stamp([list, versions.stamp([{ of: 'event', id: 5 }])])
  const after = (change: () => void): boolean => {
    const stamp = stampNow()
    change()
    return versions.isCurrent(stamp)
  }
  assert.equal(
    after(() => versions.change('event', 6, { before: undefined, after: outside })),
    true,
  )
  assert.equal(
    after(() => versions.change('event', 6, { before: inside, after: inside })),
    true,
  )
  assert.equal(
    after(() => versions.change('event', 5, { before: inside, after: inside })),
    false,
  )
  assert.equal(
    after(() => versions.change('event', 6, { before: inside, after: outside })),
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
  const stamp = stampNow()
  for (let turn = 0; turn < 3000; turn += 1) {
    versions.change('event', 6, { before: outside, after: outside })
    if (turn % 500 === 0) assert.equal(versions.isCurrent(stamp), true)
  }
})
