import assert from 'node:assert/strict'
import test from 'node:test'
import { originOf } from './incoming.ts'

test('addresses are those of the web, whatever a proxy says of the protocol', () => {
  const origins = ['http', 'https', 'javascript', ''].map((protocol) =>
    originOf({ host: 'a.example:8080', protocol }, ''),
  )
  assert.deepEqual(
    origins,
    ['http', 'https', 'http', 'http'].map((scheme) => `${scheme}://a.example:8080`),
  )
})
