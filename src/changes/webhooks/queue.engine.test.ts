import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ENGINES, openTestStorage } from '../../../test/support/test-storage.ts'
import { forTheCalendar } from '../../base/requester.ts'
import type { Storage } from '../../storage/engine.ts'
import { record } from '../../storage/journal/append.ts'
import { headSeq } from '../../storage/journal/read.ts'
import { changeRow, insertRow } from '../../storage/row-writes.ts'
import { changeWebhook } from './manage.ts'
import { queueChanges } from './queue.ts'
import { allWebhooks, countPending, loggedDeliveries } from './store.ts'

const NOW = Date.UTC(2026, 10, 20, 18, 0, 0)

/** Reports changes of venues, one after the other. */
function change(storage: Storage, ids: readonly number[], revision = 1): Promise<void> {
  return storage.write(async (tx) => {
    for (const id of ids) {
      const snapshot = { id, status: 'publish', author_id: 1 }
      const made = { actor: 1, resource: 'venue', id, revision, at: '2026-11-20 18:00:00', snapshot }
      record(tx, { ...made, action: revision === 1 ? 'create' : 'update' })
    }
  })
}

async function openQueue(engine: (typeof ENGINES)[number], t: TestContext) {
  const storage = await openTestStorage(engine, t)
  const reports: unknown[] = []
  const parts = { storage, now: () => NOW, report: (error: unknown) => void reports.push(error) }
  const hook = {
    ...{ id: 1, url: 'https://a.example/', description: '', audience: 'public', active: 1, secret: '', seq: 0 },
    ...{
      former_secret: '',
      former_until: null,
      failures: 0,
      problem: '',
      succeeded_at: null,
      modified_at: null,
      created_at: '',
    },
    events: '["venue.created","venue.updated"]',
  }
  await storage.write((tx) => insertRow(tx, 'webhook', hook))
  /** Queues page after page, as rounds do. */
  const queue = (): Promise<void> =>
    // As in the server: no deadline for reads.
    forTheCalendar(async () => {
      while (await queueChanges(parts, await allWebhooks(storage)));
    })
  return { storage, reports, queue }
}

const range = (count: number): number[] => Array.from({ length: count }, (_none, index) => index + 1)

for (const engine of ENGINES) {
  test(`${engine}: what two processes queue at once is queued once and in order`, async (t) => {
    const { storage, queue } = await openQueue(engine, t)
    await change(storage, range(150))
    await change(storage, [7, 7, 9], 2)
    await Promise.all([queue(), queue()])
    await queue()
    const queued = (await loggedDeliveries(storage, 1, { limit: 1000 })).reverse()
    assert.deepEqual(
      queued.map(({ seq }) => seq),
      range(153),
    )
    // One of each item has its turn.
    const due = queued.filter(({ next_at }) => next_at !== null)
    assert.deepEqual(
      due.map(({ item_id }) => item_id),
      range(150),
    )
  })

  test(`${engine}: what a receiver that is away has not been told waits in the journal beyond a thousand messages`, async (t) => {
    const { storage, queue } = await openQueue(engine, t)
    await change(storage, range(1250))
    await queue()
    assert.equal(await countPending(storage, 1), 1000)
    const done = { state: 'delivered', next_at: null, finished_at: '2026-11-20 18:00:00' }
    await storage.write((tx) => tx.run(tx.db.updateTable('webhook_delivery').set(done)))
    await queue()
    assert.equal(await countPending(storage, 1), 250)
    const [last] = await loggedDeliveries(storage, 1, { limit: 1 })
    assert.deepEqual([last?.seq, (await allWebhooks(storage))[0]?.seq], [1250, 1250])
  })

  test(`${engine}: a webhook that was told more than the journal has begins anew, and that is reported`, async (t) => {
    const { storage, queue, reports } = await openQueue(engine, t)
    await change(storage, [1, 2])
    await storage.write((tx) => tx.run(tx.db.updateTable('webhook').set({ seq: 9 })))
    await queue()
    assert.equal(reports.length, 1)
    assert.deepEqual((await allWebhooks(storage))[0]?.seq, await headSeq(storage))
    await change(storage, [3])
    await queue()
    const queued = await loggedDeliveries(storage, 1, { limit: 10 })
    assert.deepEqual(
      queued.map(({ item_id }) => item_id),
      [3],
    )
  })

  test(`${engine}: what waits is due at once when its webhook gets another address`, async (t) => {
    const { storage, queue } = await openQueue(engine, t)
    await change(storage, [7])
    await queue()
    const log = () => loggedDeliveries(storage, 1, { limit: 10 })
    const [{ id = 0 } = {}] = await log()
    await storage.write((tx) => changeRow(tx, 'webhook_delivery', { id, next_at: '2026-11-20 23:00:00' }))
    const parts = { storage, gate: () => true, now: () => NOW }
    const moments: unknown[] = []
    for (const url of ['https://a.example/', 'https://b.example/']) {
      await changeWebhook(parts, 1, { input: { url } })
      moments.push(...(await log()).map(({ next_at }) => next_at))
    }
    assert.deepEqual(moments, ['2026-11-20 23:00:00', '2026-11-20 18:00:00'])
  })
}
