import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { routeFor, serverParts, TEST_BOUNDS } from '../../../test/support/http.ts'
import type { StreamSource } from '../response/event-streams.ts'
import type { Reply } from '../route.ts'
import { createServer } from '../server.ts'

const MIB = 1024 ** 2

/** More than the system itself takes for somebody who reads nothing. */
const LARGE = 32 * MIB

/** A stream that sends as much, in some texts. */
const stream: StreamSource = ({ send }) => send(...Array.from({ length: 8 }, () => 'x'.repeat(LARGE / 8)))

async function openServer(
  t: TestContext,
  bounds: Partial<typeof TEST_BOUNDS>,
  reply: Partial<Reply> = { body: 'x'.repeat(LARGE) },
): Promise<number> {
  const handle = async () => ({ status: 200, body: undefined, ...reply })
  const options = { bounds: { ...TEST_BOUNDS, ...bounds } }
  const server = createServer(serverParts([routeFor('GET', '/x', { handle })], options))
  t.after(() => server.close())
  return server.listen({ host: '127.0.0.1', port: 0 })
}

/** Asks for the large response and reads nothing of it. */
async function ask(t: TestContext, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  t.after(() => socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write('GET /cal/events/v1/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await once(socket, 'readable')
  return socket
}

/** Resolves when the server on this port has ended the next connection that it takes. */
function connectionEnds(t: TestContext, port: number): Promise<void> {
  const channel = 'net.server.socket'
  return new Promise((resolve) => {
    const note = (message: unknown): void => {
      const { socket } = message as { socket: Socket }
      if (socket.localPort === port) socket.once('close', () => resolve())
    }
    subscribe(channel, note)
    t.after(() => void unsubscribe(channel, note))
  })
}

/** The bytes that still come. */
async function rest(socket: Socket): Promise<number> {
  let length = 0
  socket.on('data', (piece) => {
    length += piece.length
  })
  await once(socket, 'close')
  return length
}

test('of responses that nobody reads so many bytes are held, and the oldest is given up', async (t) => {
  const port = await openServer(t, { responseBytes: 2.5 * LARGE })
  const oldest = await ask(t, port)
  const others = [await ask(t, port), await ask(t, port)]
  assert.ok((await rest(oldest)) < LARGE, 'the oldest is cut off')
  for (const length of await Promise.all(others.map(rest))) assert.ok(length > LARGE, 'the others are whole')
})

test('what the streams of a client have waiting counts like responses', async (t) => {
  const port = await openServer(
    t,
    { responseBytes: 2.5 * LARGE },
    { text: Buffer.alloc(0), type: 'text/plain', stream },
  )
  const oldest = await ask(t, port)
  const others = [await ask(t, port), await ask(t, port)]
  assert.ok((await rest(oldest)) < LARGE, 'the oldest is cut off')
  for (const length of await Promise.all(others.map(rest))) assert.ok(length > LARGE, 'the others are whole')
})

test('one response may be larger than the bound', async (t) => {
  const port = await openServer(t, { responseBytes: MIB })
  assert.ok((await rest(await ask(t, port))) > LARGE)
})

test('a connection on which nothing moves ends, even with a response under way', async (t) => {
  const port = await openServer(t, { stillness: 200 })
  const ended = connectionEnds(t, port)
  const socket = await ask(t, port)
  await ended
  assert.ok((await rest(socket)) < LARGE)
})
