import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ANONYMOUS } from '../auth/caller.ts'
import { openTestCache } from './cache/testing.ts'
import type { AnyRoute, Call } from './route.ts'
import { createServer } from './server.ts'
import type { ServerOptions } from './server-parts.ts'
import { answerOf, routeFor, serverParts, talk } from './testing.ts'

const ASKED: AnyRoute[] = [
  routeFor('GET', '/events', {
    handle: async (call: Call) => ({
      status: 200,
      body: { page: call.sent('page'), mount: call.mount, next: call.urls.api('/events/') },
    }),
  }),
  routeFor('POST', '/events', { handle: async () => ({ status: 201, body: {} }), open: (caller) => caller.id > 0 }),
  routeFor('GET', '/events/:id', { handle: async ({ path }: Call) => ({ status: 200, body: path }) }),
  routeFor('GET', '/venues', {
    handle: async () => {
      throw new Error('fire')
    },
  }),
  routeFor('GET', '/tags', { handle: async () => ({ status: 200, body: { toJSON: () => assert.fail('fire') } }) }),
]

/** What a server answers on a connection of its own, with what it times beside the framework. */
async function asking(t: TestContext, options: Partial<ServerOptions>) {
  const timed: string[] = []
  const cache = openTestCache({ baseUrl: '', hasProxies: options.trustedProxies !== undefined })
  const timer = () => (answered: { readonly route: string; readonly method: string; readonly status: string }) =>
    void timed.push(Object.values(answered).join(' '))
  const server = createServer({ ...serverParts(ASKED, options), cache, timer, authenticate: async () => ANONYMOUS })
  t.after(() => server.close())
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const ask = async (path: string, method = 'GET') => {
    const head = `Host: 127.0.0.1:${port}\r\nOrigin: https://elsewhere.example\r\nX-Request-Id: one\r\nConnection: close`
    const raw = await talk(port, `${method} ${path} HTTP/1.1\r\n${head}\r\n\r\n`)
    // The port and the moment are all that two servers may differ by.
    const same = raw.replaceAll(`:${port}`, '').replace(/^Date: .*\r\n/m, '')
    return { ...answerOf(raw), whole: same.replace(/^etag: .*\r\n/m, '') }
  }
  return { ask, timed }
}

const ADDRESSES = [
  '/cal/events/v1/events',
  '/cal/events/v1/events?page=2&a%5B%5D=1',
  '/wp-json/tribe/events/v1/events?page=a%20b&_pretty=1',
  '/cal/events/v1/events?_envelope=1',
  '/cal/events/v1/events?_fields=page',
  '/cal/events/v1/events/7',
  '/cal/events/v1/events/007?_fields=id',
  '/cal/events/v1/venues',
  '/cal/events/v1/tags',
  '/cal/events/v1/tags?_pretty=1',
  '/cal/events/v1/tags?_envelope=1',
  '/cal/events/v1/nothing',
  '/cal/events/v1/nothing/5',
  '/cal/events/v1/events/x',
  '/cal/events/v1/events/7/',
]

test('what is answered past the framework is byte for byte what the framework answers', async (t) => {
  const [direct, framed] = await Promise.all([asking(t, {}), asking(t, { trustedProxies: ['192.0.2.1'] })])
  for (const path of ADDRESSES) {
    for (const method of ['GET', 'HEAD']) {
      const [one, other] = [await direct.ask(path, method), await framed.ask(path, method)]
      assert.equal(one.whole, other.whole, `${method} ${path}`)
    }
  }
  assert.deepEqual(framed.timed, [])
  const [list, item] = ['/cal/events/v1/events GET 2xx', '/cal/events/v1/events/:id GET 2xx']
  const [failed, odd] = ['/cal/events/v1/venues GET 5xx', '/cal/events/v1/tags GET 5xx']
  assert.deepEqual(direct.timed, [...Array(5).fill(list), item, item, failed, odd, odd, '/cal/events/v1/tags GET 2xx'])
})

test('an answer that cannot be made is an internal error that tells nothing', async (t) => {
  const { ask } = await asking(t, {})
  const { status, text } = await ask('/cal/events/v1/tags')
  assert.equal(status, 500)
  assert.equal((JSON.parse(text) as { code: string }).code, 'internal_server_error')
  assert.doesNotMatch(text, /fire/)
})
