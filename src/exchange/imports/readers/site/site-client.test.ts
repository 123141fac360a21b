import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { type TestContext } from 'node:test'
import { addressGate } from '../../../../base/outgoing/addresses.ts'
import { openSiteClient } from './site-client.ts'

/** Milliseconds that the server asks to wait: what it sends as Retry-After. */
const WAIT = 1000

/** A server that asks its first client to wait, and notes when it was asked, and when it said so. */
async function openBusy(t: TestContext): Promise<{ readonly origin: string; readonly asked: number[]; said: number }> {
  const busy = { origin: '', asked: [] as number[], said: 0 }
  const server = createServer((_request, response) => {
    busy.asked.push(performance.now())
    if (busy.asked.length > 1) return void response.end('{}')
    busy.said = performance.now()
    response.writeHead(429, { 'retry-after': String(WAIT / 1000) }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  busy.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return busy
}

for (const rate of [0, 500]) {
  test(`nothing is sent before Retry-After has passed, also of what waits for its turn (rate ${rate})`, async (t) => {
    const busy = await openBusy(t)
    const gate = addressGate(['127.0.0.1'])
    const client = openSiteClient({
      gate,
      rate,
      concurrency: 1,
      now: Date.now,
      backoff: 1,
      patience: 60_000,
      home: busy.origin,
    })
    t.after(() => client.close())
    const answers = await Promise.all([1, 2, 3].map((page) => client.ask(`${busy.origin}/${page}`, { want: 'json' })))
    assert.deepEqual(
      answers.map(({ ok }) => ok),
      [true, true, true],
    )
    assert.equal(busy.asked.length, 4)
    const [, second = 0] = busy.asked
    assert.ok(second - busy.said >= WAIT, `asked again after ${second - busy.said} ms`)
  })
}
