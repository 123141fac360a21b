import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { assertError, parsedResponse, routeFor, serverParts, TEST_BOUNDS, talk } from '../../test/support/http.ts'
import { createServer } from './server.ts'
import type { ServerOptions } from './server-deps.ts'

const SLOW = '/cal/events/v1/slow'

interface Made {
  readonly port: number
  /** Resolves when so many requests have been started. */
  begun(count: number): Promise<void>
  /** Lets all of them be answered. */
  go(): void
}

async function openServer(t: TestContext, options: Partial<ServerOptions>): Promise<Made> {
  const gone = Promise.withResolvers<void>()
  const waiting: { count: number; resolve: () => void }[] = []
  let begun = 0
  const handle = async () => {
    begun += 1
    for (const one of waiting) if (begun >= one.count) one.resolve()
    await gone.promise
    return { status: 200, body: {} }
  }
  const routes = [routeFor('GET', '/slow', { handle }), routeFor('POST', '/slow', { handle })]
  const server = createServer(serverParts(routes, options))
  t.after(() => server.close())
  return {
    port: await server.listen({ host: '127.0.0.1', port: 0 }),
    begun: (count) => new Promise((resolve) => void (begun >= count ? resolve() : waiting.push({ count, resolve }))),
    go: () => gone.resolve(),
  }
}

const get = (own = ''): string => `GET ${SLOW} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${own}\r\n`
const post = `POST ${SLOW} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`

test('one client may have a quarter of all requests under way, with and without a body each', async (t) => {
  const { port, begun, go } = await openServer(t, { bounds: { ...TEST_BOUNDS, requests: 8 } })
  const under = [talk(port, get()), talk(port, get())]
  await begun(2)
  const refused = await talk(port, get())
  assertError(parsedResponse(refused), 503, 'rest_unavailable')
  assert.match(refused, /^retry-after: 1\r$/im)
  under.push(talk(port, post), talk(port, post))
  await begun(4)
  assertError(parsedResponse(await talk(port, post)), 503, 'rest_unavailable')
  go()
  for (const one of under) assert.equal(parsedResponse(await one).status, 200)
  assert.equal(parsedResponse(await talk(port, get())).status, 200)
})

test('requests that are sent at once on one connection are bounded as well', async (t) => {
  const { port, begun, go } = await openServer(t, { bounds: { ...TEST_BOUNDS, requests: 8 } })
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += String(chunk)
  })
  socket.write(`GET ${SLOW} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(50))
  await begun(2)
  go()
  await once(socket, 'close')
  assert.deepEqual(
    [...answer.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status),
    ['200', '200', '503'],
  )
})

test('behind a proxy that is believed, clients are those that it names', async (t) => {
  const bounds = { ...TEST_BOUNDS, requests: 8 }
  const { port, begun, go } = await openServer(t, { bounds, trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] })
  const of = (address: string) => talk(port, get(`X-Forwarded-For: 192.0.2.66, ${address}, 10.1.2.3\r\n`))
  const under = [of('192.0.2.1'), of('192.0.2.1')]
  await begun(2)
  assertError(parsedResponse(await of('192.0.2.1')), 503, 'rest_unavailable')
  under.push(of('192.0.2.2'), of('2001:db8::1'), of('2001:db8::2'))
  await begun(5)
  assertError(parsedResponse(await of('2001:db8::3')), 503, 'rest_unavailable')
  go()
  for (const one of under) assert.equal(parsedResponse(await one).status, 200)
})

test('responses that nobody reads take no places from other requests', async (t) => {
  const handle = async () => ({ status: 200, body: 'x'.repeat(16 * 1024 ** 2) })
  const bounds = { ...TEST_BOUNDS, requests: 4 }
  const server = createServer(serverParts([routeFor('GET', '/slow', { handle })], { bounds }))
  t.after(() => server.close())
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(port, '127.0.0.1').pause()
  t.after(() => socket.destroy())
  socket.write(`GET ${SLOW} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await once(socket, 'readable')
  assert.equal(parsedResponse(await talk(port, get())).status, 200)
})

test('clients that send as much as they can leave places for those who come later', async (t) => {
  const bounds = { ...TEST_BOUNDS, requests: 16 }
  const { port, begun, go } = await openServer(t, { bounds, trustedProxies: ['127.0.0.0/8'] })
  const of = (address: string) => talk(port, get(`X-Forwarded-For: ${address}\r\n`))
  const sent: Promise<string>[] = []
  let under = 0
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])
    for (let count = 0; count < 4; count += 1) {
      const one = of(address)
      sent.push(one)
      const isUnderWay = await Promise.race([one.then(() => false), begun(under + 1).then(() => true)])
      if (isUnderWay) under += 1
    }
  const visit = of('192.0.2.5')
  await Promise.race([begun(under + 1), visit])
  go()
  assert.equal(parsedResponse(await visit).status, 200)
  const statuses = (await Promise.all(sent)).map((one) => parsedResponse(one).status)
  assert.equal(statuses.filter((status) => status === 200).length, under)
  assert.equal(
    statuses.slice(0, 4).every((status) => status === 200),
    true,
  )
})
