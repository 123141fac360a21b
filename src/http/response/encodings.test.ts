import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { chooseEncoding, compress, compressQuickly } from './representation.ts'

test('the compression is the one that the client likes best, br before zstd before gzip among equals', () => {
  const cases: [string | undefined, string | undefined][] = [
    [undefined, undefined],
    ['', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, zstd', 'zstd'],
    ['GZIP', 'gzip'],
    ['gzip;q=0.9, br;q=0.2', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0', undefined],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'zstd'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['deflate', undefined],
    ['gzip;q=much', 'gzip'],
    ['gzip;q=0.0.1', undefined],
    [`gzip${' '.repeat(500)}`, undefined],
  ]
  for (const [header, chosen] of cases) assert.equal(chooseEncoding(header), chosen, String(header))
})

test('a compressed body is the body again when it is unpacked', async () => {
  const body = Buffer.from('Concerts and exhibitions. '.repeat(200))
  for (const by of [compress, compressQuickly]) {
    assert.deepEqual(brotliDecompressSync(await by(body, 'br')), body)
    assert.deepEqual(zstdDecompressSync(await by(body, 'zstd')), body)
    assert.deepEqual(gunzipSync(await by(body, 'gzip')), body)
  }
})
