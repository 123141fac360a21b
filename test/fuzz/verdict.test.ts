import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOf } from './verdict.ts'

const DATA = '/var/lib/kalends'

function answered(headers: Record<string, string>): Parameters<typeof faultOf>[0] {
  const type = { 'content-type': 'application/json' }
  return { status: 200, headers: new Map(Object.entries({ ...type, ...headers })), body: '{}' }
}

test('the letters of a digest say nothing of the inside of the server', () => {
  assert.equal(faultOf(answered({ etag: '"yfG9asAJCF-fts5-LdBA-5"' }), DATA), undefined)
  assert.equal(faultOf(answered({ etag: '"yfG9asAJCF-fts5-LdBA-5.ab-fts5-efghijkl-br"' }), DATA), undefined)
})

test('anything else in a header does', () => {
  assert.match(
    faultOf(answered({ etag: '"no such table: event"' }), DATA) ?? '',
    /in the answer: .*no such table: event/,
  )
  assert.match(faultOf(answered({ link: '"yfG9asAJCF-fts5-LdBA-5"' }), DATA) ?? '', /in the answer/)
})
