import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ask, assertError, routeFor, type SentRequest, serverParts } from '../../../test/support/http.ts'
import { field } from '../../model/kinds/field.ts'
import { positive } from '../../model/kinds/integer.ts'
import { id, named, open } from '../openapi/parts.ts'
import { ignoredHeader } from '../params.ts'
import { createServer, type Server } from '../server.ts'

const API = '/cal/events/v1'
const SHOWN = Object.fromEntries(
  ['id', 'title', 'global_id', 'rest_url', 'json_ld'].map((name) => [name, id('common.id', 1)]),
)
const ANSWER = { status: 200, schema: named('Event', open('common.id', SHOWN)) }
const HEADER = 'x-kalends-ignored'

function serverFor(t: TestContext): Server {
  const fields = [field('page', positive, 'api.pageNumber')]
  const handle = async () => ({ status: 200, body: {} })
  const ready = () => ({ status: 200, body: {} })
  const server = createServer(
    serverParts(
      [
        routeFor('GET', '/events', { fields, handle }),
        routeFor('GET', '/ready', { fields, handle, ready }),
        routeFor('POST', '/events', { fields, handle, response: ANSWER }),
        routeFor('POST', '/files', { uploadLimit: 5000, fields, handle }),
      ],
      { bodyLimit: 1_000_000 },
    ),
  )
  t.after(() => server.close())
  return server
}

const post = (body: object, query = ''): SentRequest => ({
  method: 'POST',
  url: `${API}/events${query}`,
  headers: { 'content-type': 'application/json', authorization: 'Basic ok' },
  payload: JSON.stringify(body),
})

test('parameters and members that mean nothing are named, each once and in a fixed order', async (t) => {
  const server = serverFor(t)
  const cases: readonly (readonly [SentRequest, string | undefined])[] = [
    [{ url: `${API}/events` }, undefined],
    [{ url: `${API}/events?page=1&_fields=id&lang=de&context=edit&_embed&password=x&_jsonp=y` }, undefined],
    [{ url: `${API}/events?b=1&a=2&b=3&c[x][]=4` }, 'a, b, c'],
    [{ url: `${API}/ready?b=1` }, 'b'],
    [{ method: 'HEAD', url: `${API}/events?b=1` }, 'b'],
    [{ url: `${API}/events?a%2Cb=1&%C3%A4%0D%0AX%3A=2` }, 'a%2Cb, %C3%A4%0D%0AX%3A'],
    [{ url: `${API}/events?id=1` }, 'id'],
    // What a GET answers may be sent back.
    [post({ page: 1, id: 5, global_id: 'x', rest_url: 'y', json_ld: {}, colour: 1, Colour: 2 }), 'Colour, colour'],
    [post({ '\ud800': 1, __proto__: 2 }, '?id=1'), 'id, %EF%BF%BD'],
  ]
  for (const [sent, expected] of cases) {
    const { status, headers } = await ask(server, sent)
    assert.deepEqual([status, headers[HEADER]], [200, expected], sent.url)
  }
})

test('a refusal names them as well, and scripts of other origins may read the name', async (t) => {
  const { status, headers } = await ask(serverFor(t), { url: `${API}/events?page=x&pages=1` })
  assert.deepEqual([status, headers[HEADER]], [400, 'pages'])
  assert.match(String(headers['access-control-expose-headers']), /X-Kalends-Ignored/)
})

test('strict makes them 400 together with what else is refused', async (t) => {
  const server = serverFor(t)
  for (const sent of [
    { url: `${API}/events?strict=1&page=x&b=1&a=2` },
    { url: `${API}/ready?b=1&a=2&strict=true&page=x` },
    post({ strict: true, page: 'x', a: 1 }, '?b=1'),
    post({ page: 'x', a: 1, b: 2 }, '?strict=1'),
  ]) {
    const answer = await ask(server, sent)
    const { data } = assertError(answer, 400, 'rest_invalid_param')
    const params = data['params'] as Record<string, string>
    assert.deepEqual(Object.keys(params), ['page', 'a', 'b'])
    assert.equal(params['a'], 'a is not a parameter of this route.')
    assert.equal(answer.headers[HEADER], undefined)
  }
  assertError(await ask(server, { url: `${API}/ready?strict=1&a` }), 400, 'rest_invalid_param')
  for (const sent of [
    { url: `${API}/events?strict=1&page=1&_fields=id&lang=de` },
    { url: `${API}/ready?strict=1` },
    post({ strict: 1, id: 5, title: 'x' }),
  ]) {
    assert.equal((await ask(server, sent)).status, 200)
  }
  for (const word of ['0', 'false', '']) {
    assert.equal((await ask(server, { url: `${API}/events?a&strict=${word}` })).headers[HEADER], 'a')
  }
})

test('however many and long they are, header and refusal stay short', async (t) => {
  const server = serverFor(t)
  const names = Array.from({ length: 5_000 }, (_none, index) => `ü${'x'.repeat(100)}${index}`)
  const body = Object.fromEntries(names.map((name) => [name, 1]))
  const { headers } = await ask(server, post(body))
  assert.ok(String(headers[HEADER]).length <= 1010)
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_none, index) => [`x${index}`, 1]))
  const told = String((await ask(server, post(many))).headers[HEADER])
  assert.ok(told.length <= 1010)
  assert.equal(told, ignoredHeader(Object.keys(many).sort().slice(0, 50))[HEADER])
  const refused = await ask(server, post({ ...many, strict: 1 }))
  assert.ok(refused.text.length < 10_000)
})
