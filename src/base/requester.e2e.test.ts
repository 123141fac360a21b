import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { openTurns } from './requester.ts'

/** Waits for the next turn of the event loop. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a request that cannot be begun leaves the others in the line', () => {
  const script = `
    import { openTurns } from ${JSON.stringify(new URL('./requester.ts', import.meta.url))}
    process.on('uncaughtException', (error) => console.log(error.message))
    const line = openTurns()
    for (const one of ['a', 'b', 'c']) line.take(() => { if (one === 'b') throw new Error(one); console.log(one) }, 'one')
    setTimeout(() => line.take(() => console.log('d'), 'one'), 10)`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  assert.deepEqual(stdout.trim().split('\n'), ['a', 'b', 'c', 'd'])
})

test('many requests at once are begun in their order, a few in each turn of the event loop', async () => {
  const begun: number[] = []
  const line = openTurns()
  const numbers = Array.from({ length: 50 }, (_none, number) => number)
  for (const number of numbers) line.take(() => void begun.push(number), 'one')
  assert.equal(begun.length, 0)
  const counts: number[] = []
  while (begun.length < numbers.length) {
    const before = begun.length
    await nextTurn()
    counts.push(begun.length - before)
  }
  assert.deepEqual(begun, numbers)
  assert.ok(Math.max(...counts) <= 4, String(counts))
  line.take(() => void begun.push(50), 'one')
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
  assert.equal(begun.at(-1), 50)
})

test('a client that sends many requests at once has one of them begun for each of another client', async () => {
  const begun: string[] = []
  const line = openTurns()
  for (let number = 0; number < 20; number += 1) line.take(() => void begun.push('many'), '192.0.2.1')
  line.take(() => void begun.push('few'), '192.0.2.2')
  line.take(() => void begun.push('few'), '192.0.2.2')
  while (begun.length < 22) await nextTurn()
  assert.deepEqual(begun.slice(0, 5), ['many', 'few', 'many', 'few', 'many'])
})

test('slow steps are taken one a turn, until one was quick', async () => {
  let used = 0
  const line = openTurns({ used: () => used })
  const begun: number[] = []
  const costs = [9, 9, 9, 9, 9, 9, 0, 0, 0, 0, 0]
  for (const cost of costs) {
    const goOn = async (): Promise<void> => {
      begun.push(cost)
      await Promise.resolve()
      // What a step does after it was taken counts as well.
      used += cost
    }
    line.take(() => void goOn(), 'one')
  }
  const counts: number[] = []
  while (begun.length < costs.length) {
    const before = begun.length
    await nextTurn()
    counts.push(begun.length - before)
  }
  assert.deepEqual(
    counts.filter((count) => count > 0),
    [4, 1, 1, 1, 4],
  )
})

test('connections are accepted before the next slow step, for as long as the last one took', async () => {
  let used = 0
  const line = openTurns({ used: () => used })
  const begun: number[] = []
  for (const number of [1, 2, 3, 4, 5, 6])
    line.take(() => {
      begun.push(number)
      used += 5
    }, 'one')
  while (begun.length < 4) await nextTurn()
  for (let accepted = 0; accepted < 20; accepted += 1) {
    line.noteConnection()
    await nextTurn()
    assert.equal(begun.length, 4, `after ${accepted} connections`)
    used += 1
  }
  line.noteConnection()
  await nextTurn()
  assert.equal(begun.length, 5)
  await nextTurn()
  assert.equal(begun.length, 6)
})

test('a client goes on with what it has begun before it begins more, and leaves others their turn', async () => {
  const line = openTurns({ perTurn: 1, used: () => 0 })
  const order: string[] = []
  const read = async (name: string, client: string): Promise<void> => {
    order.push(`${name} begins`)
    await line.goOn(client)
    order.push(`${name} ends`)
  }
  const list = (name: string, client: string): void => line.take(() => void read(name, client), client)
  list('first', 'many')
  list('second', 'many')
  list('visit', 'few')
  while (order.length < 6) await nextTurn()
  assert.deepEqual(order.slice(0, 5), ['first begins', 'visit begins', 'first ends', 'visit ends', 'second begins'])
})

test('what a client has begun goes on in turns, and lets a request in after every fourth of its steps', async () => {
  const line = openTurns({ perTurn: 1, used: () => 0 })
  const order: string[] = []
  const download = async (name: string): Promise<void> => {
    for (let part = 0; part < 6; part += 1) {
      await line.goOn('office')
      order.push(name)
    }
  }
  const downloads = Promise.all([download('one'), download('two')])
  line.take(() => order.push('visit'), 'office')
  await downloads
  assert.deepEqual(order.slice(0, 7), ['one', 'two', 'one', 'two', 'visit', 'one', 'two'])
  assert.equal(order.length, 13)
})
