import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyHtml } from '../../../test/support/any-text.ts'
import { linesOfHtml } from './lines.ts'

test('blocks become lines, paragraphs stand apart, lists keep their marks', () => {
  for (const [html, lines] of [
    ['<p>One</p>\n<p>Two<br />three</p>', 'One\n\nTwo\nthree'],
    [
      '<h2>Programme</h2>\n<ul>\n<li>Jazz</li>\n<li>Swing &amp; more</li>\n</ul>',
      'Programme\n\n- Jazz\n- Swing & more',
    ],
    ['<div>a</div><div>b</div>', 'a\nb'],
    ['<ul><li><p>a</p></li><li></li><li>b <i>c</i>d</li></ul><p>e</p>', '- a\n\n-\n- b cd\n\ne'],
    ['<b>a</b> <i> b</i>c', 'a bc'],
    ['<p>a   b\n c</p>', 'a b c'],
    ['<p></p><p> </p>', ''],
    ['<p>x</p><script>alert(1)</script>', 'x'],
    ['<table><tr><td>19:00</td></tr><tr><td>Doors</td></tr></table>', '19:00\nDoors'],
    ['<p>5 &lt; 6</p>', '5 < 6'],
    ['plain', 'plain'],
  ] as const) {
    assert.equal(linesOfHtml(html), lines)
  }
})

test('a link is followed by its address, where its text does not say it', () => {
  for (const [html, lines] of [
    [
      '<a href="https://tickets.example/?a=1&amp;b=2">Tickets</a> now',
      'Tickets (https://tickets.example/?a=1&b=2) now',
    ],
    ['<a href="https://a.example/">https://a.example/</a>', 'https://a.example/'],
    ['<a href="mailto:ada@example.org">Write to Ada</a>', 'Write to Ada (ada@example.org)'],
    ['<a href="#below">below</a>', 'below'],
    ['<a name="x">here</a>', 'here'],
    ['<a href="https://a.example/"><img src="/x.png" /></a>', ''],
  ] as const) {
    assert.equal(linesOfHtml(html), lines)
  }
})

test('no line begins or ends with a space, and none is empty twice', () => {
  fc.assert(
    fc.property(anyHtml, (html) => {
      assert.doesNotMatch(linesOfHtml(html), /^ | $|\n\n\n/m)
    }),
  )
})
