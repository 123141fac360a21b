import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { cacheKeyOf, type KeyOptions } from './cache-key.ts'

const OPTIONS: KeyOptions = { baseUrl: '', siteHost: 'calendar.example', hasProxies: false }

interface Sketch {
  readonly method?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What an arriving request is asked about, on port 3000. */
function ask(sketch: Sketch, options: Partial<KeyOptions> = {}) {
  const { method = 'GET', url = '/cal/events/v1/events', headers } = sketch
  const all = { host: '127.0.0.1:3000', ...headers }
  const request = { method, url, headers: all, rawHeaders: Object.entries(all).flat(), socket: { localPort: 3000 } }
  return cacheKeyOf(request as unknown as IncomingMessage, { ...OPTIONS, ...options })
}

test('without a configured address only this machine and the host of the site become keys', () => {
  const known = ['127.0.0.1:3000', 'localhost:3000', '[::1]:3000', '127.0.0.1', '[::1]', 'calendar.example']
  const keys = known.map((host) => ask({ headers: { host } })?.key)
  assert.equal(new Set(keys).size, known.length)
  assert.ok(keys.every((key) => key !== undefined))
  const strange = [
    'evil.example',
    '127.0.0.1:3001',
    '127.0.0.1:03000',
    'localhost:',
    'localhost.evil.example',
    'LOCALHOST',
    '::1',
    '',
  ]
  for (const host of strange) assert.equal(ask({ headers: { host } }), undefined, host)
})

test('with a configured address every host has the same key, since every answer is the same', () => {
  const own = { baseUrl: 'https://calendar.example' }
  const key = ask({}, own)?.key
  assert.ok(key)
  for (const host of ['evil.example', 'calendar.example']) assert.equal(ask({ headers: { host } }, own)?.key, key)
  const forwarded = { 'x-forwarded-host': 'evil.example' }
  assert.equal(ask({ headers: forwarded }, { ...own, hasProxies: true })?.key, key)
})

test('what a proxy forwards is no key, and is passed over where no proxy is trusted', () => {
  for (const name of ['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-for']) {
    assert.equal(ask({ headers: { [name]: 'evil.example' } }, { hasProxies: true }), undefined, name)
    assert.equal(ask({ headers: { [name]: 'evil.example' } })?.key, ask({})?.key, name)
  }
})

test('requests with credentials, a password, a body or another method are not kept', () => {
  const sketches: Sketch[] = [
    { headers: { authorization: 'Basic x' } },
    { headers: { 'x-kalends-seq': '7' } },
    { headers: { authorization: '' } },
    { headers: { 'content-length': '2' } },
    { headers: { 'transfer-encoding': 'chunked' } },
    { headers: { expect: '100-continue' } },
    { method: 'POST' },
    { method: 'OPTIONS' },
    { url: '/cal/events/v1/events?password=sesame' },
    { url: 'http://evil.example/cal/events/v1/events' },
    { url: `/cal/events/v1/events?search=${'a'.repeat(2000)}` },
  ]
  for (const sketch of sketches) assert.equal(ask(sketch), undefined, JSON.stringify(sketch))
  assert.equal(ask({ headers: { 'content-length': '0' } })?.key, ask({})?.key)
  assert.equal(ask({ method: 'HEAD' })?.key, ask({})?.key)
})

test('of the languages that a client takes only the one that it gets is in the key', () => {
  const spoken = (accept: string) => ask({ headers: { 'accept-language': accept } })?.spokenKey
  assert.equal(spoken('de'), spoken('xx, de-AT;q=0.5'))
  assert.notEqual(spoken('de'), spoken('fr'))
  assert.equal(spoken('xx'), spoken('yy, zz'))
  assert.equal(ask({ headers: { 'accept-language': 'de' } })?.key, ask({})?.key)
})

test('of the regions of clients the key has nothing but the day on which weeks start there', () => {
  const spoken = (accept: string) => ask({ headers: { 'accept-language': accept } })
  assert.equal(spoken('en-AU')?.spokenKey, spoken('en')?.spokenKey)
  assert.notEqual(spoken('en-US,en;q=0.9')?.spokenKey, spoken('en')?.spokenKey)
  assert.equal(spoken('en_US')?.spokenKey, spoken('xx-DE, en-IN;q=0.5')?.spokenKey)
  for (const [accept, weekday] of [
    ['en-US', 0],
    ['en-GB', 1],
    ['ar-EG', 6],
    ['zh-Hant-TW', 0],
    ['de', undefined],
    ['en-123456', undefined],
    ['xx-US', undefined],
  ] as const)
    assert.equal(spoken(accept)?.weekday, weekday, accept)
})
