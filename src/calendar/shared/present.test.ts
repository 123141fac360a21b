import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filled, withExtra } from './present.ts'

test('what has no content is left out of JSON, false and 0 are told apart', () => {
  for (const empty of ['', null, undefined, false, [], {}]) assert.equal(filled(empty), undefined)
  for (const content of ['x', 0, true, [0], { a: '' }]) assert.equal(filled(content), content)
})

test('an unknown member of an import stands last, also where ours of that name has no content', () => {
  const answer = { id: 7, phone: filled(''), slug: 'hall' }
  const shown = withExtra(answer, '{"phone":"030","slug":"other","opens":"noon"}')
  assert.equal(JSON.stringify(shown), '{"id":7,"slug":"hall","phone":"030","opens":"noon"}')
  assert.equal(JSON.stringify(withExtra(answer, null)), '{"id":7,"slug":"hall"}')
})
