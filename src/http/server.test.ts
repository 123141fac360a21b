import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import net from 'node:net'
import test, { type TestContext } from 'node:test'
import {
  ask,
  assertError,
  inject,
  parsedResponse,
  routeFor,
  type SentRequest,
  serverParts,
  talk,
} from '../../test/support/http.ts'
import { createLog } from '../base/log.ts'
import { field } from '../model/kinds/field.ts'
import { pathId, positive } from '../model/kinds/integer.ts'
import type { Call, Reply } from './route.ts'
import { createServer, type Server } from './server.ts'

const API = '/cal/events/v1'
const TRUSTED = 'https://admin.example'

async function echo(call: Call): Promise<Reply> {
  const { path, values, language } = call
  return { status: 200, body: { path, values, language, a: call.sent['a'] ?? null, self: call.urls.api('') } }
}

const ID = field('id', pathId, 'common.id', { required: true })
const ROUTES = [
  routeFor('GET', '', { handle: echo }),
  routeFor('GET', '/things', {
    fields: [field('page', positive, 'api.pageNumber', { default: 1 })],
    handle: async () => ({ status: 200, body: { things: [{ id: 1, size: 2 }], total: 1 } }),
  }),
  routeFor('POST', '/things', { handle: echo }),
  routeFor('GET', '/things/:id', { handle: echo, pathFields: [ID] }),
  routeFor('DELETE', '/things/:id', { handle: echo, pathFields: [ID], open: (role) => role !== 'anonymous' }),
  routeFor('PATCH', '/things/:id', { handle: echo, pathFields: [ID] }),
  routeFor('GET', '/things/by-slug/:slug', { handle: echo }),
  routeFor('GET', '/broken', {
    handle: async () => {
      throw new Error('the cause in detail')
    },
  }),
]

interface Made {
  readonly server: Server
  readonly lines: string[]
}

function serverFor(t: TestContext, bodyLimit = 1000): Made {
  const lines: string[] = []
  const server = createServer({
    ...serverParts(ROUTES, { bodyLimit, corsOrigins: [TRUSTED] }),
    site: {
      pages: [
        { path: '/', show: async () => ({ status: 200, body: '<h1>Calendar</h1>' }) },
        { path: '/venue/:slug', show: async () => ({ status: 200, body: '<h1>Hall</h1>' }) },
        { path: '/event/:slug', show: async () => Promise.reject(new Error('the disk is on fire')) },
      ],
      notFound: () => ({ status: 404, body: '<h1>Nothing here</h1>' }),
      failed: ({ status, code, message }) => ({ status, body: `<h1>${code}</h1><p>${message}</p>` }),
    },
    log: createLog({ level: 'error', now: () => 0, stream: { write: (line) => void lines.push(line) } }),
  })
  t.after(() => server.close())
  return { server, lines }
}

test('addresses and methods without a route are rest_no_route in JSON', async (t) => {
  const { server } = serverFor(t)
  const cases: readonly SentRequest[] = [
    { url: `${API}/nothing` },
    { url: `${API}//things` },
    { url: `${API}/things/abc` },
    { url: `${API}/things/-1` },
    { url: `${API}/things/by-slug/` },
    { url: '/wp-json/wp/v2/posts' },
    { url: '/?rest_route=/wp/v2/posts' },
    { url: `${API}/things`, method: 'PUT', payload: '{}', headers: { 'content-type': 'application/json' } },
    { url: `${API}/things`, method: 'DELETE' },
    { url: API, method: 'POST' },
    { url: `${API}/things`, method: 'TRACE' },
    { url: `${API}/things`, method: 'PROPFIND' },
  ]
  for (const sent of cases) assertError(await ask(server, sent), 404, 'rest_no_route')
})

test('addresses of the site are answered with its pages', async (t) => {
  const { server } = serverFor(t)
  for (const [url, status] of [
    ['/', 200],
    ['/venue/hall', 200],
    ['/venue/hall/', 200],
    ['/venue/hall/map', 404],
    ['/jazz/', 404],
  ] as const) {
    const answer = await ask(server, { url })
    assert.equal(answer.status, status)
    assert.match(answer.type, /^text\/html/)
  }
})

