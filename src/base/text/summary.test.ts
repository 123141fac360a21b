import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { cutAtWord, sentencesOfHtml } from './html.ts'

test('the end of a block without punctuation is the end of a sentence', () => {
  for (const [html, text] of [
    [
      '<h2>Programme</h2><ul><li>Opening by the mayor</li><li>Music!</li></ul>',
      'Programme. Opening by the mayor. Music!',
    ],
    ['<p>Doors open at 8.</p>\n<p>Bring <b>a</b> friend</p>', 'Doors open at 8. Bring a friend'],
    ['One<br>two<p>three</p>', 'One two. three'],
    ['<p>開場</p><p>音楽</p>', '開場。 音楽'],
    ['<p>With:</p><p>a guest</p><p> </p>', 'With: a guest'],
    ['', ''],
  ] as const)
    assert.equal(sentencesOfHtml(html), text)
})

test('a text is cut behind a word', () => {
  assert.equal(cutAtWord('Opening by the mayor', 13), 'Opening by…')
  assert.equal(cutAtWord('Opening by the mayor', 14), 'Opening by the…')
  assert.equal(cutAtWord('Opening, by the mayor', 10), 'Opening…')
  assert.equal(cutAtWord('Opening', 7), 'Opening')
  assert.equal(cutAtWord('x'.repeat(30), 10), `${'x'.repeat(10)}…`)
})

test('a cut text is a beginning of the text, and no longer than asked for', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, limit) => {
      const cut = cutAtWord(text, limit)
      assert.ok(cut === text || text.startsWith(cut.slice(0, -1)))
      assert.ok([...cut].length <= limit + 1)
    }),
    { numRuns: 50 },
  )
})
