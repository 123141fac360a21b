import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyHtml, anyText } from '../../../test/support/any-text.ts'
import { draws } from '../../../test/support/draws.ts'
import { POST_COMMON, POST_ELEMENTS } from './html-vocabulary.ts'
import { paragraphs } from './paragraphs.ts'
import { sanitize, sanitizeTree } from './sanitize.ts'
import { htmlTokens } from './tokens.ts'
import { buildTree, type Node, writeTree } from './tree.ts'

const vocabulary = { elements: POST_ELEMENTS, common: POST_COMMON, iframeHosts: [] }

function treeOf(html: string): Node[] {
  return paragraphs(buildTree(htmlTokens(html), vocabulary))
}

const TAGS = ['a', 'b', 'img', 'p', 'td', 'span', 'video', 'ol', 'details']
const NAMES = ['href', 'style', 'title', 'src', 'class', 'alt', 'lang', 'start', 'open', 'controls']
const VALUES = [
  ...['', ' ', 'x', '<b>', '"', '&quot;&amp;lt;', 'a>b<c', '\n', '/x?a=1&b=2', 'https://a.example/', '//h/x'],
  ...['jav\tascript:x', 'data:x', 'mailto:a@b.example', 'tel:1', 'color: red; position: fixed', 'color:expression(1)'],
  ...['width:1px;}b{color:red', 'color:/*', 'color:red;;;:', '}', '1', 'ltr', 'é日\u202e'],
]

/** Start tags with all kinds of attributes, each closed. */
const anyTags = fc
  .array(
    fc.record({
      tag: fc.constantFrom(...TAGS),
      attributes: fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.oneof(fc.constantFrom(...VALUES), fc.string())), {
        maxLength: 4,
      }),
    }),
    { maxLength: 8 },
  )
  .map((elements) =>
    elements
      .map(({ tag, attributes }) => {
        const written = attributes.map(([name, value]) => ` ${name}="${value.replaceAll('"', '&quot;')}"`)
        return `<${tag}${written.join('')}>x</${tag}>`
      })
      .join(''),
  )

test('asking about each start tag once gives what sanitising the whole text gives', () => {
  fc.assert(
    fc.property(fc.oneof(anyHtml, anyText, anyTags), (html) => {
      const tree = treeOf(html)
      assert.equal(sanitizeTree(tree, vocabulary), sanitize(writeTree(tree), vocabulary))
    }),
    { numRuns: draws(5000) },
  )
})

test('a tree with an element that may not occur is sanitised as a whole', () => {
  const script = { name: 'script', attributes: new Map(), children: ['alert(1)'], holdsBlock: false }
  assert.equal(sanitizeTree([script, 'x'], vocabulary), 'x')
})
