import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { Failure } from '../../base/errors.ts'
import { boundJson, boundQuery, readBody, readForm } from './body.ts'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary="XY"'

async function codeOf(text: string, type: string): Promise<string> {
  try {
    await readBody(Buffer.from(text), type, 'POST')
    return 'read'
  } catch (error) {
    assert.ok(error instanceof Failure)
    return error.code
  }
}

const times = (count: number, make: (index: number) => string, between: string): string =>
  Array.from({ length: count }, (_none, index) => make(index)).join(between)

test('10,000 values of a JSON body are read, and more are refused before they are made', async () => {
  // The object itself is one of them.
  const object = (count: number) => `{${times(count, (n) => `"k${n}":${n}`, ',')}}`
  assert.equal(await codeOf(object(9_999), JSON_TYPE), 'read')
  assert.equal(await codeOf(object(10_000), JSON_TYPE), 'rest_too_many_params')
  for (const [open, close] of ['[]', '{}'].map((one) => one.split(''))) {
    const items = times(5_001, () => `${open}${close}`, ',')
    assert.equal(await codeOf(`{"a":[${items}]}`, JSON_TYPE), 'rest_too_many_params')
  }
  // Never parsed: it would be a syntax error.
  assert.equal(await codeOf(`{"a":[${'0,'.repeat(10_000)}`, JSON_TYPE), 'rest_too_many_params')
  const { message } = (await readBody(Buffer.from(object(10_000)), JSON_TYPE, 'POST').catch(
    (error: unknown) => error,
  )) as Failure
  assert.match(message, /10,000/)
})

test('what stands in texts is neither a value nor a level', async () => {
  const text = JSON.stringify({ a: '[{,'.repeat(50_000), 'b"\\[[': '\\"[['.repeat(1000), c: '\\' })
  assert.equal(await codeOf(text, JSON_TYPE), 'read')
})

test('JSON that may be read never has more values or levels than were counted', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      boundJson(Buffer.from(text))
      const deep = `${'['.repeat(57)}${text}${']'.repeat(57)}`
      const isDeep = depthOf(JSON.parse(deep)) > 64
      if (isDeep) assert.throws(() => boundJson(Buffer.from(deep)))
      else boundJson(Buffer.from(deep))
    }),
  )
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

test('2,000 parameters of a form or an address are read, and more are refused', async () => {
  const form = (count: number) => times(count, (n) => `a${n}=1`, '&')
  assert.equal(await codeOf(form(2_000), FORM), 'read')
  assert.equal(await codeOf(form(2_001), FORM), 'rest_too_many_params')
  boundQuery(`/x?${times(2_000, () => 'a', '&')}`)
  assert.throws(() => boundQuery(`/x?${times(2_001, () => 'a', '&')}`), { code: 'rest_too_many_params' })
})

test('numbers in brackets stand for places in lists, which are bounded in all', async () => {
  const deep = times(1_000, (n) => `a${n}[1999][1999][1999]=1`, '&')
  const encoded = encodeURIComponent(deep).replaceAll('%3D', '=').replaceAll('%26', '&')
  const hidden = times(1_000, () => 'a=[1999][1999]=1', '&')
  const items = times(1_500, (n) => `a[][b${n}]=1`, '&')
  for (const form of [deep, encoded, hidden, items]) {
    assert.equal(await codeOf(form, FORM), 'rest_too_many_params')
    assert.throws(() => boundQuery(`/x?${form}`), { code: 'rest_too_many_params' })
    // An address is read before it can be refused: none of its lists is made.
    const reading = JSON.stringify(readForm(form))
    assert.ok(!reading.includes('null') && reading.length < 4 * form.length, reading.slice(0, 100))
  }
  assert.equal(
    await codeOf(
      times(1_000, (n) => `a[${n}]=1`, '&'),
      FORM,
    ),
    'read',
  )
  assert.equal(await codeOf(`a[0]=${'[1999]'.repeat(1_000)}`, FORM), 'read')
  const part = (n: number) => `--XY\r\nContent-Disposition: form-data; name="a${n}[1999]"\r\n\r\n1\r\n`
  assert.equal(await codeOf(`${times(300, part, '')}--XY--\r\n`, MULTIPART), 'rest_too_many_params')
})

test('the parts of a multipart form are counted by the boundary that separates them', async () => {
  const form = (count: number, boundary: string) =>
    `${times(count, (n) => `--${boundary}\r\nContent-Disposition: form-data; name="a${n}"\r\n\r\nx\r\n`, '')}--${boundary}--\r\n`
  for (const [type, boundary] of [
    ['multipart/form-data; xboundary=Z; boundary=XY', 'XY'],
    ['multipart/form-data; boundary="X\\"Y"', 'X"Y'],
    ['multipart/form-data; boundary=XY; boundary=Z', 'XY'],
    ['multipart/form-data; a="; boundary=Z"; boundary="XY"', 'XY'],
  ] as const) {
    assert.equal(await codeOf(form(3, boundary), type), 'read', type)
    assert.equal(await codeOf(form(2_001, boundary), type), 'rest_too_many_params', type)
  }
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=""'])
    assert.equal(await codeOf(form(1, ''), type), 'rest_bad_request')
})

test('2,000 parts of a multipart form are read, and more or endless headers are refused', async () => {
  const form = (count: number, header = '') => {
    const part = (n: number) => `--XY\r\nContent-Disposition: form-data; name="a${n}"${header}\r\n\r\nvalue\r\n`
    return `${times(count, part, '')}--XY--\r\n`
  }
  assert.equal(await codeOf(form(2_000), MULTIPART), 'read')
  assert.equal(await codeOf(form(2_001), MULTIPART), 'rest_too_many_params')
  assert.equal(await codeOf(form(1, '\r\nA: b'.repeat(5_000)), MULTIPART), 'rest_bad_request')
  assert.equal(await codeOf(form(1, '\r\nA: b'.repeat(50)), MULTIPART), 'read')
})
