import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprintOf } from './fingerprint.ts'

/** A form of so many parts. */
function form(boundary: string, parts: number) {
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return {
    session: undefined,
    target: '/media',
    method: 'POST',
    headers,
    body: Buffer.from(`--${boundary}x`.repeat(parts)),
  }
}

test('a form is the same with another boundary, as long as it has no more parts than are read', async () => {
  assert.equal(await fingerprintOf(form('a', 2_000)), await fingerprintOf(form('bb', 2_000)))
  assert.notEqual(await fingerprintOf(form('a', 2_000)), await fingerprintOf(form('a', 1_999)))
  // A body of nothing but boundaries is not taken apart: that would take seconds.
  assert.notEqual(await fingerprintOf(form('a', 2_010)), await fingerprintOf(form('bb', 2_010)))
})

test('no body is the same as an empty one', async () => {
  const deletion = { session: undefined, target: '/events/1', method: 'DELETE', headers: {} }
  assert.equal(
    await fingerprintOf({ ...deletion, body: undefined }),
    await fingerprintOf({ ...deletion, body: Buffer.alloc(0) }),
  )
})
