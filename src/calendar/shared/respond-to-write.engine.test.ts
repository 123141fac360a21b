import assert from 'node:assert/strict'
import test from 'node:test'
import { ENGINES, openTestStorage } from '../../../test/support/test-storage.ts'
import { fail } from '../../base/errors.ts'
import type { Reader, Transaction } from '../../storage/engine.ts'
import { respondToWrite } from './respond-to-write.ts'

const write = async (tx: Transaction): Promise<string> => {
  await tx.run(tx.db.insertInto('meta').values({ key: 'made', value: 'yes' }))
  return 'made'
}

async function metaOf(reader: Reader, key: string): Promise<string | undefined> {
  return (await reader.first(reader.db.selectFrom('meta').select('value').where('key', '=', key)))?.value
}

for (const engine of ENGINES) {
  test(`${engine}: a write whose answer the readers cannot give is answered by the writer`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const answer = async (reader: Reader, key: string) => {
      if (reader === storage) throw fail('rest_too_busy')
      return { status: 201, body: await metaOf(reader, key) }
    }
    assert.deepEqual(await respondToWrite(storage, {}, { write, respond: answer }), { status: 201, body: 'yes' })
  })

  test(`${engine}: who cannot be answered at all is not told that nothing was done`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const answer = () => Promise.reject(fail('rest_unavailable'))
    await assert.rejects(respondToWrite(storage, {}, { write, respond: answer }), { code: 'rest_write_uncertain' })
    assert.equal(await metaOf(storage, 'made'), 'yes')
  })
}
