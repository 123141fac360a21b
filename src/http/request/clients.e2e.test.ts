import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { openTurns } from './clients.ts'

/** Waits for the next turn of the event loop. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a request that cannot be begun leaves the others in the line', () => {
  const script = `
    import { openTurns } from ${JSON.stringify(new URL('./clients.ts', import.meta.url))}
    process.on('uncaughtException', (error) => console.log(error.message))
    const line = openTurns()
    for (const one of ['a', 'b', 'c']) line(() => { if (one === 'b') throw new Error(one); console.log(one) }, 'one')
    setTimeout(() => line(() => console.log('d'), 'one'), 10)`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  assert.deepEqual(stdout.trim().split('\n'), ['a', 'b', 'c', 'd'])
})

test('many requests at once are begun in their order, a few in each turn of the event loop', async () => {
  const begun: number[] = []
  const line = openTurns()
  const numbers = Array.from({ length: 50 }, (_none, number) => number)
  for (const number of numbers) line(() => void begun.push(number), 'one')
  assert.equal(begun.length, 0)
  const counts: number[] = []
  while (begun.length < numbers.length) {
    const before = begun.length
    await nextTurn()
    counts.push(begun.length - before)
  }
  assert.deepEqual(begun, numbers)
  assert.ok(Math.max(...counts) <= 4, String(counts))
  line(() => void begun.push(50), 'one')
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
  assert.equal(begun.at(-1), 50)
})

test('a client that sends many requests at once has one of them begun for each of another client', async () => {
  const begun: string[] = []
  const line = openTurns()
  for (let number = 0; number < 20; number += 1) line(() => void begun.push('many'), '192.0.2.1')
  line(() => void begun.push('few'), '192.0.2.2')
  line(() => void begun.push('few'), '192.0.2.2')
  while (begun.length < 22) await nextTurn()
  assert.deepEqual(begun.slice(0, 5), ['many', 'few', 'many', 'few', 'many'])
})
