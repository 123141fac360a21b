import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { openTestCache } from '../../../test/support/response-cache.ts'
import { turns } from '../../base/requester.ts'
import { networksOf } from '../request/clients.ts'
import { ServerRequest } from '../request/server-request.ts'

/** A server with a cache before a handler whose answers cannot be kept, and how to ask it. */
async function serve(
  t: TestContext,
  handler: RequestListener,
  line: (step: () => void, client: string) => void = turns.take,
) {
  const cache = openTestCache()
  const server = createServer((raw, response) =>
    cache.respond(new ServerRequest({ request: raw, response }, networksOf([])), {
      admit: (request, step) => line(() => step(request), 'one'),
      queue: (_request, step) => line(step, 'one'),
      begin: (request) => handler(request.raw, request.response),
    }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const send = (path: string): Socket => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: calendar.example\r\n\r\n`)
    return socket
  }
  /** The status line; that a request is never answered ends the test by its time limit. */
  const ask = async (path: string): Promise<string> => {
    const socket = send(path)
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return chunk.toString('latin1').split('\r\n', 1)[0] ?? ''
  }
  return { server, send, ask }
}

const LIMIT = { timeout: 120_000 }

test('a reader who goes away before the turn has come keeps nobody waiting', LIMIT, async (t) => {
  const inLine: (() => void)[] = []
  const { server, send, ask } = await serve(
    t,
    (_request, response) => setImmediate(() => response.end('made')),
    (begin) => inLine.push(begin),
  )
  const arrived = once(server, 'request') as Promise<[unknown, ServerResponse]>
  const early = send('/')
  const [, response] = await arrived
  early.destroy()
  await once(response, 'close')
  inLine.shift()?.()
  const answer = ask('/')
  while (inLine.length === 0) await new Promise(setImmediate)
  inLine.shift()?.()
  assert.equal(await answer, 'HTTP/1.1 200 OK')
})

test('a reader who gives up while waiting for the answer to somebody else keeps nobody waiting', LIMIT, async (t) => {
  const waiting: (() => void)[] = []
  const { send, ask } = await serve(t, (_request, response) => {
    waiting.push(() => response.end('made'))
  })
  const [first, second] = [send('/'), send('/')]
  while (waiting.length === 0) await new Promise(setImmediate)
  second.destroy()
  await once(second, 'close')
  // The server hears of it a moment later; what is asked on another connection comes after it.
  const other = ask('/other')
  while (waiting.length < 2) await new Promise(setImmediate)
  for (const answer of waiting.splice(0)) answer()
  assert.equal(await other, 'HTTP/1.1 200 OK')
  await once(first, 'data')
  const third = ask('/')
  const answering = setInterval(() => {
    for (const answer of waiting.splice(0)) answer()
  }, 1)
  t.after(() => clearInterval(answering))
  assert.equal(await third, 'HTTP/1.1 200 OK')
})

test('a reader who does not read keeps nobody waiting who asks for the same', LIMIT, async (t) => {
  const body = Buffer.alloc(16_000_000, 'a')
  let begun = 0
  const { send, ask } = await serve(t, (_request, response) => {
    begun += 1
    response.end(body)
  })
  const slow = send('/').pause()
  t.after(() => slow.destroy())
  while (begun === 0) await new Promise(setImmediate)
  assert.equal(await ask('/'), 'HTTP/1.1 200 OK')
})
