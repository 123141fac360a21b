import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, openTestStorage } from '../../test/support/test-storage.ts'
import type { Compilable } from './engine.ts'
import { cachedRows, cachePerVersion, disableReadCache } from './reads.ts'

function text<Row>(sql: string): Compilable<Row> {
  return { compile: () => ({ sql, parameters: [] }) }
}

const numbersOf = cachePerVersion<number>(3)

const VALUES = text<{ value: string }>('select value from meta order by key')

for (const engine of ENGINES) {
  test(`${engine}: a long query runs again only after a commit, and once for all who ask at the same time`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const add = (key: string): Promise<unknown> =>
      storage.write((tx) => tx.run(tx.db.insertInto('meta').values({ key, value: key })))
    await add('a')
    const before = storage.stats().readsOffloaded
    const reads = (): number => storage.stats().readsOffloaded - before
    const both = await Promise.all([cachedRows(storage, VALUES), cachedRows(storage, VALUES)])
    assert.deepEqual([both, reads()], [[[{ value: 'a' }], [{ value: 'a' }]], 1])
    both[0].pop()
    assert.deepEqual([await cachedRows(storage, VALUES), reads()], [[{ value: 'a' }], 1])
    await add('b')
    assert.deepEqual([await cachedRows(storage, VALUES), reads()], [[{ value: 'a' }, { value: 'b' }], 2])
  })

  test(`${engine}: a long query that failed is asked again`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const broken = text('select missing from nowhere')
    await assert.rejects(cachedRows(storage, broken))
    await storage.write((tx) => tx.run(text('create table nowhere (missing integer)')))
    assert.deepEqual(await cachedRows(storage, broken), [])
  })

  test(`${engine}: inside a transaction nothing is remembered`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await storage.write(async (tx) => {
      assert.deepEqual(await cachedRows(tx, VALUES), [])
      await tx.run(tx.db.insertInto('meta').values({ key: 'k', value: 'v' }))
      assert.deepEqual(await cachedRows(tx, VALUES), [{ value: 'v' }])
    })
  })

  test(`${engine}: numbers are remembered until the next commit, and not inside a transaction`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const before = numbersOf(storage)
    if (engine !== 'sqlite') return assert.equal(before, undefined)
    before?.set('a', 1)
    assert.equal(numbersOf(storage)?.get('a'), 1)
    await storage.write(async (tx) => {
      assert.equal(numbersOf(tx), undefined)
      await tx.run(tx.db.insertInto('meta').values({ key: 'k', value: 'v' }))
    })
    assert.equal(numbersOf(storage)?.size, 0)
    // Whoever has started to read before the commit adds to what nobody asks any more.
    before?.set('late', 1)
    assert.equal(numbersOf(storage)?.get('late'), undefined)
  })

  test(`${engine}: a memory begins anew when it is full, and is not that of anything else`, async (t) => {
    const storage = await openTestStorage(engine, t)
    if (engine !== 'sqlite') return assert.equal(numbersOf(storage), undefined)
    for (const [place, key] of ['a', 'b', 'c', 'd'].entries()) numbersOf(storage)?.set(key, place)
    assert.deepEqual([...(numbersOf(storage) ?? [])], [['d', 3]])
    assert.equal(cachePerVersion<string>(3)(storage)?.get('d'), undefined)
  })

  test(`${engine}: where nothing is to be remembered, every question is asked`, async (t) => {
    const storage = await openTestStorage(engine, t)
    disableReadCache(storage)
    const before = storage.stats().readsOffloaded
    for (let time = 0; time < 3; time += 1) await cachedRows(storage, VALUES)
    assert.equal(storage.stats().readsOffloaded - before, 3)
    assert.equal(numbersOf(storage), undefined)
  })
}
