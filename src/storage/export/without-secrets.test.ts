import assert from 'node:assert/strict'
import test from 'node:test'
import { withSecrets } from './without-secrets.ts'

test('an export with secrets has sessions without the tokens of providers', () => {
  assert.deepEqual(withSecrets('session')({ id: 'a', id_token: 'of a provider' }), { id: 'a', id_token: null })
  assert.deepEqual(withSecrets('user')({ id: 1, name: 'ada' }), { id: 1, name: 'ada' })
})
