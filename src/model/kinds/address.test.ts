import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webAddress } from './address.ts'

test('a missing scheme is added to what is an address of the web', () => {
  assert.equal(webAddress('http://hall.example/a?b#c'), 'http://hall.example/a?b#c')
  assert.equal(webAddress(' www.hall.example '), 'https://www.hall.example')
  assert.equal(webAddress('//hall.example/a'), 'https://hall.example/a')
  assert.equal(webAddress('hall.example:8080/a?b'), 'https://hall.example:8080/a?b')
  assert.equal(webAddress('bücher.example'), 'https://bücher.example')
})

test('anything else is no address of the web', () => {
  const others = ['', 'ask at the door', 'info@hall.example', 'mailto:info@hall.example', 'javascript:alert(1)', 'hall']
  for (const text of [
    ...others,
    'ftp://hall.example',
    'hall.example/a b',
    'Hall, 3rd. floor',
    '12.50',
    `a.bc/${'d'.repeat(2000)}`,
  ]) {
    assert.equal(webAddress(text), undefined, text.slice(0, 40))
  }
})
