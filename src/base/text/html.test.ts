import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyHtml, anyText } from '../../../test/support/any-text.ts'
import { draws } from '../../../test/support/draws.ts'
import { cleanHtml, textOfHtml } from './html.ts'
import { POST_COMMON, POST_ELEMENTS } from './html-vocabulary.ts'
import { sanitize } from './sanitize.ts'

function cleansTo(table: readonly (readonly [string, string])[]): void {
  for (const [input, output] of table) assert.equal(cleanHtml(input), output, input)
}

test('blank lines make paragraphs and single newlines breaks', () => {
  cleansTo([
    ['Event content', '<p>Event content</p>'],
    ['First\n\nSecond', '<p>First</p>\n<p>Second</p>'],
    ['a\nb\r\n \r\n\r\nc', '<p>a<br />\nb</p>\n<p>c</p>'],
    ['a <br>\nb', '<p>a <br />\nb</p>'],
    ['<b>a\nb</b>\n<i>c</i>', '<p><b>a<br />\nb</b><br />\n<i>c</i></p>'],
    ['  text ', '<p>text</p>'],
    ['<img src="/x.png" alt="">', '<p><img src="/x.png" alt="" /></p>'],
  ])
})

test('blocks stay as they are', () => {
  cleansTo([
    ['<p>a\nb</p>', '<p>a\nb</p>'],
    [
      '<h2>Title</h2>text\n\nmore<ul>\n<li>x</li>\n</ul>',
      '<h2>Title</h2>\n<p>text</p>\n<p>more</p>\n<ul>\n<li>x</li>\n</ul>',
    ],
    ['<pre>\n a\n\n b</pre>', '<pre>\n a\n\n b</pre>'],
    ['<div>a\n\nb</div>', '<div>a\n\nb</div>'],
    ['<a href="/x"><div>card</div></a>', '<a href="/x"><div>card</div></a>'],
    ['<p></p><p>x</p><p> </p>', '<p>x</p>'],
  ])
})

test('white space only is nothing', () => {
  cleansTo([
    ['', ''],
    [' \r\n\t', ''],
    ['<p>&nbsp;</p>', ''],
    ['<!-- x --><b> </b>', ''],
    ['<script>1</script>', ''],
  ])
})

test('active content goes and its harmless surroundings stay', () => {
  cleansTo([
    [
      'Hi <b>there</b> <img src="http://e.example/x.png" onerror="alert(1)"> <a href="javascript:alert(1)" onclick="x()">l</a> <iframe src="http://evil.example/"></iframe><script>alert(1)</script>',
      '<p>Hi <b>there</b> <img src="http://e.example/x.png" /> <a>l</a></p>',
    ],
    ['<a href=" java&#115;cript&colon;x">l</a>', '<p><a>l</a></p>'],
    ['<a href="java\nscript:x">l</a>', '<p><a>l</a></p>'],
    ['<img src="data:image/png;base64,AA">x', '<p>x</p>'],
    ['<svg onload="x()"><style>p{}</style><p>y</p></svg>', '<p>y</p>'],
    ['<p style="color: red; position: fixed; background: url(x)">x</p>', '<p style="color:red">x</p>'],
    ['<p style="color: expression(alert(1))">x</p>', '<p>x</p>'],
    ['<form action="/x"><input value="v"><button>Go</button></form>', '<div>Go</div>'],
    ['<constructor>x</constructor><toString>y', '<p>xy</p>'],
  ])
})

test('links may be http, https, mailto, tel and relative', () => {
  for (const href of [
    'http://a.example/',
    'https://a.example/?x=1&amp;y=2',
    'mailto:a@b.example',
    'tel:+1',
    '/x',
    '#y',
    '//h/x',
  ]) {
    assert.equal(cleanHtml(`<a href="${href}">l</a>`), `<p><a href="${href}">l</a></p>`)
  }
  assert.equal(cleanHtml('<a href="ftp://a.example/">l</a>'), '<p><a>l</a></p>')
})

test('frames are kept only from the hosts that the site trusts', () => {
  const iframeHosts = ['video.example']
  const frame = '<iframe src="https://video.example/1" allowfullscreen></iframe>'
  assert.equal(cleanHtml(frame, { iframeHosts }), `<p>${frame}</p>`)
  assert.equal(cleanHtml(frame), '')
  for (const src of [
    'https://evil.example/',
    'https://video.example.evil.example/',
    'https://video.example@evil.example/',
    '/x',
    'javascript:x',
    '',
  ]) {
    assert.equal(cleanHtml(`x<iframe src="${src}">inside</iframe>`, { iframeHosts }), '<p>x</p>', src)
  }
})

test('what is no markup is text, entities come back as characters', () => {
  cleansTo([
    ['5 < 6 & 7 > 3 &copy; a\\b "c" \'d\'', '<p>5 &lt; 6 &amp; 7 &gt; 3 © a\\b "c" \'d\'</p>'],
    ['&lt;script&gt;', '<p>&lt;script&gt;</p>'],
    ['see <a href="x', '<p>see &lt;a href="x</p>'],
    ['a <!-- b', '<p>a &lt;!-- b</p>'],
    ['<![CDATA[x < y]]>', '<p>x &lt; y</p>'],
    ['a\0b\ud800c\u0007d', '<p>a\ufffdb\ufffdc d</p>'],
  ])
})

