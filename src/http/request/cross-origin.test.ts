import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ask, assertError, routeFor, type SentRequest, serverParts } from '../../../test/support/http.ts'
import { createServer, type Server } from '../server.ts'
import type { ServerOptions } from '../server-deps.ts'

const LISTED = 'https://listed.example'
const HOST = { host: 'calendar.example' }

function serverFor(t: TestContext, options: Partial<ServerOptions> = {}): Server {
  const handle = async () => ({ status: 200, body: {} })
  const routes = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
    routeFor(method, '/events', { handle }),
  )
  const server = createServer(serverParts(routes, { corsOrigins: [LISTED], ...options }))
  t.after(() => server.close())
  return server
}

const url = '/cal/events/v1/events'
const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

const FOREIGN: readonly Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: '' },
  { origin: 'https://calendar.example:8443' },
  { origin: 'https://calendar.example.evil.example' },
  { origin: `${LISTED}, https://evil.example` },
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example', authorization: 'Basic ok' },
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'https://calendar.example', 'sec-fetch-site': 'cross-site' },
]

const OWN: readonly Record<string, string>[] = [
  {},
  { origin: 'https://calendar.example' },
  { origin: 'http://calendar.example', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
]

test('changes that a browser sends for pages of other sites are 403, unless CORS lists them', async (t) => {
  const server = serverFor(t)
  for (const method of WRITES) {
    for (const headers of FOREIGN) {
      assertError(await ask(server, { method, url, headers: { ...HOST, ...headers } }), 403, 'rest_cross_origin')
    }
    for (const headers of [...OWN, { origin: LISTED, 'sec-fetch-site': 'cross-site' }]) {
      const { status, text } = await ask(server, { method, url, headers: { ...HOST, ...headers } })
      assert.equal(status, 200, `${method} ${JSON.stringify(headers)} ${text}`)
    }
  }
})

test('pages of all sites may read, and ask what they may do', async (t) => {
  const server = serverFor(t)
  for (const headers of FOREIGN) {
    for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
      assert.equal((await ask(server, { method, url, headers: { ...HOST, ...headers } })).status, 200)
    }
  }
})

test('_method is for forms of the site itself and for programs', async (t) => {
  const server = serverFor(t)
  const post = (headers: Record<string, string>): SentRequest => ({
    method: 'POST',
    url: `${url}?_method=GET`,
    headers: { ...HOST, ...headers },
  })
  const elsewhere = [{ origin: LISTED, 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]
  for (const headers of [...FOREIGN, ...elsewhere])
    assertError(await ask(server, post(headers)), 403, 'rest_cross_origin')
  for (const headers of OWN) assert.equal((await ask(server, post(headers))).status, 200)
})

test('the configured address is the own origin, whatever host a proxy names', async (t) => {
  const server = serverFor(t, { baseUrl: 'https://calendar.example/base' })
  const headers = { host: '10.0.0.7:3000', origin: 'https://calendar.example' }
  assert.equal((await ask(server, { method: 'POST', url, headers })).status, 200)
  const other = { ...headers, origin: 'https://calendar.example:8443' }
  assertError(await ask(server, { method: 'POST', url, headers: other }), 403, 'rest_cross_origin')
})
