import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fail } from '../errors.ts'
import { insertRow } from '../storage/row-writes.ts'
import { ENGINES, openTestStorage } from '../storage/testing.ts'
import { newDelivery } from './queue.ts'
import { Sender } from './sender.ts'
import { insertDeliveries, loggedDeliveries } from './store.ts'
import { eventually, openReceiver } from './testing.ts'

const NOW = Date.UTC(2026, 10, 20, 18, 0, 0)
const AT = '2026-11-20 18:00:00'

for (const engine of ENGINES) {
  test(`${engine}: while nothing can be stored, a message that was sent is not sent again`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const receiver = await openReceiver(t)
    const hook = {
      ...{ id: 1, url: receiver.origin, description: '', audience: 'public', active: 1, secret: 'whsec_AAAA', seq: 0 },
      ...{ former_secret: '', former_until: null, failures: 0, problem: '', succeeded_at: null, created_at: AT },
      events: '["venue.deleted"]',
    }
    await storage.write(async (tx) => {
      await insertRow(tx, 'webhook', hook)
      await insertDeliveries(tx, [{ ...newDelivery(1, AT), event: 'venue.deleted', resource: 'venue', item_id: 7 }])
    })
    let isFull = false
    receiver.answer = (response) => {
      isFull = true
      response.writeHead(204).end()
    }
    const reports: string[] = []
    const parts = {
      ...{ now: () => NOW, gate: () => true, origin: () => '', language: () => 'en' },
      // What is gone is not looked up.
      ...{ site: undefined as never, lookups: undefined as never },
      report: (_error: unknown, circumstance: string) => void reports.push(circumstance),
      storage: {
        ...storage,
        write: ((job) =>
          isFull ? Promise.reject(fail('rest_disk_full')) : storage.write(job)) as typeof storage.write,
      },
    }
    const sender = new Sender(parts)
    sender.work.begin()
    await eventually('a report', () => reports.length > 0)
    // Rounds that fail meanwhile, and one that does not.
    await assert.rejects(sender.round(new AbortController().signal))
    isFull = false
    await sender.round(new AbortController().signal)
    await eventually(
      'the delivery',
      async () => (await loggedDeliveries(storage, 1, { limit: 1 }))[0]?.state === 'delivered',
    )
    await sender.work.stop()
    assert.equal(receiver.messages.length, 1)
    assert.equal(reports.filter((one) => one === 'noting what a webhook was told').length, 1)
  })
}
