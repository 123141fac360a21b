import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openRemoteSite } from '../../../test/support/images.ts'
import { addressGate } from './addresses.ts'
import { type OutgoingRequest, sendRequest } from './request.ts'

/** Ten megabytes in ten thousand bytes. */
const PACKED = gzipSync(Buffer.alloc(10_000_000))

const site = await openRemoteSite(
  { after },
  {
    '/echo': (response, request) => {
      response.writeHead(418, { 'x-kind': 'pot' })
      request.pipe(response)
    },
    '/headers': (response, request) => response.end(JSON.stringify(request.headers)),
    '/away': (response) =>
      response.writeHead(307, { location: `http://localhost:${new URL(site.origin).port}/headers` }).end(),
    '/near': (response) => response.writeHead(307, { location: '/headers' }).end(),
    '/half': (response) => {
      response.writeHead(200, { 'content-length': '500' })
      response.write('x', () => response.destroy())
    },
    '/silent': () => undefined,
    '/packed': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(PACKED),
  },
)

function send(path: string, more: Partial<OutgoingRequest> = {}) {
  const gate = addressGate(['127.0.0.1', '::1'])
  return sendRequest(new URL(path, site.origin).href, { gate, limit: 1000, patience: 20_000, ...more })
}

test('a response of any status comes with its headers, whatever was sent', async () => {
  const sent = await send('/echo', { method: 'POST', body: Buffer.from('tea') })
  assert.ok(sent.ok)
  const { status, headers, bytes, url } = sent.response
  assert.deepEqual([status, headers['x-kind'], String(bytes), url], [418, 'pot', 'tea', `${site.origin}/echo`])
})

test('credentials follow a redirect within the origin, and never to another one', async () => {
  const headers = { authorization: 'Basic x', cookie: 'a=b', 'x-own': 'y' }
  for (const [path, expected] of [
    ['/near', ['Basic x', 'a=b', 'y']],
    ['/away', [undefined, undefined, 'y']],
  ] as const) {
    const sent = await send(path, { headers })
    assert.ok(sent.ok, path)
    const got = JSON.parse(String(sent.response.bytes))
    assert.deepEqual([got.authorization, got.cookie, got['x-own']], expected, path)
  }
})

test('without redirects the redirect itself is the response', async () => {
  const sent = await send('/near', { redirects: 0 })
  assert.ok(sent.ok)
  assert.equal(sent.response.status, 307)
})

test('why there is no response is told apart', async () => {
  assert.deepEqual(await send('/half'), { ok: false, reason: 'broken_off' })
  assert.deepEqual(await send('/silent', { patience: 50 }), { ok: false, reason: 'too_late' })
  assert.deepEqual(await send('/echo', { gate: addressGate([]) }), { ok: false, reason: 'closed_address' })
  assert.deepEqual(await send('http://127.0.0.1:1/'), { ok: false, reason: 'unreachable' })
  const local = `http://localhost:${new URL(site.origin).port}/headers`
  assert.deepEqual(await send(local, { gate: addressGate([]) }), { ok: false, reason: 'closed_address' })
  const long = { method: 'POST', body: Buffer.alloc(2000) }
  assert.deepEqual(await send('/echo', long), { ok: false, reason: 'too_many_bytes' })
})

test('nothing compressed is asked for, and what comes like that all the same is not unpacked', async () => {
  const asked = await send('/headers')
  assert.ok(asked.ok)
  assert.equal(JSON.parse(String(asked.response.bytes))['accept-encoding'], 'identity')
  const packed = await send('/packed', { limit: 100_000 })
  assert.ok(packed.ok)
  assert.deepEqual(packed.response.bytes, PACKED)
})