test('a page that fails is a page too, and tells nothing of the cause', async (t) => {
  const { server, lines } = serverFor(t)
  const broken = await inject(server, { url: '/event/jazz/' })
  assert.equal(broken.statusCode, 500)
  assert.match(broken.body, /<h1>internal_server_error<\/h1>/)
  assert.doesNotMatch(broken.body, /fire/)
  assert.match(lines.join(''), /the disk is on fire/)
  const refused = await inject(server, { url: '/', headers: { authorization: 'Basic bad' } })
  assert.deepEqual([refused.statusCode, refused.body.slice(0, 27)], [401, '<h1>incorrect_password</h1>'])
  const odd = await inject(server, { url: '/%zz' })
  assert.deepEqual([odd.statusCode, odd.body.slice(0, 25)], [400, '<h1>rest_bad_request</h1>'])
})

test('an address of the API that cannot be decoded is rest_bad_request in JSON', async (t) => {
  const { server } = serverFor(t)
  for (const url of [`${API}/things/by-slug/%zz`, `${API}/things/by-slug/${'x'.repeat(3000)}`]) {
    assertError(await ask(server, { url }), 400, 'rest_bad_request')
  }
})

test('routes answer under every mount, with the language of the address', async (t) => {
  const { server } = serverFor(t)
  for (const [url, language] of [
    [API, 'en'],
    [`${API}/`, 'en'],
    ['/wp-json/tribe/events/v1', 'en'],
    ['/de/wp-json/cal/events/v1', 'de'],
    ['/?rest_route=/cal/events/v1&lang=de', 'de'],
  ] as const) {
    const answer = await ask(server, { url })
    assert.equal(answer.status, 200, url)
    assert.equal((JSON.parse(answer.text) as { language: string }).language, language)
  }
  const header = await ask(server, { url: API, headers: { 'accept-language': 'de-CH, en;q=0.5' } })
  assert.match(header.text, /"language":"de"/)
})

test('malformed JSON is rest_invalid_json, in the language of the request', async (t) => {
  const { server } = serverFor(t)
  const headers = { 'content-type': 'application/json' }
  const english = await ask(server, { method: 'POST', url: `${API}/things`, headers, payload: '{' })
  assert.equal(assertError(english, 400, 'rest_invalid_json').data['json_error_code'], 4)
  const german = await ask(server, { method: 'POST', url: `/de${API}/things`, headers, payload: '{' })
  assert.notEqual(assertError(german, 400, 'rest_invalid_json').message, JSON.parse(english.text).message)
  assert.match(String(german.headers.vary), /Accept-Language/)
})

test('a body beyond the limit is rest_body_too_large with the limit in its message', async (t) => {
  const { server } = serverFor(t, 1000)
  const payload = JSON.stringify({ a: 'x'.repeat(2000) })
  const sent = {
    method: 'POST',
    url: `${API}/things`,
    payload,
    headers: { 'content-type': 'application/json' },
  } as const
  assert.match(assertError(await ask(server, sent), 413, 'rest_body_too_large').message, /1,000/)
})

test('a body whose type nobody knows counts as none', async (t) => {
  const { server } = serverFor(t)
  for (const type of ['text/plain', 'foo', ';', 'text/plain, application/json', 'application/x-yaml']) {
    const headers = { 'content-type': type }
    const answer = await ask(server, { method: 'POST', url: `${API}/things`, headers, payload: '{"a":1}' })
    assert.equal(answer.status, 200, type)
    assert.match(answer.text, /"a":null/, type)
  }
})

test('HEAD has the status and headers of GET and no body', async (t) => {
  const { server } = serverFor(t)
  for (const url of [`${API}/things`, `${API}/things?page=0`, `${API}/nothing`]) {
    const headers = { 'x-request-id': 'one' }
    const get = await ask(server, { url, headers })
    const head = await ask(server, { url, method: 'HEAD', headers })
    assert.equal(head.status, get.status)
    assert.equal(head.text, '')
    const { date: _get, ...getHeaders } = get.headers
    const { date: _head, ...headHeaders } = head.headers
    assert.deepEqual(headHeaders, getHeaders)
  }
})

