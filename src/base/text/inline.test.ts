import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyHtml, anyText } from '../../../test/support/any-text.ts'
import { draws } from '../../../test/support/draws.ts'
import { textOfHtml } from './html.ts'
import { inlineHtml } from './inline.ts'

test('only simple inline HTML survives', () => {
  for (const [input, output] of [
    ['Term text', 'Term text'],
    ['desc <b onclick="x()">x</b>', 'desc <b>x</b>'],
    ['<p>One</p><p>Two <a href="https://a.example/">l</a></p>', 'One\n\nTwo <a href="https://a.example/">l</a>'],
    ['<script>alert(1)</script>R & D', 'R &amp; D'],
    ['<a href="javascript:x">l</a> <img src="x.png">', '<a>l</a>'],
    ['a<br>b', 'a<br />b'],
    ['<em>open', '<em>open</em>'],
    [' \n ', ''],
  ] as const) {
    assert.equal(inlineHtml(input), output)
  }
})

test('doing it twice changes nothing and loses no text', () => {
  fc.assert(
    fc.property(fc.oneof(anyHtml, anyText), (html) => {
      const once = inlineHtml(html)
      assert.equal(inlineHtml(once), once)
      assert.equal(textOfHtml(once).replace(/\s/g, ''), textOfHtml(html).replace(/\s/g, ''))
    }),
    { numRuns: draws(2000) },
  )
})
