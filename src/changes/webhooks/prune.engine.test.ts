import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, openTestStorage } from '../../../test/support/test-storage.ts'
import { utcFromMillis } from '../../base/time/zones.ts'
import { insertRow } from '../../storage/row-writes.ts'
import { LOG, pruneLog } from './prune.ts'
import { newDelivery } from './queue.ts'
import { removeWebhook } from './remove.ts'
import { countPending, insertDeliveries, loggedDeliveries } from './store.ts'

const NOW = Date.UTC(2026, 10, 20, 18, 0, 0)
const AT = utcFromMillis(NOW)

for (const engine of ENGINES) {
  test(`${engine}: a log keeps its newest messages and those that wait, and one webhook takes no room of another`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const hook = {
      ...{
        url: 'https://a.example/',
        description: '',
        audience: 'public',
        active: 1,
        secret: '',
        seq: 0,
        events: '[]',
      },
      ...{
        former_secret: '',
        former_until: null,
        failures: 0,
        problem: '',
        succeeded_at: null,
        modified_at: null,
        created_at: AT,
      },
    }
    const ended = (webhook: number, at: string) => ({
      ...newDelivery(webhook, at),
      ...{ state: 'delivered', next_at: null, finished_at: at },
    })
    const rows = (count: number, row: object) => Array.from({ length: count }, () => row as ReturnType<typeof ended>)
    const surplus = LOG.together + 7
    await storage.write(async (tx) => {
      for (const id of [1, 2]) await insertRow(tx, 'webhook', { id, ...hook })
      await insertDeliveries(tx, rows(4, newDelivery(1, AT)))
      await insertDeliveries(tx, rows(3, ended(2, utcFromMillis(NOW - LOG.kept - 1000))))
      await insertDeliveries(tx, rows(5, ended(2, AT)))
    })
    for (let left = LOG.most + surplus; left > 0; left -= 1000)
      await storage.write((tx) => insertDeliveries(tx, rows(Math.min(left, 1000), ended(1, AT))))
    const { signal } = new AbortController()
    assert.equal(await pruneLog(storage, NOW, signal), false)
    const first = await loggedDeliveries(storage, 1, { state: 'delivered', limit: 2 * LOG.most })
    assert.equal(first.length, LOG.most)
    const numbers = first.map(({ id }) => id)
    assert.equal((numbers[0] ?? 0) - (numbers.at(-1) ?? 0), LOG.most - 1, 'the newest are kept')
    assert.equal(await countPending(storage, 1), 4)
    assert.equal((await loggedDeliveries(storage, 2, { limit: 100 })).length, 5)
    await removeWebhook({ storage, now: () => NOW }, 1)
    assert.deepEqual(await loggedDeliveries(storage, 1, { limit: 1 }), [])
    assert.equal((await loggedDeliveries(storage, 2, { limit: 100 })).length, 5)
  })
}
