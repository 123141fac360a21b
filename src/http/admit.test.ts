import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { assertError, parsedResponse, routeFor, serverParts, talk } from '../../test/support/http.ts'
import { openTestCache } from '../../test/support/response-cache.ts'
import { isHost } from './admit.ts'
import { ANONYMOUS } from './auth/rights.ts'
import type { Call } from './route.ts'
import { createServer } from './server.ts'

const EVENTS = '/cal/events/v1/events'

/** A server that keeps its answers, whichever host is named. */
async function openServer(t: TestContext): Promise<number> {
  const handle = async ({ urls }: Call) => ({
    status: 200,
    body: { self: urls.api('/events') },
    headers: { 'Cache-Control': 'public, max-age=0' },
    freshness: { dependencies: [] },
  })
  const cache = openTestCache()
  const routes = [routeFor('GET', '/events', { handle }), routeFor('POST', '/events', { handle })]
  const server = createServer({ ...serverParts(routes), cache, authenticate: async () => ANONYMOUS })
  t.after(() => server.close())
  return server.listen({ host: '127.0.0.1', port: 0 })
}

const UNSOUND: readonly string[] = [
  '',
  'Host: a.example\r\nHost: a.example\r\n',
  'Host: a.example\r\nhOST: b.example\r\n',
  'Host:\r\n',
  'Host: a.example, b.example\r\n',
  'Host: a b\r\n',
  'Host: a/b\r\n',
  'Host: user@a.example\r\n',
  'Host: a"><script>\r\n',
  'Host: a.example:port\r\n',
  'Host: a.example:65536\r\n',
  'Host: [::1\r\n',
  'Host: [1::2::3]\r\n',
  `Host: ${'a'.repeat(256)}\r\n`,
]

test('no host, two of them or one that is none are 400, also where the answer is kept', async (t) => {
  const port = await openServer(t)
  const ask = async (line: string, version: string) => parsedResponse(await talk(port, `${line} HTTP/${version}\r\n`))
  assert.equal((await ask(`GET ${EVENTS}`, `1.1\r\nHost: a.example\r\nConnection: close\r\n`)).status, 200)
  for (const host of UNSOUND) {
    for (const line of [
      `GET ${EVENTS}`,
      `GET ${EVENTS}?fresh`,
      `POST ${EVENTS}`,
      'GET /nothing',
      'CONNECT a.example:443',
    ]) {
      assertError(await ask(line, `1.1\r\n${host}Connection: close\r\n`), 400, 'rest_bad_request')
    }
    const old = await ask(`GET ${EVENTS}`, `1.0\r\n${host}`)
    assert.equal(old.status, host === '' ? 200 : 400, host)
  }
})

test('an address with a host is judged by it, and has to have a Host line all the same', async (t) => {
  const port = await openServer(t)
  const ask = async (target: string, host: string) =>
    parsedResponse(await talk(port, `GET ${target} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`))
  assert.equal((await ask(`http://b.example${EVENTS}`, 'Host: a.example\r\n')).status, 200)
  for (const [target, host] of [
    [`http://user@b.example${EVENTS}`, 'Host: a.example\r\n'],
    [`http://${EVENTS}`, 'Host: a.example\r\n'],
    [`http://b.example${EVENTS}`, ''],
    [`http://b.example${EVENTS}`, 'Host: a b\r\n'],
  ] as const) {
    assertError(await ask(target, host), 400, 'rest_bad_request')
  }
})

test('the host of the address goes before that of the line', async (t) => {
  const handle = async ({ urls }: Call) => ({ status: 200, body: urls.api('/events') })
  const server = createServer(serverParts([routeFor('GET', '/events', { handle })]))
  t.after(() => server.close())
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const raw = await talk(port, `GET http://b.example${EVENTS} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n`)
  assert.equal(parsedResponse(raw).text, '"http://b.example/cal/events/v1/events"')
})

test('names, addresses and ports are hosts', () => {
  for (const host of [
    'a',
    'a.example.',
    'xn--bcher-kva.example:8080',
    'a_b:',
    '127.0.0.1:0',
    '[::1]',
    '[::ffff:1.2.3.4]:443',
  ])
    assert.ok(isHost(host), host)
})
