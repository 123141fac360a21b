import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { assertError, parsedResponse, routeFor, serverParts, TEST_BOUNDS } from '../../../test/support/http.ts'
import { createServer } from '../server.ts'
import type { ServerOptions } from '../server-parts.ts'

const GET = 'GET /cal/events/v1/x HTTP/1.1\r\nHost: x\r\n\r\n'

async function openServer(t: TestContext, options: Partial<ServerOptions>): Promise<number> {
  const handle = async () => ({ status: 200, body: {} })
  const server = createServer(serverParts([routeFor('GET', '/x', { handle })], options))
  t.after(() => server.close())
  return server.listen({ host: '127.0.0.1', port: 0 })
}

async function open(t: TestContext, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

async function ask(socket: Socket): Promise<string> {
  socket.write(GET)
  return String((await once(socket, 'data'))[0])
}

test('connections of one client above their number are answered 503 and end, until others have closed', async (t) => {
  const port = await openServer(t, { bounds: { ...TEST_BOUNDS, clientConnections: 3 } })
  const taken = await Promise.all([open(t, port), open(t, port), open(t, port)])
  for (const socket of taken) assert.equal(parsedResponse(await ask(socket)).status, 200)
  const socket = await open(t, port)
  const closed = once(socket, 'close')
  const refused = await ask(socket)
  assertError(parsedResponse(refused), 503, 'rest_unavailable')
  assert.match(refused, /^retry-after: 1\r$/im)
  assert.match(refused, /^connection: close\r$/im)
  await closed
  for (const one of taken.slice(1)) assert.equal(parsedResponse(await ask(one)).status, 200)
  taken[0]?.destroy()
  for (;;) if (parsedResponse(await ask(await open(t, port))).status === 200) break
})

test('proxies that are believed may have as many connections as there are, and no more', async (t) => {
  const bounds = { ...TEST_BOUNDS, connections: 5, clientConnections: 2 }
  const port = await openServer(t, { bounds, trustedProxies: ['127.0.0.1'] })
  // Requests under way keep them from being idle.
  const half = 'GET /cal/events/v1/x HTTP/1.1\r\nHost: x\r\n'
  const sockets: Socket[] = []
  for (let count = 0; count < 5; count += 1) {
    const socket = await open(t, port)
    socket.write(half)
    sockets.push(socket)
  }
  assertError(parsedResponse(await ask(await open(t, port))), 503, 'rest_unavailable')
  for (const socket of sockets) {
    socket.write('\r\n')
    assert.equal(parsedResponse(String((await once(socket, 'data'))[0])).status, 200)
  }
})

test('idle connections make room for new ones', async (t) => {
  const port = await openServer(t, { bounds: { ...TEST_BOUNDS, connections: 4 } })
  const idle = [await open(t, port), await open(t, port), await open(t, port)]
  for (const socket of idle) assert.equal(parsedResponse(await ask(socket)).status, 200)
  const closed = Promise.all(idle.map((socket) => once(socket, 'close')))
  assert.equal(parsedResponse(await ask(await open(t, port))).status, 200)
  await closed
})

test('clients with many connections take turns with new ones: nobody waits until all of somebody else are read', async (t) => {
  const port = await openServer(t, {})
  const order: string[] = []
  const clients = [...Array<string>(60).fill('127.0.0.1'), '127.0.0.2']
  const answered = clients.map(async (localAddress) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    t.after(() => socket.destroy())
    socket.write(GET)
    await once(socket, 'data')
    order.push(localAddress)
  })
  await Promise.all(answered)
  assert.ok(order.indexOf('127.0.0.2') < 30, order.join(' '))
})
