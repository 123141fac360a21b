import assert from 'node:assert/strict'
import test from 'node:test'
import { nameKey } from './name-key.ts'

test('names are the same in another case, with other spaces and in another Unicode form', () => {
  const same = [
    ['Old Mill', ' OLD \u00a0 mill\t'],
    ['Café Grün', 'CAFE\u0301 GRU\u0308N'],
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['Ångström', 'ångström'],
    ['ИЖЕВСК', 'ижевск'],
  ]
  for (const [one = '', other = ''] of same) assert.equal(nameKey(one), nameKey(other), one)
})

test('names that differ in a letter, an accent or a sign are not the same', () => {
  const different = ['Cafe', 'Café', 'Cafè', 'Caffe', 'Cafe!', 'Cafe-', 'Ca fe', 'ılık', 'ilik', 'Ø', 'O']
  assert.equal(new Set(different.map(nameKey)).size, different.length)
})

test('a key is its own key', () => {
  for (const name of ['İstanbul ', 'ΑΣ ς', 'ﬁne  Art', '\u1e9e', 'ŉ x', '\u0345α'])
    assert.equal(nameKey(nameKey(name)), nameKey(name))
})
