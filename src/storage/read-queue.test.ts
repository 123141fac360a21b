import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClient } from '../../test/support/test-storage.ts'
import { Failure } from '../base/errors.ts'
import { forTheCalendar, onBehalfOf, type Requester } from '../base/requester.ts'
import { ReadDropped, ReadQueue, type ReadQueueLimits } from './read-queue.ts'

/** A queue whose reads end when they are told to. */
function openQueue(limits: Partial<ReadQueueLimits> = {}) {
  const queue = new ReadQueue({ slots: 1, spared: 1, timeout: 60_000, waiting: 8, ...limits })
  const order: string[] = []
  const ends: (() => void)[] = []
  const ask = (who: Requester, name: string): Promise<string> =>
    onBehalfOf(who, () =>
      queue.run(
        async () => {
          order.push(name)
          await new Promise<void>((resolve) => ends.push(resolve))
          return name
        },
        { isDropped: true },
      ),
    )
  const endAll = async (): Promise<void> => {
    while (queue.stats.readsWaiting > 0 || ends.length > 0) {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { queue, order, ask, endAll }
}

const ONE = testClient('192.0.2.1')
const TWO = testClient('192.0.2.2')
const THREE = testClient('2001:db8:0:1::/64')

function isBusy(error: unknown): boolean {
  return error instanceof Failure && error.code === 'rest_too_busy'
}

test('clients take turns, each in the order in which it asked', async () => {
  const { order, ask, endAll } = openQueue({ waiting: 100 })
  const asked = [
    ...['a0', 'a1', 'a2', 'a3'].map((name) => ask(ONE, name)),
    ...['b0', 'b1'].map((name) => ask(TWO, name)),
    ask(THREE, 'c0'),
  ]
  await endAll()
  await Promise.all(asked)
  assert.deepEqual(order, ['a0', 'a1', 'b0', 'c0', 'a2', 'b1', 'a3'])
})

test('where several run at a time one place is left to other clients, and taken at once', async () => {
  const { order, ask, endAll } = openQueue({ slots: 3, waiting: 100 })
  const asked = ['a0', 'a1', 'a2', 'a3'].map((name) => ask(ONE, name))
  asked.push(ask(TWO, 'b0'))
  assert.deepEqual(order, ['a0', 'a1', 'b0'])
  await endAll()
  await Promise.all(asked)
  assert.deepEqual(order, ['a0', 'a1', 'b0', 'a2', 'a3'])
})

test('a client that holds its share of the places is refused, others are not', async () => {
  const { queue, ask, endAll } = openQueue({ waiting: 8 })
  const asked = [ask(ONE, 'runs'), ask(ONE, 'waits'), ask(ONE, 'waits')]
  await assert.rejects(ask(ONE, 'refused'), isBusy)
  asked.push(ask(TWO, 'waits'))
  assert.deepEqual([queue.stats.readsWaiting, queue.stats.readsRefused], [3, 1])
  await endAll()
  await Promise.all(asked)
})

test('in a full queue a newcomer gets the last place of whoever holds most, and is refused when nobody has more', async () => {
  const { queue, order, ask, endAll } = openQueue({ waiting: 8 })
  const running = ask(ONE, 'runs')
  const clients = ['a', 'b', 'c', 'd'].map((name) => ({ name, who: testClient(name) }))
  const waits = clients.flatMap(({ name, who }) => [0, 1].map((number) => ask(who, name + number)))
  const outcomes = Promise.allSettled(waits)
  const newcomer = ask(TWO, 'new')
  assert.equal(queue.stats.readsWaiting, 8)
  await assert.rejects(ask(TWO, 'again'), isBusy)
  await endAll()
  await Promise.all([running, newcomer])
  assert.equal((await outcomes).filter(({ status }) => status === 'rejected').length, 1)
  assert.deepEqual(order, ['runs', 'a0', 'b0', 'c0', 'd0', 'new', 'b1', 'c1', 'd1'])
})

test('who waits for too long leaves the queue', async () => {
  const { queue, order, ask, endAll } = openQueue({ timeout: 1 })
  const running = ask(ONE, 'runs')
  await assert.rejects(ask(TWO, 'waits'), isBusy)
  assert.deepEqual([queue.stats.readsWaiting, queue.stats.readsRefused], [0, 1])
  await endAll()
  await running
  assert.deepEqual(order, ['runs'])
})

test('what a client that goes has waiting leaves the queue at once, the rest goes on', async () => {
  const { queue, order, ask, endAll } = openQueue({ waiting: 100 })
  const running = ask(TWO, 'runs')
  const goes = testClient('192.0.2.9')
  const outcomes = Promise.allSettled(['a', 'b', 'c'].map((name) => ask(goes, name)))
  const stays = ask(TWO, 'stays')
  goes.leave()
  assert.deepEqual([queue.stats.readsWaiting, queue.stats.readsDropped], [1, 3])
  for (const one of await outcomes) assert.ok(one.status === 'rejected' && one.reason instanceof ReadDropped)
  await endAll()
  await Promise.all([running, stays])
  assert.deepEqual(order, ['runs', 'stays'])
})

test('the calendar itself waits for as long as it takes, also in a full queue', async () => {
  const { queue, ask, endAll } = openQueue({ waiting: 0, timeout: 1 })
  const running = ask(ONE, 'runs')
  const own = forTheCalendar(() => queue.run(async ({ isUnlimited }) => isUnlimited, { isDropped: true }))
  await assert.rejects(ask(TWO, 'refused'), isBusy)
  await endAll()
  assert.deepEqual(await Promise.all([running, own]), ['runs', true])
})

test('a read that fails makes room for the next', async () => {
  const { queue } = openQueue()
  const failing = queue.run(() => Promise.reject(new Error('no')), { isDropped: true })
  const next = queue.run(async () => 'next', { isDropped: true })
  await assert.rejects(failing, /no/)
  assert.equal(await next, 'next')
  await queue.idle()
})
