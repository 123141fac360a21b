import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, openTestStorage } from '../../test/support/test-storage.ts'
import type { DeferredWrite, Storage, Transaction } from './engine.ts'
import { deleteSearchText, setSearchText } from './entry-texts.ts'
import { containsText } from './expressions.ts'

// What jobs leave to the end of their transaction (engine.ts), on the texts that searches read.

const put = (id: number, body: string) => (tx: Transaction) => setSearchText(tx, { id, body })

async function texts(storage: Storage): Promise<string[]> {
  const rows = await storage.all(storage.db.selectFrom('entry_text').selectAll().orderBy('id'))
  return rows.map(({ id, body }) => `${id} ${body}`)
}

for (const engine of ENGINES) {
  test(`${engine}: what jobs leave is stored with their commit, the last value of an id counts, failed jobs leave nothing`, async (t) => {
    const storage = await openTestStorage(engine, t)
    await storage.write(put(1, 'old'))
    const failed = storage.write(async (tx) => {
      await put(2, 'of a failed job')(tx)
      throw new Error('on purpose')
    })
    const written = [
      ...[put(1, 'new'), put(2, 'first'), put(3, 'gone soon'), put(4, 'back')].map((job) => storage.write(job)),
      storage.write((tx) => deleteSearchText(tx, 3)),
      storage.write(async (tx) => {
        await deleteSearchText(tx, 4)
        await put(4, 'back again')(tx)
        await put(2, 'second')(tx)
      }),
    ]
    await assert.rejects(failed, /on purpose/)
    await Promise.all(written)
    assert.deepEqual(await texts(storage), ['1 new', '2 second', '4 back again'])
    const found = await storage.all(
      storage.db
        .selectFrom('entry_text')
        .select('id')
        .where(containsText(engine, 'entry_text.id', 'again')),
    )
    assert.deepEqual(found, [{ id: 4 }])
  })

  test(`${engine}: when storing what was left fails, its jobs are undone, and later ones succeed`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const told: string[] = []
    const store: DeferredWrite['store'] = async () => {
      throw new Error('no room')
    }
    const doomed = storage.write(async (tx) => {
      await tx.run(tx.db.insertInto('meta').values({ key: 'doomed', value: '' }))
      tx.afterCommit(() => void told.push('doomed'))
      await tx.deferBatch({ id: 1, value: 'x', store })
    })
    await assert.rejects(doomed, /no room/)
    await storage.write(put(1, 'later'))
    const rows = await storage.all(storage.db.selectFrom('meta').select('key').where('key', '=', 'doomed'))
    assert.deepEqual([rows, told, await texts(storage)], [[], [], ['1 later']])
  })
}
