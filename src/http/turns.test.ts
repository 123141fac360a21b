import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { inTurns } from './turns.ts'

/** Waits for the next turn of the event loop. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('many requests at once are begun in their order, a few in each turn of the event loop', async () => {
  const begun: string[] = []
  const handle = inTurns((request) => void begun.push(request.url ?? ''))
  const addresses = Array.from({ length: 50 }, (_none, number) => `/${number}`)
  for (const url of addresses) {
    const request = Object.assign(new IncomingMessage(new Socket()), { url })
    handle(request, new ServerResponse(request))
  }
  assert.deepEqual(begun, [])
  const counts: number[] = []
  while (begun.length < addresses.length) {
    const before = begun.length
    await nextTurn()
    counts.push(begun.length - before)
  }
  assert.deepEqual(begun, addresses)
  assert.ok(Math.max(...counts) <= 4, String(counts))
  const request = Object.assign(new IncomingMessage(new Socket()), { url: '/later' })
  handle(request, new ServerResponse(request))
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
  assert.equal(begun.at(-1), '/later')
})
