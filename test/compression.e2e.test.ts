import assert from 'node:assert/strict'
import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { assetPath } from '../src/pages/assets.ts'
import { openTestApp } from './support/app.ts'
import { fill } from './support/filled.ts'

/** One of each kind of answers that everybody may see. */
const ADDRESSES = [
  ...['/', '/events/month/', '/feed', '/events/feed.json', '/sitemap.xml'],
  ...['events', 'venues', 'organizers', 'categories', 'tags', 'doc'].map((path) => `/cal/events/v1/${path}`),
  ...['ics', 'csv', 'rss', 'json'].map((form) => `/kalends/v1/events.${form}`),
  ...['/tribe/events/v1/events?per_page=2', '/wp-json/'],
]

const UNPACK = [
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
  ['gzip', gunzipSync],
] as const

/** What is sent, as it is. */
async function answerOf(address: string, headers: Readonly<Record<string, string>>) {
  const response = await new Promise<Parameters<NonNullable<Parameters<typeof get>[2]>>[0]>((resolve, reject) => {
    get(address, { headers }, resolve).on('error', reject)
  })
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) }
}

test('answers of every kind are compressed for everybody who takes that, also right after a change', async (t) => {
  const app = await openTestApp(t)
  await fill(app)
  const [{ url, id }] = (await app.call('anonymous', 'GET', '/events')).body.events
  const own = [new URL(url).pathname, `/cal/events/v1/events/${id}`, assetPath('site.css'), assetPath('site.ts')]
  for (const [turn, path] of [...ADDRESSES, ...own].entries()) {
    await app.call('administrator', 'POST', `/events/${id}`, { json: { title: `Turn ${turn}` } })
    const [encoding, unpack] = UNPACK[turn % UNPACK.length] ?? UNPACK[0]
    const fresh = await answerOf(app.origin + path, { 'accept-encoding': encoding })
    const plain = await answerOf(app.origin + path, {})
    const where = `${path} in ${encoding}`
    assert.equal(plain.status, 200, where)
    assert.equal(plain.headers['content-encoding'], undefined, where)
    assert.equal(fresh.headers['content-encoding'], plain.body.length > 1024 ? encoding : undefined, where)
    if (plain.body.length <= 1024) continue
    assert.match(fresh.headers.vary ?? '', /\bAccept-Encoding\b/i, where)
    assert.ok(fresh.body.length < plain.body.length / 1.5, where)
    assert.deepEqual(unpack(fresh.body), plain.body, where)
    assert.notEqual(fresh.headers.etag, plain.headers.etag, where)
    const known = { 'accept-encoding': encoding, 'if-none-match': String(fresh.headers.etag) }
    assert.equal((await answerOf(app.origin + path, known)).status, 304, where)
  }
})

test('what not everybody may see is sent as it is, as its length would tell what is in it', async (t) => {
  const app = await openTestApp(t)
  await fill(app)
  const { headers, body } = await app.call('administrator', 'GET', '/events', {
    headers: { 'accept-encoding': 'gzip' },
  })
  assert.ok(JSON.stringify(body).length > 1024)
  assert.equal(headers.get('content-encoding'), null)
})
