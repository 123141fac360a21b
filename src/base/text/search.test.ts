import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../test/support/any-text.ts'
import { fold } from './fold.ts'
import { parseSearch } from './search.ts'

test('words, phrases and exclusions are read and folded', () => {
  assert.deepEqual(parseSearch('Café "red  Door" -Blue -"two words" “curly quotes” CAFE'), {
    words: ['cafe', 'red door', 'curly quotes'],
    excluded: ['blue', 'two words'],
  })
})

test('wildcards are taken literally and a quote that never ends reaches to the end', () => {
  assert.deepEqual(parseSearch('100% a_b "open end'), { words: ['100%', 'a_b', 'open end'], excluded: [] })
})

test('nothing remains of spaces, empty quotes and lone hyphens', () => {
  assert.deepEqual(parseSearch(' - "" -"" \u00ad '), { words: [], excluded: [] })
})

test('a hyphen inside a word excludes nothing', () => {
  assert.deepEqual(parseSearch('drum-and-bass'), { words: ['drum-and-bass'], excluded: [] })
})

test('every word is folded and not empty, and a word without quotes and hyphen finds itself', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { words, excluded } = parseSearch(text)
      for (const word of [...words, ...excluded]) assert.equal(fold(word), word)
      assert.ok(!words.includes('') && !excluded.includes(''))
    }),
  )
})
