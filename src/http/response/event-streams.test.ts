import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { routeFor, serverParts } from '../../../test/support/http.ts'
import { createServer } from '../server.ts'
import type { StreamSource } from './event-streams.ts'

const MINUTE = 60_000

/** The response of a stream that sends one text and then is silent. */
async function openStream(t: TestContext): Promise<IncomingMessage> {
  const stream: StreamSource = async ({ send, signal }) => {
    await send('data: first\n\n')
    await once(signal, 'abort')
  }
  const handle = async () => ({ status: 200, body: undefined, text: Buffer.alloc(0), type: 'text/plain', stream })
  const server = createServer(serverParts([routeFor('GET', '/x', { handle })]))
  t.after(() => server.close())
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const request = get({ host: '127.0.0.1', port, path: '/cal/events/v1/x', agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response.setEncoding('utf8')
}

/** Lets time pass for timers, and what they have done come to its end. */
async function pass(t: TestContext, milliseconds: number): Promise<void> {
  t.mock.timers.tick(milliseconds)
  await new Promise((resolve) => setImmediate(resolve))
}

test('a silent stream shows now and then that it is alive, and ends after 15 minutes', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const response = await openStream(t)
  let said = ''
  const heard = new Promise<void>((resolve) => {
    response.on('data', (text: string) => {
      said += text
      if (said.endsWith(':\n\n')) resolve()
    })
  })
  const isOver = { now: false }
  const ended = once(response, 'end').then(() => Object.assign(isOver, { now: true }))
  await pass(t, 25_000)
  await heard
  assert.match(said, /^data: first\n\n/)
  await pass(t, 15 * MINUTE - 25_001)
  assert.equal(isOver.now, false)
  await pass(t, 1)
  await ended
})
