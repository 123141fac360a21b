import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { noteAccepted } from './admission-queue.ts'
import { paceBody } from './paced-body.ts'

const CONNECTIONS = 12
const BYTES = 1_000_000
/** What Node reads at once. */
const PIECE = 65_536

/** Requests on so many connections whose bodies wait to be read, in the buffers of the system. */
async function waitingBodies(t: TestContext, connections: number): Promise<readonly IncomingMessage[]> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    request.once('end', () => response.end())
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const head = `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${BYTES}\r\n\r\n`
  const message = Buffer.concat([Buffer.from(head), Buffer.alloc(BYTES)])
  const sockets = Array.from({ length: connections }, () =>
    connect((server.address() as AddressInfo).port, '127.0.0.1'),
  )
  for (const socket of sockets) socket.resume().write(message)
  while (requests.length < connections) await delay(10)
  // The buffers of the system are full by then, so that a turn could read a lot.
  await delay(100)
  return requests
}

test('of the bodies of many connections a few pieces come in each turn of the event loop, and all come whole', async (t) => {
  const requests = await waitingBodies(t, CONNECTIONS)
  let [turn, most, total] = [0, 0, 0]
  const ended = requests.map((request) => {
    const next = paceBody(request, 'one')
    // What Node had read before comes at once, and is not counted.
    let isFirst = true
    request.on('data', (piece: Buffer) => {
      if (!isFirst) turn += piece.length
      total += piece.length
      next()
    })
    setImmediate(() => {
      isFirst = false
    })
    return once(request, 'end')
  })
  const isOver = Promise.all(ended).then(() => true)
  let isReading = true
  void isOver.then(() => {
    isReading = false
  })
  while (isReading) {
    most = Math.max(most, turn)
    turn = 0
    await new Promise(setImmediate)
  }
  assert.equal(total, CONNECTIONS * BYTES)
  assert.ok(most <= 4 * PIECE, `${most} bytes in one turn`)
  assert.ok(most > 0)
})

test('bodies wait while connections are accepted, for some dozens of turns', async (t) => {
  const [request] = await waitingBodies(t, 1)
  assert.ok(request)
  let total = 0
  const next = paceBody(request, 'one')
  request.on('data', (piece: Buffer) => {
    total += piece.length
    next()
  })
  // What Node had read before comes at once.
  await new Promise(setImmediate)
  const before = total
  const turns = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) {
      noteAccepted()
      await new Promise(setImmediate)
    }
  }
  await turns(50)
  assert.equal(total, before)
  await turns(50)
  assert.ok(total > before)
  await once(request, 'end')
  assert.equal(total, BYTES)
})
