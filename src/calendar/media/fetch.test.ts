import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openRemoteSite } from '../../../test/support/images.ts'
import { addressGate } from '../../base/outgoing/addresses.ts'
import { plainAddress } from '../../base/outgoing/request.ts'
import { fetchImage } from './fetch.ts'

const NOT_FETCHED = { ok: false, reason: 'not_fetched' }
const TOO_LARGE = { ok: false, reason: 'too_many_bytes' }
const LIMIT = 1000

const site = await openRemoteSite(
  { after },
  {
    '/here': (response) => response.end('picture'),
    '/moved': (response) => response.writeHead(301, { location: '/here' }).end(),
    '/inside': (response) => response.writeHead(302, { location: `http://127.0.0.2:${portOf()}/here` }).end(),
    '/file': (response) => response.writeHead(302, { location: 'file:///etc/hosts' }).end(),
    '/nowhere': (response) => response.writeHead(302, { location: 'http://' }).end(),
    '/round': (response) => response.writeHead(307, { location: '/round' }).end(),
    '/gone': (response) => response.writeHead(410).end('picture'),
    '/large': (response) => response.end('x'.repeat(LIMIT + 1)),
    '/long': (response) => {
      response.write('x'.repeat(600))
      response.end('x'.repeat(600))
    },
    '/announced': (response) => response.writeHead(200, { 'content-length': '5000' }).write('x'),
    '/silent': () => undefined,
    '/slow': (response) => response.write('x'),
    '/broken': (response) => {
      response.writeHead(200, { 'content-length': '500' })
      response.write('x', () => response.destroy())
    },
    '/packed': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('picture')),
    '/headers': (response, request) => response.end(JSON.stringify(request.headers)),
  },
)

function portOf(): string {
  return new URL(site.origin).port
}

function get(address: string, { allow = ['127.0.0.1'], patience = 5000 } = {}) {
  return fetchImage(address, { gate: addressGate(allow), limit: LIMIT, patience })
}

test('bytes come as they are, also behind a redirect', async () => {
  for (const path of ['/here', '/moved', '/here?size=9'])
    assert.deepEqual(await get(site.origin + path), { ok: true, bytes: Buffer.from('picture') }, path)
})

test('nothing of ours is sent along', async () => {
  const answer = await get(`${site.origin}/headers`)
  assert.ok(answer.ok)
  assert.deepEqual(Object.keys(JSON.parse(answer.bytes.toString())).sort(), [
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ])
})

test('closed addresses are not even connected to, by number or by name', async () => {
  const before = site.asked.length
  const { port } = new URL(site.origin)
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433', '0x7f.1'])
    assert.deepEqual(await get(`http://${host}:${port}/here`, { allow: [] }), NOT_FETCHED, host)
  assert.equal(site.asked.length, before)
})

test('a name is open when all of its addresses are', async () => {
  const { port } = new URL(site.origin)
  assert.deepEqual((await get(`http://localhost:${port}/here`, { allow: ['127.0.0.0/8', '::1'] })).ok, true)
})

test('each redirect is checked like the first address, and there are not too many', async () => {
  for (const path of ['/inside', '/file', '/nowhere', '/round'])
    assert.deepEqual(await get(site.origin + path), NOT_FETCHED, path)
  assert.equal(site.asked.filter((path) => path === '/round').length, 5)
})

test('too many bytes are not taken in, announced or not', async () => {
  for (const path of ['/large', '/long', '/announced']) assert.deepEqual(await get(site.origin + path), TOO_LARGE, path)
})

test('a site that is slow, silent or breaks off gives nothing', async () => {
  for (const path of ['/silent', '/slow'])
    assert.deepEqual(await get(site.origin + path, { patience: 100 }), NOT_FETCHED)
  for (const path of ['/broken', '/gone', '/unknown'])
    assert.deepEqual(await get(site.origin + path), NOT_FETCHED, path)
  assert.deepEqual(await get('http://127.0.0.1:1/x'), NOT_FETCHED)
  assert.deepEqual(await get('http://does-not-exist.invalid/x'), NOT_FETCHED)
})

test('only http and https addresses without credentials are fetched from, remembered without their fragment', () => {
  assert.equal(plainAddress('HTTP://Example.ORG/a b'.replace(' ', '%20')), 'http://example.org/a%20b')
  assert.equal(plainAddress('https://example.org/a.png#part'), 'https://example.org/a.png')
  for (const address of [
    'ftp://example.org/a',
    'file:///a',
    'data:image/png;base64,AA',
    'https://a:b@example.org/',
    'x',
    '',
  ])
    assert.equal(plainAddress(address), undefined, address)
})