test('wrong nesting is put right', () => {
  cleansTo([
    ['<ul><li>a<li>b</ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['<table><td>1<td>2<tr><td>3</table>', '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>'],
    ['<td>x</td>', '<p>x</p>'],
    ['<p>a<div>b</div>c</p>', '<p>a</p>\n<div>b</div>\n<p>c</p>'],
    ['<b>x<p>y</b>z', '<b>x<p>y</p></b>\n<p>z</p>'],
    ['<dl><dt>a<dd>b<dt>c</dl>', '<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>'],
  ])
})

test('cleaning twice changes nothing', () => {
  const options = { iframeHosts: ['video.example'] }
  fc.assert(
    fc.property(fc.oneof(anyHtml, anyText), (html) => {
      const once = cleanHtml(html, options)
      assert.equal(cleanHtml(once, options), once)
    }),
    { numRuns: draws(2000) },
  )
})

test('the sanitiser finds nothing left to change', () => {
  const vocabulary = { elements: POST_ELEMENTS, common: POST_COMMON, iframeHosts: [] }
  fc.assert(
    fc.property(anyHtml, (html) => {
      const clean = cleanHtml(html)
      assert.equal(sanitize(clean, vocabulary), clean)
    }),
    { numRuns: draws(1000) },
  )
})

test('no text is lost', () => {
  const letters = (html: string) => textOfHtml(html).replace(/\s+/g, '')
  fc.assert(
    fc.property(fc.oneof(anyHtml, anyText), (html) => assert.equal(letters(cleanHtml(html)), letters(html))),
    { numRuns: draws(2000) },
  )
})

test('nothing dangerous survives in any combination', () => {
  const dangers = fc.constantFrom(
    '<script>',
    '</script>',
    '<svg/onload=x>',
    '<math><mtext>',
    '<style>',
    '</style>',
    '<img src=x onerror=y>',
    '<template>',
    '<a href=javascript:x>',
    '<a href="\u0001javascript:x">',
    '<iframe srcdoc="<script>">',
    '<!--',
    '-->',
    '<noscript>',
    '<p title="</noscript>',
    '<img src="`',
    '"',
    "'",
    '>',
    '<b ',
    '<object data=x>',
    '<embed src=x>',
    '<base href=x>',
    '<meta http-equiv=refresh>',
    '<xmp>',
    '<plaintext>',
  )
  fc.assert(
    fc.property(fc.array(dangers, { maxLength: 12 }), (pieces) => {
      for (const tag of cleanHtml(pieces.join('')).match(/<[^>]*>/g) ?? []) {
        assert.doesNotMatch(tag, /="\s*javascript:/i)
        assert.match(tag.replace(/="[^"]*"/g, ''), /^<\/?(?:p|a|b|br|img)(?: (?:title|href|src))* ?\/?>$/)
      }
    }),
    { numRuns: draws(2000) },
  )
})

function depthOf(html: string): number {
  let depth = 0
  let deepest = 0
  for (const [tag] of html.matchAll(/<\/?[a-z]+/g)) {
    depth += tag.startsWith('</') ? -1 : 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

test('nesting deeper than 100 is cut, its text stays, and cutting again changes nothing', () => {
  for (const tag of ['div', 'b', 'ul><li', 'table><td', 'blockquote', 'div><span']) {
    const clean = cleanHtml(`${`<${tag}>`.repeat(300)}deep`)
    assert.ok(depthOf(clean) >= 99 && depthOf(clean) <= 100, tag)
    assert.match(clean, /deep/)
    assert.equal(cleanHtml(clean), clean)
  }
  const broken = cleanHtml(`${'<b>'.repeat(100)}one\n\ntwo`)
  assert.equal(cleanHtml(broken), broken)
})

test('hostile input takes time in proportion to its length', () => {
  const pieces = [
    '<b>',
    '<div>',
    '</i>',
    '<',
    '<a b="',
    '<!--',
    '<script>',
    '&',
    'x\n\n',
    '<li>',
    '<td>',
    '<b><p><table></i>',
  ]
  for (const piece of pieces) {
    const started = process.cpuUsage()
    cleanHtml(`${'<b>'.repeat(30_000)}${piece.repeat(200_000 / piece.length)}>`)
    const { user } = process.cpuUsage(started)
    assert.ok(user < 30_000_000, `${piece} took ${user} µs`)
  }
  const long = ' '.repeat(300_000)
  assert.equal(
    cleanHtml(`<a ${long}>x${long}y<i style="${'a:b;'.repeat(90_000)}" title="${'&'.repeat(9)}">`).length > 0,
    true,
  )
})

test('the text of HTML is what readers see, on one line', () => {
  assert.equal(
    textOfHtml('<p>One &amp; <b>t</b>wo</p>\n<ul><li>Three</li><li>Four</li></ul><script>no</script> &lt;five&gt;'),
    'One & two Three Four <five>',
  )
  assert.equal(textOfHtml('<p> </p>'), '')
})
