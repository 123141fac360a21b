import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { assertError, parsedResponse, routeFor, serverParts, talk } from '../../../test/support/http.ts'
import { createServer } from '../server.ts'
import { keepReading } from './linger.ts'

async function openServer(t: TestContext): Promise<number> {
  const handle = async () => ({ status: 200, body: {} })
  const server = createServer(serverParts([routeFor('POST', '/x', { handle })]))
  t.after(() => server.close())
  return server.listen({ host: '127.0.0.1', port: 0 })
}

const headOf = (length: number): string =>
  `POST /cal/events/v1/x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

test('who sends far too much gets the refusal, also when he reads it only at the end', async (t) => {
  const port = await openServer(t)
  const body = 'x'.repeat(40_000_000)
  for (let turn = 0; turn < 5; turn += 1) {
    assertError(parsedResponse(await talk(port, headOf(body.length) + body)), 413, 'rest_body_too_large')
  }
})

test('of all refused bodies a few pieces are read in a turn of the event loop', async (t) => {
  /** Bytes that came in each turn. */
  const read = [0]
  const ended: Promise<unknown>[] = []
  const count = (): void => {
    read.push(0)
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const server = createHttpServer((request, response) => {
    keepReading(request, response)
    response.once('finish', () =>
      request.prependListener('data', (piece: Buffer) => {
        read[read.length - 1] = (read.at(-1) ?? 0) + piece.length
      }),
    )
    ended.push(once(request, 'close'))
    response.writeHead(413, { connection: 'close' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    clearImmediate(counting)
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const body = 'x'.repeat(2_000_000)
  const sendAll = async (): Promise<void> => {
    // One that does not stop when the answer has ended.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.resume().end(headOf(body.length) + body)
    await once(socket, 'close')
  }
  await Promise.all(Array.from({ length: 16 }, sendAll))
  await Promise.all(ended)
  assert.ok(read.reduce((sum, own) => sum + own) > 16 * 1_500_000)
  // Each connection has a piece at hand when it is refused, and Node reads 64 KiB at a time.
  assert.ok(Math.max(...read) <= (4 + 1) * 65_536, read.join())
})

test('the rest of a refused body is waited for, but not for long', async (t) => {
  const port = await openServer(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  // One that does not stop when the answer has ended.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.write(`${headOf(40_000_000)}x`)
  assertError(parsedResponse(String((await once(socket, 'data'))[0])), 413, 'rest_body_too_large')
  let isRefused = false
  socket.on('error', () => {
    isRefused = true
  })
  const sendMore = async (): Promise<void> => {
    socket.write('x')
    await new Promise((resolve) => setImmediate(resolve))
  }
  t.mock.timers.tick(29_000)
  for (let turn = 0; turn < 20; turn += 1) await sendMore()
  assert.equal(isRefused, false)
  t.mock.timers.tick(1000)
  while (!isRefused) await sendMore()
})

test('who stops sending when the answer has ended is not held', async (t) => {
  const port = await openServer(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  assertError(parsedResponse(await talk(port, `${headOf(40_000_000)}x`)), 413, 'rest_body_too_large')
})

test('a connection that breaks while the rest of its body is waited for leaves no timer behind', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const server = createServer(
    serverParts([routeFor('POST', '/x', { handle: async () => ({ status: 200, body: {} }) })]),
  )
  const before = timers()
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.write(`${headOf(40_000_000)}x`)
  assertError(parsedResponse(String((await once(socket, 'data'))[0])), 413, 'rest_body_too_large')
  socket.resetAndDestroy()
  await server.close()
  // Less than a timer takes to end by itself.
  for (const deadline = Date.now() + 10_000; timers() > before && Date.now() < deadline; )
    await new Promise((resolve) => setImmediate(resolve))
  // Timers of other tests in this process may have ended meanwhile.
  assert.ok(timers() <= before, `${timers()} after ${before}`)
})
