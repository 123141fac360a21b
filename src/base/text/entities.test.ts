import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../test/support/any-text.ts'
import { decodeEntities, encodeText, escapeHtml } from './entities.ts'

test('references are decoded exactly once', () => {
  assert.equal(decodeEntities('&amp;lt; &hearts; &#8217; &#x2014; &eacute;'), '&lt; ♥ ’ — é')
})

test('what is no reference stays as it is', () => {
  assert.equal(decodeEntities('AT&T; R&D ?a=1&copy=2 &'), 'AT&T; R&D ?a=1&copy=2 &')
})

test('encoded text holds no markup and decodes to itself', () => {
  assert.equal(encodeText('5 < 6 & "7" > \'3\''), '5 &lt; 6 &amp; "7" &gt; \'3\'')
  assert.equal(escapeHtml('<a b="c\'d&">'), '&lt;a b=&quot;c&#39;d&amp;&quot;&gt;')
  fc.assert(
    fc.property(anyText, (text) => {
      assert.equal(decodeEntities(encodeText(text)), text)
      assert.equal(decodeEntities(escapeHtml(text)), text)
    }),
  )
})
