import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { routeFor, serverParts } from '../../../test/support/http.ts'
import { createServer, type Server } from '../server.ts'

const REQUEST = 'GET /cal/events/v1/slow HTTP/1.1\r\nHost: x\r\n\r\n'

/** A server with a route that answers when it is told to. */
async function openServer(
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
  const { server, port, arrived, go } = await openServer(t)
  const socket = connect(port, '127.0.0.1')
  socket.write(REQUEST)
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
  const { server, port } = await openServer(t)
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

test('a server that closes waits for responses for a minute, for the rest of requests five seconds', async (t) => {
  const { server, port, arrived, go } = await openServer(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const [head, body, whole] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  head.write('GET /')
  body.write('POST /cal/events/v1/slow HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf')
  whole.write(REQUEST)
  await arrived
  const half = Promise.all([once(head, 'close'), once(body, 'close')])
  const isOpen = { half: true, server: true }
  void half.then(() => Object.assign(isOpen, { half: false }))
  const closing = server.close().then(() => Object.assign(isOpen, { server: false }))
  await pass(t, 4900)
  assert.equal(isOpen.half, true)
  await pass(t, 100)
  await half
  await pass(t, 54_000)
  assert.equal(isOpen.server, true)
  go()
  assert.match(String((await once(whole, 'data'))[0]), /^HTTP\/1.1 200/)
  whole.destroy()
  await closing
})

test('a server that closes breaks off what is not answered within a minute', async (t) => {
  const { server, port, arrived, go } = await openServer(t)
  const whole = connect(port, '127.0.0.1')
  whole.write(REQUEST)
  await arrived
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const closing = server.close()
  await pass(t, 60_000)
  await closing
  go()
})
