import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Compilable } from './engine.ts'
import { rememberedRows } from './remembered.ts'
import { ENGINES, openTestStorage } from './testing.ts'

function text<Row>(sql: string): Compilable<Row> {
  return { compile: () => ({ sql, parameters: [] }) }
}

const VALUES = text<{ value: string }>('select value from meta order by key')

for (const engine of ENGINES) {
  test(`${engine}: a long query runs again only after a commit, and once for all who ask at the same time`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const add = (key: string): Promise<unknown> =>
      storage.write((tx) => tx.run(tx.db.insertInto('meta').values({ key, value: key })))
    await add('a')
    const before = storage.stats().readsOffloaded
    const reads = (): number => storage.stats().readsOffloaded - before
    const both = await Promise.all([rememberedRows(storage, VALUES), rememberedRows(storage, VALUES)])
    assert.deepEqual([both, reads()], [[[{ value: 'a' }], [{ value: 'a' }]], 1])
    both[0].pop()
    assert.deepEqual([await rememberedRows(storage, VALUES), reads()], [[{ value: 'a' }], 1])
    await add('b')
    assert.deepEqual([await rememberedRows(storage, VALUES), reads()], [[{ value: 'a' }, { value: 'b' }], 2])
  })

  test(`${engine}: a long query that failed is asked again`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const broken = text('select missing from nowhere')
    await assert.rejects(rememberedRows(storage, broken))
    await storage.write((tx) => tx.run(text('create table nowhere (missing integer)')))
    assert.deepEqual(await rememberedRows(storage, broken), [])
  })

  test(`${engine}: inside a transaction nothing is remembered`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await storage.write(async (tx) => {
      assert.deepEqual(await rememberedRows(tx, VALUES), [])
      await tx.run(tx.db.insertInto('meta').values({ key: 'k', value: 'v' }))
      assert.deepEqual(await rememberedRows(tx, VALUES), [{ value: 'v' }])
    })
  })
}
