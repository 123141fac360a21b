import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forTheCalendar, onBehalfOf, requester } from '../base/requester.ts'
import type { Transaction } from './engine.ts'
import { insideTransaction, sharedReads } from './reads.ts'

/** Reads that end when they are told to, in the order in which they started. */
function controlled() {
  const begun: { key: string; end: (value: string) => void; fail: (error: Error) => void }[] = []
  const read = sharedReads((key) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    begun.push({ key, end: resolve, fail: reject })
    return promise
  })
  return { begun, read }
}

test('those who come while the same is read share the next read, which begins when that has ended', async () => {
  const { begun, read } = controlled()
  const first = read('a')
  const others = [read('a'), read('a'), read('a')]
  const different = read('b')
  assert.deepEqual(
    begun.map(({ key }) => key),
    ['a', 'b'],
  )
  begun[0]?.end('as it was')
  begun[1]?.end('of b')
  assert.equal(await first, 'as it was')
  assert.equal(await different, 'of b')
  assert.equal(begun.length, 3)
  const late = read('a')
  begun[2]?.end('as it is')
  assert.deepEqual(await Promise.all(others), ['as it is', 'as it is', 'as it is'])
  assert.equal(begun.length, 4)
  begun[3]?.end('later')
  assert.equal(await late, 'later')
  const alone = read('a')
  assert.equal(begun.length, 5)
  begun[4]?.end('again')
  assert.equal(await alone, 'again')
})

test('a read that fails fails for those who share it, and for nobody after them', async () => {
  const { begun, read } = controlled()
  const first = read('a')
  const [second, third] = [read('a'), read('a')]
  begun[0]?.fail(new Error('one'))
  await assert.rejects(first, /one/)
  begun[1]?.fail(new Error('two'))
  await assert.rejects(second, /two/)
  await assert.rejects(third, /two/)
  const fourth = read('a')
  begun[2]?.end('well')
  assert.equal(await fourth, 'well')
})

test('a client that disconnects ends no read that others share', async () => {
  const read = sharedReads(async () => requester())
  const leaving = { client: 'one', isGone: true, onGone: () => () => undefined }
  const of = await onBehalfOf(leaving, () => read('a'))
  assert.ok(of !== 'calendar' && of !== undefined && !of.isGone)
  assert.equal(of.client, 'one')
  assert.equal(await forTheCalendar(() => read('a')), 'calendar')
})

test('whoever is part of a transaction reads for himself', async () => {
  const { begun, read } = controlled()
  const first = read('a')
  const inside = insideTransaction({} as Transaction, () => read('a'))
  assert.equal(begun.length, 2)
  begun[1]?.end('in the transaction')
  assert.equal(await inside, 'in the transaction')
  begun[0]?.end('outside')
  assert.equal(await first, 'outside')
})
