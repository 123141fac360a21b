import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { draws } from '../../../test/support/draws.ts'
import { Failure } from '../../base/errors.ts'
import { readBody, readForm, readMultipart } from './body.ts'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=X'

/** The value as plain objects, whatever their prototypes. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

async function body(text: string | Uint8Array, type: string, method = 'POST'): Promise<unknown> {
  return plain(await readBody(Buffer.from(text as string), type, method))
}

async function failure(text: string | Uint8Array, type: string): Promise<{ code: string; data: unknown }> {
  const error = await readBody(Buffer.from(text as string), type, 'POST').catch((cause: unknown) => cause)
  assert.ok(error instanceof Failure)
  return { code: error.code, data: error.data }
}

const FORMS: readonly (readonly [string, unknown])[] = [
  ['', {}],
  ['a=1&a=2', { a: '2' }],
  ['a', { a: '' }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a%5B%5D=1&a%5b%5d=2', { a: ['1', '2'] }],
  ['a[1]=y&a[0]=x', { a: ['x', 'y'] }],
  ['venue[venue]=Hall&venue[city]=Bern', { venue: { venue: 'Hall', city: 'Bern' } }],
  ['organizer[0][organizer]=A&organizer[1][organizer]=B', { organizer: [{ organizer: 'A' }, { organizer: 'B' }] }],
  ['organizer[][organizer]=A&organizer[][organizer]=B', { organizer: [{ organizer: 'A' }, { organizer: 'B' }] }],
  ['a%5B%5D%5Bb%5D=1&a%5B%5D%5Bb%5D=2&c[][b]=3', { a: [{ b: '1' }, { b: '2' }], c: [{ b: '3' }] }],
  ['a=1+2%2B&b=%C3%A4', { a: '1 2+', b: 'ä' }],
  ['a=%zz&b=%ED%A0%80', { a: '%zz', b: '%ED%A0%80' }],
  ['a=[][x]', { a: '[][x]' }],
  ['__proto__[x]=1&a[__proto__][y]=2&toString=3', {}],
]

for (const [text, expected] of FORMS) {
  test(`the form "${text}" is read with brackets`, () => assert.deepEqual(plain(readForm(text)), expected))
}

test('a form without brackets is read as it is beside one with brackets', () => {
  const piece = fc.constantFrom(
    'a',
    'b=',
    'ä',
    '=',
    '==',
    '&',
    '&&',
    '+',
    '%',
    '%20',
    '%5B',
    '%5d',
    '%C3%A4',
    '%zz',
    '%3D',
    '%26',
    'toString',
    '__proto__',
    'a.b',
    ',',
    '1',
  )
  const form = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(form, (text) => {
      const { zz: _zz, ...beside } = readForm(`${text}&zz[]=1`)
      assert.deepEqual(readForm(text), beside)
    }),
    { numRuns: draws(3000) },
  )
})

test('a list of a thousand items stays a list', () => {
  const text = Array.from({ length: 1000 }, (_, index) => `a[]=${index}`).join('&')
  assert.ok(Array.isArray(readForm(text)['a']))
})

test('JSON is read under every JSON type, with a charset and a byte order mark', async () => {
  for (const type of [JSON_TYPE, 'Application/JSON; charset=utf-8', 'application/ld+json']) {
    assert.deepEqual(await body('{"a":[1]}', type), { a: [1] }, type)
  }
  assert.deepEqual(await body('\uFEFF{"a":1}', JSON_TYPE), { a: 1 })
})

test('JSON that is no object carries no names', async () => {
  for (const text of ['[1]', '"a"', 'null', '5', '', ' \n']) assert.deepEqual(await body(text, JSON_TYPE), {}, text)
})

test('malformed JSON is rest_invalid_json with a syntax error', async () => {
  const data = { json_error_code: 4, json_error_message: 'Syntax error' }
  for (const text of ['{', '{"a":1,}', 'a=1', '{}x']) {
    assert.deepEqual(await failure(text, JSON_TYPE), { code: 'rest_invalid_json', data })
  }
})

test('JSON that is not UTF-8 is rest_invalid_json', async () => {
  const data = { json_error_code: 5, json_error_message: 'Malformed UTF-8 characters' }
  const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
  assert.deepEqual(await failure(bytes, JSON_TYPE), { code: 'rest_invalid_json', data })
})

test('JSON that is nested beyond measure is rest_invalid_json', async () => {
  const data = { json_error_code: 1, json_error_message: 'Maximum depth exceeded' }
  const deep = `{"venue":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  assert.deepEqual(await failure(deep, JSON_TYPE), { code: 'rest_invalid_json', data })
  assert.deepEqual(await body(`{"a":${'['.repeat(60)}${']'.repeat(60)}}`, JSON_TYPE).then(() => true), true)
})

test('a body of another type counts as none', async () => {
  for (const type of ['', 'text/plain', 'text/json', 'foo']) assert.deepEqual(await body('{"a":1}', type), {}, type)
})

test('forms are read with every method', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    assert.deepEqual(await body('a[]=1', `${FORM}; charset=UTF-8`, method), { a: ['1'] }, method)
  }
})

function multipart(...parts: readonly (readonly [disposition: string, value: string])[]): string {
  const written = parts.map(
    ([disposition, value]) => `--X\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`,
  )
  return `${written.join('')}--X--\r\n`
}

test('the text parts of a multipart form are read with brackets, files are not', async () => {
  const parts = multipart(
    ['name="title"', 'ä & + %41'],
    ['name="tags[]"', '1'],
    ['name="tags[]"', '2'],
    ['name="venue[city]"', 'Bern'],
    ['name="picture"; filename="a.png"', 'bytes'],
  )
  const expected = { title: 'ä & + %41', tags: ['1', '2'], venue: { city: 'Bern' } }
  assert.deepEqual(await body(parts, MULTIPART), expected)
})

test('a multipart form is read with POST only', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    assert.deepEqual(await body(multipart(['name="a"', '1']), MULTIPART, method), {})
  }
})

test('a multipart body that is none is rest_bad_request', async () => {
  for (const type of [MULTIPART, 'multipart/form-data']) {
    assert.equal((await failure('a=1', type)).code, 'rest_bad_request', type)
  }
})

test('a boundary may be one character, which texts and files may have, too', async () => {
  for (const boundary of ['x', '-', '0', '?']) {
    const text = `a--${boundary} and --${boundary}--\r\n --${boundary}\r\n--${boundary}y\r\n`
    const part = (head: string, body: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name=${head}\r\n\r\n${body}\r\n`
    const form = `${part('"t"', text)}${part('"f"; filename="f.txt"', text)}--${boundary}--\r\n`
    const { sent, files } = await readMultipart(Buffer.from(form), `multipart/form-data; boundary="${boundary}"`)
    assert.deepEqual(sent, { t: text }, boundary)
    assert.equal(await files[0]?.text(), text, boundary)
  }
})
