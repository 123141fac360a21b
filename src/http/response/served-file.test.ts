import assert from 'node:assert/strict'
import test from 'node:test'
import { fileResponse } from './served-file.ts'

const FILE = { name: 'abc.png', mime: 'image/png', size: 100 }

function ask(headers: Record<string, string>, method = 'GET') {
  const { status, part, headers: lines } = fileResponse(FILE, { method, headers })
  return [status, part && `${part.start}-${part.end}`, lines['content-length'], lines['content-range']]
}

test('one range is answered with that part', () => {
  assert.deepEqual(ask({ range: 'bytes=0-0' }), [206, '0-0', '1', 'bytes 0-0/100'])
  assert.deepEqual(ask({ range: 'bytes=90-' }), [206, '90-99', '10', 'bytes 90-99/100'])
  assert.deepEqual(ask({ range: 'bytes=90-500' }), [206, '90-99', '10', 'bytes 90-99/100'])
  assert.deepEqual(ask({ range: 'bytes=-10' }), [206, '90-99', '10', 'bytes 90-99/100'])
  assert.deepEqual(ask({ range: 'bytes=-500' }), [206, '0-99', '100', 'bytes 0-99/100'])
})

test('a range outside the file is 416 with the size', () => {
  for (const range of ['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=999999999999999-'])
    assert.deepEqual(ask({ range }), [416, undefined, undefined, 'bytes */100'], range)
})

test('several ranges, other units and what is no range are answered with the whole file', () => {
  for (const range of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=5-2', 'bytes=-', 'bytes=a-b', 'bytes', '', 'bytes=1--2'])
    assert.deepEqual(ask({ range }), [200, '0-99', '100', undefined], range)
})

test('If-Range asks for the part only of the same file', () => {
  assert.equal(ask({ range: 'bytes=0-9', 'if-range': '"abc.png"' })[0], 206)
  for (const condition of ['"other"', 'W/"abc.png"', 'Sat, 21 Nov 2026 00:00:00 GMT'])
    assert.equal(ask({ range: 'bytes=0-9', 'if-range': condition })[0], 200, condition)
})

test('a client that has the file gets 304, before any range', () => {
  for (const tag of ['"abc.png"', 'W/"abc.png"', '"x", "abc.png"', '*'])
    assert.deepEqual(ask({ 'if-none-match': tag, range: 'bytes=0-9' }), [304, undefined, undefined, undefined], tag)
  assert.equal(ask({ 'if-none-match': '"x"' })[0], 200)
})

test('HEAD has the headers of the whole file and nothing of it', () => {
  assert.deepEqual(ask({ range: 'bytes=0-9' }, 'HEAD'), [200, undefined, '100', undefined])
})
