import assert from 'node:assert/strict'
import test from 'node:test'
import { seal, unseal } from './sealed.ts'

const KEY = { secret: 'a'.repeat(64), purpose: 'tests' }

test('a sealed text opens with its key alone, and is another one each time', () => {
  for (const text of ['', 'secret', 'pässwörd ✓', 'x'.repeat(5_000)]) {
    const [one, other] = [seal(text, KEY), seal(text, KEY)]
    assert.notEqual(one, other)
    assert.equal(unseal(one, KEY), text)
    if (text !== '') assert.doesNotMatch(one + Buffer.from(one, 'base64url').toString('latin1'), new RegExp(text))
    assert.equal(unseal(one, { ...KEY, secret: 'b'.repeat(64) }), undefined)
    assert.equal(unseal(one, { ...KEY, purpose: 'others' }), undefined)
  }
  const sealed = seal('secret', KEY)
  const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`
  for (const broken of [changed, sealed.slice(0, 20), '', 'nonsense']) assert.equal(unseal(broken, KEY), undefined)
})