test('OPTIONS describes a known path and names what the caller may do', async (t) => {
  const { server } = serverFor(t)
  const anonymous = await ask(server, { method: 'OPTIONS', url: `${API}/things/0` })
  assert.equal(anonymous.status, 200)
  assert.equal(anonymous.headers.allow, 'GET, PATCH')
  assert.deepEqual(JSON.parse(anonymous.text), { path: '/things/:id' })
  const author = await ask(server, {
    method: 'OPTIONS',
    url: `${API}/things/1`,
    headers: { authorization: 'Basic ok' },
  })
  assert.equal(author.headers.allow, 'GET, DELETE, PATCH')
})

test('OPTIONS of an unknown path is an empty list', async (t) => {
  const { server } = serverFor(t)
  const answer = await ask(server, { method: 'OPTIONS', url: `${API}/nothing` })
  assert.deepEqual([answer.status, answer.text, answer.headers.allow], [200, '[]', undefined])
})

test('any origin may read without credentials, and only configured ones with them', async (t) => {
  const { server } = serverFor(t)
  for (const [sent, origin] of [
    [{ url: `${API}/things` }, 'https://other.example'],
    [{ url: `${API}/nothing` }, 'https://other.example'],
    [{ url: `${API}/things`, method: 'OPTIONS' }, 'null'],
  ] as const) {
    const { headers } = await ask(server, { ...sent, headers: { origin } })
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['access-control-allow-credentials'], undefined)
    assert.match(String(headers.vary), /Origin/)
  }
  const { headers } = await ask(server, { url: `${API}/things`, headers: { origin: TRUSTED } })
  assert.equal(headers['access-control-allow-origin'], TRUSTED)
  assert.equal(headers['access-control-allow-credentials'], 'true')
  assert.equal((await ask(server, { url: `${API}/things` })).headers['access-control-allow-origin'], undefined)
})

