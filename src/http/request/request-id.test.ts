import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, routeFor, type SentRequest, serverParts, talk } from '../../../test/support/http.ts'
import { createLog } from '../../base/log.ts'
import { createServer } from '../server.ts'

const API = '/cal/events/v1'
const MADE = /^[0-9a-f]{12}-[0-9a-z]+$/

const ROUTES = [
  routeFor('GET', '/things', { handle: async () => ({ status: 200, body: {} }) }),
  routeFor('POST', '/things', { handle: async () => ({ status: 201, body: {} }) }),
  routeFor('GET', '/broken', { handle: async () => Promise.reject(new Error('the disk is on fire')) }),
]

function serverFor() {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ level: 'info', now: () => 0, stream: { write: (line) => void lines.push(JSON.parse(line)) } })
  const site = {
    pages: [{ path: '/', show: async () => ({ status: 200, body: 'x' }) }],
    notFound: () => ({ status: 404, body: 'x' }),
    failed: ({ status }: { status: number }) => ({ status, body: 'x' }),
  }
  return { server: createServer({ ...serverParts(ROUTES), site, log }), lines }
}

const REQUESTS: readonly SentRequest[] = [
  { url: `${API}/things` },
  { url: `${API}/things`, method: 'HEAD' },
  { url: `${API}/things`, method: 'OPTIONS' },
  { url: `${API}/things`, method: 'POST', payload: '{', headers: { 'content-type': 'application/json' } },
  { url: `${API}/things`, headers: { authorization: 'Basic bad' } },
  { url: `${API}/nothing` },
  { url: `${API}/nothing`, method: 'OPTIONS' },
  { url: `${API}/broken` },
  { url: '/' },
  { url: '/nowhere' },
  { url: '/%ff' },
]

test('every response carries the id that its request was sent with, or else a new one', async () => {
  const { server } = serverFor()
  const ids = new Set<string>()
  for (const request of REQUESTS) {
    const headers = { ...request.headers, 'x-request-id': 'Root=1-67891233:abc/d+e.f_g~@' }
    const echoed = await ask(server, { ...request, headers })
    assert.equal(echoed.headers['x-request-id'], headers['x-request-id'], `${request.method} ${request.url}`)
    const own = await ask(server, request)
    assert.match(String(own.headers['x-request-id']), MADE, `${request.method} ${request.url}`)
    ids.add(String(own.headers['x-request-id']))
  }
  assert.equal(ids.size, REQUESTS.length)
})

test('an id that is too long, or could be more than an id, is replaced', async () => {
  const { server } = serverFor()
  for (const id of ['', 'x'.repeat(129), 'a b', 'a,b', 'a"b', 'a\u00e9', '{"a":1}', '<b>']) {
    const { headers } = await ask(server, { url: `${API}/things`, headers: { 'x-request-id': id } })
    assert.match(String(headers['x-request-id']), MADE, id)
  }
  const longest = 'x'.repeat(128)
  const { headers } = await ask(server, { url: `${API}/things`, headers: { 'x-request-id': longest } })
  assert.equal(headers['x-request-id'], longest)
})

test('bytes that are no request are answered with an id as well', async (t) => {
  const { server } = serverFor()
  t.after(() => server.close())
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const heard = await talk(port, 'no HTTP\r\n\r\n')
  assert.match(/^x-request-id: (.*)\r$/im.exec(heard)?.[1] ?? '', MADE)
})

test('the log line of a failure names the request', async () => {
  const { server, lines } = serverFor()
  await ask(server, { url: `${API}/broken`, headers: { 'x-request-id': 'abc' } })
  assert.deepEqual(
    lines.map(({ msg, requestId }) => [msg, requestId]),
    [['request failed', 'abc']],
  )
})
