import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { routeFor, serverParts, talk } from '../../../test/support/http.ts'
import { createServer } from '../server.ts'

const API = '/cal/events/v1'

/** A server whose route `/slow` answers when `go` is called; its port. */
async function slowServer(t: TestContext): Promise<{ port: number; asked: Promise<void>; go(): void }> {
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const handle = async (): Promise<{ status: number; body: unknown }> => {
    begun.resolve()
    await gate.promise
    return { status: 200, body: { slow: true } }
  }
  const server = createServer(
    serverParts([routeFor('GET', '/slow', { handle }), routeFor('POST', '/slow', { handle })]),
  )
  t.after(() => server.close())
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  return { port, asked: begun.promise, go: gate.resolve }
}

function statusesIn(heard: string): string[] {
  return Array.from(heard.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status = '']) => status)
}

test('a request before broken bytes is answered first, and the bytes after it', async (t) => {
  const { port, asked, go } = await slowServer(t)
  const heard = talk(port, `GET ${API}/slow HTTP/1.1\r\nHost: x\r\n\r\nno HTTP\r\n\r\n`)
  await asked
  go()
  const text = await heard
  assert.deepEqual(statusesIn(text), ['200', '400'])
  assert.match(text, /\{"slow":true\}HTTP\/1\.1 400[\s\S]*"rest_bad_request"/)
})

test('a request whose own body is broken is answered once, with 400', async (t) => {
  const { port } = await slowServer(t)
  const head = `POST ${API}/slow HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  assert.deepEqual(statusesIn(await talk(port, `${head}5\r\n{"a":\r\nZZ\r\n`)), ['400'])
})

test('a request without a host is refused in JSON, unless it is of HTTP 1.0', async (t) => {
  const { port, go } = await slowServer(t)
  go()
  const refused = await talk(port, `GET ${API}/slow HTTP/1.1\r\nConnection: close\r\n\r\n`)
  assert.deepEqual(statusesIn(refused), ['400'])
  assert.match(refused, /"rest_bad_request"/)
  assert.deepEqual(statusesIn(await talk(port, `GET ${API}/slow HTTP/1.0\r\n\r\n`)), ['200'])
})

test('a method that nobody knows has no route, other bytes are no request', async (t) => {
  const { port } = await slowServer(t)
  for (const [line, status, code] of [
    [`FOO ${API}/slow HTTP/1.1`, '404', 'rest_no_route'],
    [`GETS ${API}/slow HTTP/1.1`, '404', 'rest_no_route'],
    [`get ${API}/slow HTTP/1.0`, '404', 'rest_no_route'],
    [`FOO ${API}/slow HTTP/9.1`, '400', 'rest_bad_request'],
    [`F@O ${API}/slow HTTP/1.1`, '400', 'rest_bad_request'],
    ['SSH-2.0-client', '400', 'rest_bad_request'],
  ] as const) {
    const heard = await talk(port, `${line}\r\nHost: x\r\n\r\n`)
    assert.deepEqual([statusesIn(heard), heard.includes(`"${code}"`)], [[status], true], line)
  }
})
