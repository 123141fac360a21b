import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { type TestContext, test } from 'node:test'
import { routeFor, serverParts, talk } from '../../../test/support/http.ts'
import { openTestCache } from '../../../test/support/response-cache.ts'
import { createLog } from '../../base/log.ts'
import { createServer } from '../server.ts'
import { AccessLog } from './access-log.ts'

const PATH = '/cal/events/v1/things'

/** A server with a cache that writes an access log; its lines by the order in which requests ended. */
async function serverFor(t: TestContext) {
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const routes = [
    routeFor('GET', '/things', {
      handle: async () => ({ status: 200, body: { a: 1 }, freshness: { dependencies: [] } }),
    }),
    routeFor('PATCH', '/things', { handle: async () => ({ status: 200, body: { a: 2 } }) }),
    routeFor('GET', '/slow', {
      handle: async () => {
        asked.resolve()
        await gate.promise
        return { status: 200, body: {} }
      },
    }),
  ]
  let clock = 0
  const lines: Record<string, unknown>[] = []
  const log = createLog({ level: 'info', now: () => 5, stream: { write: (line) => void lines.push(JSON.parse(line)) } })
  const access = new AccessLog({
    log,
    now: () => (clock += 3),
  })
  const cache = openTestCache({ hasProxies: true })
  const options = { baseUrl: 'https://calendar.example', trustedProxies: ['127.0.0.1'] }
  const server = createServer({ ...serverParts(routes, options), cache, access })
  t.after(() => server.close())
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  return { port, lines, asked: asked.promise, go: gate.resolve }
}

const get = (path: string, ...headers: string[]): string =>
  `${[`GET ${path} HTTP/1.1`, 'Host: x', ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`

test('a line tells who asked for what, from where, and how it ended', async (t) => {
  const { port, lines } = await serverFor(t)
  const heard = await talk(
    port,
    `POST ${PATH}?_method=PATCH&password=opensesame HTTP/1.1\r\nHost: x\r\nX-Request-Id: abc\r\nUser-Agent: ${'u'.repeat(300)}\r\nX-Forwarded-For: 198.51.100.1, 203.0.113.9\r\nAuthorization: Basic Z29vZDpvcGVuc2VzYW1l\r\nConnection: close\r\n\r\n`,
  )
  assert.deepEqual(lines, [
    {
      level: 30,
      time: 5,
      requestId: 'abc',
      client: '203.0.113.9',
      method: 'POST',
      path: `${PATH}?_method=PATCH&password=***`,
      status: 200,
      bytes: Buffer.byteLength(heard),
      ms: 3,
      user: 'author',
      userId: 1,
      cached: false,
      agent: 'u'.repeat(256),
      msg: 'request',
    },
  ])
})

test('what is sent from the cache has a line, too, and says so', async (t) => {
  const { port, lines } = await serverFor(t)
  const sizes: number[] = []
  for (let turn = 0; turn < 2; turn += 1) sizes.push(Buffer.byteLength(await talk(port, get(PATH))))
  assert.deepEqual(
    lines.map(({ cached, status, bytes, user }) => [cached, status, bytes, user]),
    [
      [false, 200, sizes[0], undefined],
      [true, 200, sizes[1], undefined],
    ],
  )
})

test('each of several requests on a connection has its own bytes', async (t) => {
  const { port, lines } = await serverFor(t)
  const keepAlive = get(PATH).replace('Connection: close\r\n', '')
  const heard = await talk(port, `${keepAlive}${keepAlive}${get('/nothing')}`)
  assert.deepEqual(
    lines.map(({ path, status }) => [path, status]),
    [
      [PATH, 200],
      [PATH, 200],
      ['/nothing', 404],
    ],
  )
  assert.equal(
    lines.reduce((sum, { bytes }) => sum + Number(bytes), 0),
    Buffer.byteLength(heard),
  )
})

test('wrong credentials are a line without a user, and nothing of them is in it', async (t) => {
  const { port, lines } = await serverFor(t)
  await talk(port, get(PATH, 'Authorization: Basic bad'))
  assert.deepEqual(
    lines.map(({ status, user }) => [status, user]),
    [[401, undefined]],
  )
  assert.doesNotMatch(JSON.stringify(lines), /bad/)
})

test('a client that goes away before it is answered has a line that says so', async (t) => {
  const { port, lines, asked, go } = await serverFor(t)
  const socket = net.connect(port, '127.0.0.1', () => socket.write(get('/cal/events/v1/slow')))
  await asked
  const closed = once(socket, 'close')
  socket.destroy()
  await closed
  while (lines.length === 0) await new Promise(setImmediate)
  go()
  assert.deepEqual(
    lines.map(({ status, aborted, bytes }) => [status, aborted, bytes]),
    [[0, true, 0]],
  )
})
