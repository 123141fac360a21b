import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { assertError, parsedResponse, routeFor, serverParts, TEST_BOUNDS, talk } from '../../test/support/http.ts'
import { watchConnections } from './connections.ts'
import { networksOf } from './request/clients.ts'
import { createServer, type Server } from './server.ts'
import type { ServerOptions } from './server-deps.ts'

const API = '/cal/events/v1'
const GET = `GET ${API}/x HTTP/1.1\r\nHost: x\r\n\r\n`
const GET_SLOW = `GET ${API}/slow HTTP/1.1\r\nHost: x\r\n\r\n`

async function openServer(
  t: TestContext,
  options: Partial<ServerOptions> = {},
): Promise<{ port: number; server: Server }> {
  const handle = async () => ({ status: 200, body: {} })
  const server = createServer(
    serverParts([routeFor('GET', '/x', { handle }), routeFor('POST', '/x', { handle })], options),
  )
  t.after(() => server.close())
  return { port: await server.listen({ host: '127.0.0.1', port: 0 }), server }
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

/** Whether a new connection gets a response rather than being closed. */
async function isServed(t: TestContext, port: number): Promise<boolean> {
  const socket = await open(t, port)
  socket.write(GET)
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
}

test('connections of one client above their number are closed, until others have closed', async (t) => {
  const { port, server } = await openServer(t, { bounds: { ...TEST_BOUNDS, clientConnections: 3 } })
  const taken = await Promise.all([open(t, port), open(t, port), open(t, port)])
  for (const socket of taken) assert.equal(parsedResponse(await ask(socket)).status, 200)
  assert.equal(await isServed(t, port), false)
  assert.equal(server.refused.connections, 1)
  for (const one of taken.slice(1)) assert.equal(parsedResponse(await ask(one)).status, 200)
  taken[0]?.destroy()
  while (!(await isServed(t, port)));
})

test('proxies that are believed may have as many connections as there are, and no more', async (t) => {
  const bounds = { ...TEST_BOUNDS, connections: 5, clientConnections: 2 }
  const { port, server } = await openServer(t, { bounds, trustedProxies: ['127.0.0.1'] })
  const taken: Socket[] = []
  for (let count = 0; count < 5; count += 1) taken.push(await open(t, port))
  for (const socket of taken) assert.equal(parsedResponse(await ask(socket)).status, 200)
  assert.equal(await isServed(t, port), false)
  assert.equal(server.refused.connections, 1)
})

test('a connection on which nothing moves ends, even with a response under way', async (t) => {
  const handle = async () => ({ status: 200, body: 'x'.repeat(32 * 1024 ** 2) })
  const options = { bounds: { ...TEST_BOUNDS, stillness: 200 } }
  const server = createServer(serverParts([routeFor('GET', '/x', { handle })], options))
  t.after(() => server.close())
  const socket = await open(t, await server.listen({ host: '127.0.0.1', port: 0 }))
  socket.pause().write(GET)
  await server.close()
})

function statusesIn(heard: string): string[] {
  return Array.from(heard.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status = '']) => status)
}

test('a request whose own body is broken is answered once, with 400', async (t) => {
  const { port } = await openServer(t)
  const head = `POST ${API}/x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  assert.deepEqual(statusesIn(await talk(port, `${head}5\r\n{"a":\r\nZZ\r\n`)), ['400'])
})

test('a request without a host is refused in JSON, unless it is of HTTP 1.0', async (t) => {
  const { port } = await openServer(t)
  const refused = await talk(port, `GET ${API}/x HTTP/1.1\r\nConnection: close\r\n\r\n`)
  assert.deepEqual(statusesIn(refused), ['400'])
  assert.match(refused, /"rest_bad_request"/)
  assert.deepEqual(statusesIn(await talk(port, `GET ${API}/x HTTP/1.0\r\n\r\n`)), ['200'])
})

test('a request that takes too long to arrive is rest_request_timeout', async (t) => {
  const http = createHttpServer({ headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 })
  const refused = watchConnections(http, { ...TEST_BOUNDS, proxies: networksOf([]) })
  t.after(() => http.close())
  await once(http.listen(0, '127.0.0.1'), 'listening')
  const raw = await talk((http.address() as AddressInfo).port, 'GET / HTTP/1.1\r\n')
  assertError(parsedResponse(raw), 408, 'rest_request_timeout')
  assert.equal(refused().malformed, 1)
})

test('a method that nobody knows has no route, other bytes are no request', async (t) => {
  const { port } = await openServer(t)
  for (const [line, status, code] of [
    [`FOO ${API}/x HTTP/1.1`, '404', 'rest_no_route'],
    [`GETS ${API}/x HTTP/1.1`, '404', 'rest_no_route'],
    [`get ${API}/x HTTP/1.0`, '404', 'rest_no_route'],
    [`FOO ${API}/x HTTP/9.1`, '400', 'rest_bad_request'],
    [`F@O ${API}/x HTTP/1.1`, '400', 'rest_bad_request'],
    ['SSH-2.0-client', '400', 'rest_bad_request'],
  ] as const) {
    const heard = await talk(port, `${line}\r\nHost: x\r\n\r\n`)
    assert.deepEqual([statusesIn(heard), heard.includes(`"${code}"`)], [[status], true], line)
  }
})
/** A server with a route that answers when it is told to. */
async function openSlowServer(
  t: TestContext,
): Promise<{ server: Server; port: number; arrived: Promise<void>; go(): void }> {
  const arrived = Promise.withResolvers<void>()
  const answering = Promise.withResolvers<void>()
  const handle = async () => {
    arrived.resolve()
    await answering.promise
    return { status: 200, body: {} }
  }
  const server = createServer(serverParts([routeFor('GET', '/slow', { handle })]))
  t.after(() => server.close())
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  return { server, port, arrived: arrived.promise, go: answering.resolve }
}

/** Waits until nobody listens on a port. */
async function untilClosed(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (!isOpen) return
  }
}

test('a server that closes keeps no connection for another request', async (t) => {
  const { server, port, arrived, go } = await openSlowServer(t)
  const socket = connect(port, '127.0.0.1')
  socket.write(GET_SLOW)
  await arrived
  const began = performance.now()
  const closed = server.close()
  await untilClosed(port)
  go()
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 200/)
  await closed
  assert.ok(performance.now() - began < 20_000)
})

test('connections that have never asked for anything hold up no server that closes', async (t) => {
  const { server, port } = await openSlowServer(t)
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  // Taken in the order of their coming.
  assert.equal((await fetch(`http://127.0.0.1:${port}/cal/events/v1/none`)).status, 404)
  const began = performance.now()
  const ended = once(socket, 'close')
  await server.close()
  await ended
  assert.ok(performance.now() - began < 20_000)
})

/** Lets time pass for timers, and what they have done come to its end. */
async function pass(t: TestContext, milliseconds: number): Promise<void> {
  t.mock.timers.tick(milliseconds)
  await new Promise((resolve) => setImmediate(resolve))
}

test('a server that closes breaks off what is not answered within a minute', async (t) => {
  const { server, port, arrived, go } = await openSlowServer(t)
  const whole = connect(port, '127.0.0.1')
  whole.write(GET_SLOW)
  await arrived
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const closing = server.close()
  await pass(t, 60_000)
  await closing
  go()
})
