import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ENGINES, openTestStorage } from '../../../test/support/test-storage.ts'
import { eventually, openReceiver } from '../../../test/support/webhook-receiver.ts'
import { fail } from '../../base/errors.ts'
import { millisFromUtc } from '../../base/time/zones.ts'
import { insertRow } from '../../storage/row-writes.ts'
import { newDelivery } from './queue.ts'
import { Sender } from './sender.ts'
import { allWebhooks, insertDeliveries, loggedDeliveries } from './store.ts'

const NOW = Date.UTC(2026, 10, 20, 18, 0, 0)
const AT = '2026-11-20 18:00:00'

const HOOK = {
  ...{ id: 1, description: '', audience: 'public', active: 1, secret: 'whsec_AAAA', seq: 0 },
  ...{
    former_secret: '',
    former_until: null,
    failures: 0,
    problem: '',
    succeeded_at: null,
    modified_at: null,
    created_at: AT,
  },
  events: '["venue.created","venue.deleted"]',
}

for (const engine of ENGINES) {
  test(`${engine}: while nothing can be stored, a message that was sent is not sent again`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const receiver = await openReceiver(t)
    await storage.write(async (tx) => {
      await insertRow(tx, 'webhook', { ...HOOK, url: receiver.origin })
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
    assert.equal(reports.filter((one) => one === 'recording a webhook delivery').length, 1)
  })

  test(`${engine}: changes of a calendar without webhooks start no work, and what comes after a webhook is added does`, async (t) => {
    const storage = await openTestStorage(engine, t)
    let looks = 0
    const all: typeof storage.all = (query) => {
      looks += 1
      return storage.all(query)
    }
    const sender = new Sender({
      ...{ storage: { ...storage, all }, now: () => NOW, gate: () => true, origin: () => '', language: () => 'en' },
      ...{ site: undefined as never, lookups: undefined as never },
      report: (error: unknown) => assert.fail(String(error)),
    })
    const looksAfter = async (step: () => void): Promise<void> => {
      const before = looks
      step()
      await eventually('a look', () => looks > before)
      await turns(100)
    }
    // It also forgets what is old; those that follow within an hour only look.
    await sender.round(new AbortController().signal)
    await looksAfter(() => sender.work.begin())
    const before = looks
    sender.work.wake()
    await turns(100)
    assert.equal(looks, before, 'no look after a change')
    // The transaction in which it is added may be one of several steps, and not have ended yet.
    await looksAfter(() => sender.lookAgain())
    await storage.write((tx) => insertRow(tx, 'webhook', { ...HOOK, url: 'http://127.0.0.1:9' }))
    await looksAfter(() => sender.work.wake())
    await looksAfter(() => sender.work.wake())
    await sender.work.stop()
  })

  test(`${engine}: a message that cannot be made is given up after some attempts, and what comes after it is sent`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const receiver = await openReceiver(t)
    const item = { resource: 'venue', item_id: 7 }
    await storage.write(async (tx) => {
      await insertRow(tx, 'webhook', { ...HOOK, url: receiver.origin })
      await insertDeliveries(tx, [{ ...newDelivery(1, AT), event: 'venue.created', ...item }])
      await insertDeliveries(tx, [{ ...newDelivery(1, AT), event: 'venue.deleted', ...item, next_at: null }])
    })
    let now = NOW
    const reports: string[] = []
    const sender = new Sender({
      ...{ storage, now: () => now, gate: () => true, origin: () => '' },
      ...{ site: undefined as never, lookups: undefined as never },
      language: () => {
        throw new Error('broken')
      },
      report: (_error: unknown, circumstance: string) => void reports.push(circumstance),
    })
    const { signal } = new AbortController()
    const log = async () => (await loggedDeliveries(storage, 1, { limit: 2 })).reverse()
    for (let round = 1; round <= 8; round += 1) {
      await sender.round(signal)
      await sender.settled()
      const [unmade] = await log()
      assert.equal(unmade?.attempts, round)
      now += 6 * 3_600_000
    }
    const [unmade] = await log()
    assert.deepEqual([unmade?.state, unmade?.status], ['failed', 0])
    assert.match(unmade?.problem ?? '', /could not be made/)
    assert.deepEqual(reports, Array(8).fill('creating a webhook delivery'))
    await sender.round(signal)
    await sender.settled()
    assert.deepEqual(
      (await log()).map(({ state }) => state),
      ['failed', 'delivered'],
    )
    assert.deepEqual(
      receiver.messages.map(({ json }) => json.type),
      ['venue.deleted'],
    )
    const [hook] = await allWebhooks(storage)
    assert.equal(hook?.failures, 0, 'the receiver is not to blame')
  })

  test(`${engine}: while the calendar is too busy to make a message nothing is given up, for three days`, async (t) => {
    const storage = await openTestStorage(engine, t)
    const receiver = await openReceiver(t)
    await storage.write(async (tx) => {
      await insertRow(tx, 'webhook', { ...HOOK, url: receiver.origin })
      await insertDeliveries(tx, [{ ...newDelivery(1, AT), event: 'venue.created', resource: 'venue', item_id: 7 }])
    })
    let now = NOW
    let problem: Error = fail('rest_too_busy')
    const reports: string[] = []
    const sender = new Sender({
      ...{ storage, now: () => now, gate: () => true, origin: () => '' },
      ...{ site: undefined as never, lookups: undefined as never },
      language: () => {
        throw problem
      },
      report: (_error: unknown, circumstance: string) => void reports.push(circumstance),
    })
    const { signal } = new AbortController()
    const turn = async () => {
      await sender.round(signal)
      await sender.settled()
      return (await loggedDeliveries(storage, 1, { limit: 1 }))[0]
    }
    for (let round = 1; round <= 10; round += 1) {
      const busy = await turn()
      assert.deepEqual([busy?.state, busy?.attempts, busy?.unmade], ['pending', round, 0])
      assert.match(busy?.problem ?? '', /too busy/)
      assert.ok((busy?.next_at ?? '') > (busy?.attempted_at ?? ''), 'the next attempt is later')
      now = millisFromUtc(busy?.next_at ?? '')
      if (round === 9) problem = fail('rest_query_too_costly')
    }
    // An error here counts from the first time that it happens.
    problem = new Error('broken')
    const broken = await turn()
    assert.deepEqual([broken?.state, broken?.unmade], ['pending', 1])
    problem = fail('rest_too_busy')
    now = NOW + 72 * 3_600_000
    assert.deepEqual([(await turn())?.state, receiver.messages.length], ['failed', 0])
    assert.deepEqual(reports, ['creating a webhook delivery'])
    const [hook] = await allWebhooks(storage)
    assert.equal(hook?.failures, 0, 'the receiver is not to blame')
  })
}

/** Lets so many turns of the event loop pass. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate()
}
