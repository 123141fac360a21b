import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyHtml, anyText } from '../../../test/support/any-text.ts'
import { draws } from '../../../test/support/draws.ts'
import { encodeText } from './entities.ts'
import { plainText } from './html.ts'

test('tags go, text stays, entities are decoded once', () => {
  for (const [input, plain] of [
    ['5 < 6 & 7 > 3', '5 < 6 & 7 > 3'],
    ['&lt;b&gt;', '<b>'],
    ['&amp;lt;', '&lt;'],
    ['<b>Bold</b> <script>alert(1)</script>move', 'Bold move'],
    ['One<br>Two<p>Three</p>', 'One Two Three'],
    [' "quoted" it\'s -- 9x9 ... (tm) ', '"quoted" it\'s -- 9x9 ... (tm)'],
    ['a\r\n\t b\u0007c', 'a b c'],
    ['two  spaces', 'two  spaces'],
    ['I <3 you', 'I <3 you'],
    ['never <a href="closed', 'never <a href="closed'],
    ['<!-- hidden -->seen', 'seen'],
    [' \n ', ''],
    ['\u200b\u00ad &#x202e;\u3164', ''],
    ['\u200f\u05e9\u200f', '\u200f\u05e9\u200f'],
    ['\u{1f468}\u200d\u{1f469}', '\u{1f468}\u200d\u{1f469}'],
  ] as const) {
    assert.equal(plainText(input), plain)
  }
})

test('plain text that was answered can be sent back', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, anyHtml), (text) => {
      const plain = plainText(text)
      assert.equal(plainText(encodeText(plain)), plain)
    }),
    { numRuns: draws(1000) },
  )
})

test('no control character, newline or lone surrogate is left', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, anyHtml), (text) => {
      assert.doesNotMatch(plainText(text), /[\p{Cc}\u2028\u2029]/u)
      assert.ok(plainText(text).isWellFormed())
    }),
  )
})