test('_method and X-HTTP-Method-Override replace POST and nothing else', async (t) => {
  const { server } = serverFor(t)
  const authorization = 'Basic ok'
  const override = { authorization, 'x-http-method-override': 'delete' }
  const removed = await ask(server, { method: 'POST', url: `${API}/things/3`, headers: override })
  assert.equal(removed.status, 200)
  assert.equal((await ask(server, { method: 'POST', url: `${API}/things/3?_method=delete` })).status, 401)
  const kept = await ask(server, { url: `${API}/things?_method=DELETE`, headers: override })
  assert.match(kept.text, /"things"/)
  const inBody = await ask(server, {
    method: 'POST',
    url: `${API}/things/3`,
    payload: '_method=DELETE',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(inBody.status, 404)
})

test('a multipart form that was posted is read also when it stands for another method', async (t) => {
  const { server } = serverFor(t)
  const payload = '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\nsent\r\n--X--\r\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=X' }
  const posted = await ask(server, { method: 'POST', url: `${API}/things/3?_method=PATCH`, headers, payload })
  assert.match(posted.text, /"a":"sent"/)
  const patched = await ask(server, { method: 'PATCH', url: `${API}/things/3`, headers, payload })
  assert.match(patched.text, /"a":null/)
})

test('_fields and _envelope shape the answer', async (t) => {
  const { server } = serverFor(t)
  const fields = await ask(server, { url: `${API}/things?_fields=things.id` })
  assert.equal(fields.text, '{"things":[{"id":1}]}')
  const enveloped = await ask(server, { url: `${API}/things?page=0&_envelope=1` })
  assert.equal(enveloped.status, 200)
  assert.equal((JSON.parse(enveloped.text) as { status: number }).status, 400)
})

test('bad credentials are refused on every address before anything else', async (t) => {
  const { server } = serverFor(t)
  const headers = { authorization: 'Basic bad' }
  for (const url of [`${API}/things`, `${API}/nothing`, `${API}/things?page=0`]) {
    const answer = await ask(server, { url, headers })
    assertError(answer, 401, 'incorrect_password')
    assert.equal(answer.headers['www-authenticate'], undefined)
    assert.match(String(answer.headers['cache-control']), /no-store/)
  }
})

test('what a handler throws is logged and answered without its cause', async (t) => {
  const { server, lines } = serverFor(t)
  const answer = await ask(server, { url: `${API}/broken` })
  assertError(answer, 500, 'internal_server_error')
  assert.doesNotMatch(answer.text, /cause in detail|stack|\.ts/)
  assert.match(lines.join(''), /the cause in detail/)
})

test('a host that is none never reaches a link', async (t) => {
  const { server } = serverFor(t)
  assertError(await ask(server, { url: API, headers: { host: 'a"><script>' } }), 400, 'rest_bad_request')
  const named = await ask(server, { url: API, headers: { host: 'calendar.example:8080' } })
  assert.match(named.text, /"self":"http:\/\/calendar\.example:8080\/cal\/events\/v1"/)
})

test('bytes that are not HTTP, and headers or addresses beyond measure, are answered in JSON', async (t) => {
  const { server } = serverFor(t)
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const long = 'y'.repeat(20_000)
  const cases = [
    ['this is not HTTP\r\n\r\n', 400, 'rest_bad_request'],
    [`FOO ${API} HTTP/1.1\r\nHost: x\r\n\r\n`, 404, 'rest_no_route'],
    [`GET ${API} HTTP/1.1\r\nHost: x\r\nX-Long: ${long}\r\n\r\n`, 431, 'rest_headers_too_large'],
    [`GET ${API}/${long} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'rest_headers_too_large'],
  ] as const
  for (const [text, status, code] of cases) assertError(parsedResponse(await talk(port, text)), status, code)
})

test('CONNECT finds no route, and an expectation that nobody knows changes nothing', async (t) => {
  const { server } = serverFor(t)
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const tunnel = await talk(port, 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n')
  assertError(parsedResponse(tunnel), 404, 'rest_no_route')
  const raw = await talk(port, `GET ${API} HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n`)
  assert.equal(parsedResponse(raw).status, 200)
})

test('a body sent with GET is not looked at', async (t) => {
  const { server } = serverFor(t)
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const head = `GET ${API} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n`
  for (const [body, length] of [
    ['{"a":1}', 7],
    ['{', 1],
  ] as const) {
    const raw = parsedResponse(await talk(port, `${head}Content-Length: ${length}\r\n\r\n${body}`))
    assert.deepEqual([raw.status, (JSON.parse(raw.text) as { a: unknown }).a], [200, null])
  }
})

test('a request that comes while the server is closing is rest_unavailable, and the one under way is finished', async (t) => {
  const arrived = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const slow = routeFor('GET', '/slow', {
    handle: async () => {
      arrived.resolve()
      await go.promise
      return { status: 200, body: {} }
    },
  })
  const server = createServer(serverParts([slow]))
  t.after(() => server.close())
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const text = `GET ${API}/slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  const late = net.connect(port, '127.0.0.1')
  await once(late, 'connect')
  // A connection that has sent nothing would be closed at once.
  late.write(text.slice(0, 10))
  const first = talk(port, text)
  await arrived.promise
  const closed = server.close()
  late.write(text.slice(10))
  const refused = parsedResponse(String((await once(late, 'data'))[0]))
  assertError(refused, 503, 'rest_unavailable')
  go.resolve()
  assert.equal(parsedResponse(await first).status, 200)
  await closed
})

const MANY = 900

/** Whether the system holds so many connections, and counts those that it has dropped. */
function holdsMany(): boolean {
  const limit = '/proc/sys/net/core/somaxconn'
  return existsSync(limit) && Number(readFileSync(limit, 'utf8')) > MANY
}

/** Connections that this machine has dropped because too many waited to be accepted. */
function dropped(): number {
  const [names, values] = readFileSync('/proc/net/netstat', 'utf8')
    .split('\n', 2)
    .map((line) => line.split(' '))
  return Number(values?.[names?.indexOf('ListenOverflows') ?? -1])
}

test('hundreds of connections that come at once are held by the system until they are accepted', async (t) => {
  if (!holdsMany()) return t.skip('this system holds fewer')
  const port = await serverFor(t).server.listen({ host: '127.0.0.1', port: 0 })
  const before = dropped()
  const sockets = Array.from({ length: MANY }, () => net.connect(port, '127.0.0.1').on('error', () => undefined))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  assert.equal(dropped(), before)
  for (const socket of sockets) socket.destroy()
})

test('an address with scheme and host is understood', async (t) => {
  const { server } = serverFor(t)
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const raw = await talk(port, `GET http://x/de${API} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  assert.match(parsedResponse(raw).text, /"language":"de"/)
})
