import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, openTestStorage } from '../../test/support/test-storage.ts'
import type { Reader, Transaction } from './engine.ts'

function set(key: string) {
  return async (tx: Transaction): Promise<void> => {
    await tx.run(tx.db.insertInto('meta').values({ key, value: '' }))
  }
}

async function keys(reader: Reader): Promise<string[]> {
  const rows = await reader.all(reader.db.selectFrom('meta').select('key').orderBy('key'))
  return rows.map(({ key }) => key)
}

for (const engine of ENGINES) {
  test(`${engine}: a job that pauses lets reads go on, which see nothing of it, and the next job waits`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const order: string[] = []
    const first = storage.write(async (tx) => {
      await set('a')(tx)
      for (let pause = 0; pause < 3; pause += 1) {
        await tx.pause()
        order.push('paused')
      }
      await set('b')(tx)
    })
    const second = storage.write(async (tx) => {
      order.push('next')
      return keys(tx)
    })
    while (order.length === 0) await storage.pause()
    // What is written in between would be seen here without a transaction of its own.
    const seen = await keys(storage)
    assert.ok(seen.length === 0 || seen.length === 2, seen.join())
    await first
    assert.deepEqual(await second, ['a', 'b'])
    assert.deepEqual(order, ['paused', 'paused', 'paused', 'next'])
  })
}
