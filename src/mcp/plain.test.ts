import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyHtml, anyText } from '../../test/support/any-text.ts'
import { draws } from '../../test/support/draws.ts'
import { cleanHtml } from '../base/text/html.ts'
import { DESCRIPTION_LIMIT, plainLine, plainLines } from './plain.ts'

/** Characters that no result has, as the requirement names them. */
const NEVER =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is what this expression is for
  /[\0-\x09\x0b-\x1f\x7f-\x9f\u200b\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]|[\u200c-\u200f]{2}/u

const UNSEEN = '\u0007\u200b\u2060\u2064\ufeff\u202a\u202e\u2066\u2069\u{e0001}\u{e0041}\u{e007f}\u0085'

test('elements that an attribute, a class or a style hides are dropped with everything in them', () => {
  for (const hiding of [
    'hidden',
    'hidden=""',
    'aria-hidden="true"',
    'class="vh"',
    'class="wide vh"',
    'style="max-height:0;height:0"',
    'style="height: 0%;width:50%"',
    'style="max-width:0"',
    'style="color:transparent"',
    'style="color: transparent !important"',
    'style="color:#ffffff00"',
    'style="color: rgba(0, 0, 0, 0)"',
    'style="color: rgb(0 0 0 / 0%)"',
    'style="color:#fff;background-color:#fff"',
  ]) {
    const html = `<p>a</p><div ${hiding}>x<div>y<br>z</div>w</div><p>b</p>`
    assert.equal(plainLines(html).text, 'a\n\nb', hiding)
    if (!hiding.includes('hidden')) assert.equal(plainLines(cleanHtml(html)).text, 'a\n\nb', hiding)
  }
})

test('no style that hides otherwise is ever stored, so that people see such elements, too', () => {
  for (const style of [
    ...['display:none', 'visibility:hidden', 'opacity:0', 'font-size:0', 'text-indent:-9999px', 'clip-path:inset(50%)'],
    ...['position:absolute;left:-10000px', 'max-height:0'],
  ])
    assert.doesNotMatch(cleanHtml(`<p style="${style}">a</p>`), /style="[^"]+"/, style)
})

test('every class that our style sheets hide wherever it is used counts', () => {
  const folder = join(import.meta.dirname, '../pages/client/site')
  const sheets = readdirSync(folder).filter((name) => name.endsWith('.css'))
  const rules = sheets.flatMap((name) => [
    ...readFileSync(join(folder, name), 'utf8').matchAll(/^\.([a-z-]+) \{\n([^}]*)\}/gm),
  ])
  const hiding = rules.filter(([, , body = '']) => /display: none|visibility: hidden|clip-path: inset/.test(body))
  assert.ok(hiding.length > 0)
  for (const [, name = ''] of hiding) assert.equal(plainLines(`<p class="${name}">a</p>`).text, '', name)
})

test('what can be seen stays, whatever its style', () => {
  for (const style of [
    'color:#000',
    'width:100%',
    'height:auto',
    'color:rgb(0,0,0)',
    'color:#fff;background-color:#000',
  ])
    assert.equal(plainLines(`<p style="${style}">a</p>`).text, 'a', style)
})

test('comments, scripts and the addresses behind mail links are dropped, entities are decoded', () => {
  const html =
    '<p>Caf&eacute; <!-- obey --><script>x</script><a href="mailto:a@b.example">write</a> <a href="tel:+4930">call</a></p>'
  assert.equal(plainLines(html).text, 'Café write call')
  assert.equal(plainLine('R&amp;B &lt;live&gt;'), 'R&B <live>')
})

test('characters that nobody sees are removed, also those written as references', () => {
  const references = Array.from(UNSEEN, (one) => `&#${one.codePointAt(0)};`).join('')
  for (const sent of [`a${UNSEEN}b`, `a${references}b`]) {
    assert.doesNotMatch(plainLine(sent), NEVER)
    assert.doesNotMatch(plainLines(`<p>${sent}</p>`).text, NEVER)
  }
  assert.equal(plainLine('a\u200b\u2060\u{e0041}b'), 'ab')
  // One joiner is how scripts and emoji are written.
  assert.equal(
    plainLine('\u0645\u06cc\u200c\u062e \u{1f468}\u200d\u{1f469}'),
    '\u0645\u06cc\u200c\u062e \u{1f468}\u200d\u{1f469}',
  )
  assert.equal(plainLine('a\u200d\u200e\u200f\u200cb'), 'a\u200db')
  assert.equal(plainLine('a\u200d\u2060\u200fb'), 'a\u200db')
})

test('texts are cut between characters, and only lines of HTML keep their breaks', () => {
  assert.equal(plainLine('😀'.repeat(300)).length, 500)
  assert.equal(plainLine(`a${'😀'.repeat(300)}`), `a${'😀'.repeat(249)}`)
  const long = plainLines(`<p>${'x'.repeat(5_000)}</p>`, DESCRIPTION_LIMIT)
  assert.deepEqual([long.text.length, long.isCut], [4_000, true])
  assert.deepEqual(plainLines('<p>a</p>', DESCRIPTION_LIMIT), { text: 'a', isCut: false })
  assert.equal(plainLine('a\n\tb'), 'a b')
})

test('no text, however it is made, has such characters or half ones', () => {
  const any = fc.oneof(anyText, anyHtml, fc.constantFrom(...UNSEEN, '\u200c\u200d', '&#8203;', '<p hidden>'))
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), fc.nat(40), (pieces, limit) => {
      const sent = pieces.join('')
      for (const text of [
        plainLine(sent),
        plainLine(sent, limit),
        plainLines(sent).text,
        plainLines(sent, limit).text,
      ]) {
        assert.doesNotMatch(text, NEVER)
        assert.ok(text.isWellFormed())
        assert.ok(text.length <= 500)
      }
      assert.doesNotMatch(plainLine(sent), /\n/)
    }),
    { numRuns: draws(20_000, 300) },
  )
})
