import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyHtml, anyText } from '../../../test/support/any-text.ts'
import { draws } from '../../../test/support/draws.ts'
import { percentDecoded, slugify, withEnding } from './slug.ts'

test('a slug is made as the wire makes it', () => {
  for (const [text, slug] of [
    ['My Slug!', 'my-slug'],
    ['ÜBER', 'uber'],
    ['a/b', 'a-b'],
    ['-x-', 'x'],
    ['Café 日本', 'cafe-%e6%97%a5%e6%9c%ac'],
    ['cafe-%E6%97%A5', 'cafe-%e6%97%a5'],
    ['R&D &amp; <b>more</b>', 'rd-more'],
    ["St. John's 50% off", 'st-johns-50-off'],
    ['Rock – Pop — Jazz', 'rock-pop-jazz'],
    ['gone__trashed', 'gone__trashed'],
    ['Straße', 'strasse'],
    ['Йога', '%d0%b9%d0%be%d0%b3%d0%b0'],
    ['!?', ''],
    ['', ''],
  ] as const) {
    assert.equal(slugify(text), slug)
  }
})

test('a slug is cut at 200 bytes without cutting a character', () => {
  assert.equal(slugify('x'.repeat(300)), 'x'.repeat(200))
  assert.equal(slugify('日'.repeat(100)), '%e6%97%a5'.repeat(22))
  assert.equal(slugify(`${'x'.repeat(199)} y`), 'x'.repeat(199))
})

test('a slug has only its own characters, and the slug of a slug is itself', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, anyHtml), (text) => {
      const slug = slugify(text)
      assert.match(slug, /^(?:[a-z0-9_-]|%[0-9a-f]{2})*$/)
      assert.doesNotMatch(slug, /^-|-$|--/)
      assert.ok(slug.length <= 200)
      assert.doesNotThrow(() => decodeURIComponent(slug))
      assert.equal(slugify(slug), slug)
      assert.equal(slugify(decodeURIComponent(slug)), slug)
    }),
    { numRuns: draws(1000) },
  )
})

test('percent-encoding is decoded once, and what is broken stays', () => {
  assert.equal(percentDecoded('caf%C3%A9-%2541'), 'café-%41')
  for (const broken of ['50% off %41', '%ff', '%41%e6%97', '%', '']) assert.equal(percentDecoded(broken), broken)
})

test('an ending takes the place of whole characters, and what comes out is a slug', () => {
  assert.equal(withEnding('hall', '-2'), 'hall-2')
  assert.equal(withEnding(slugify('日'.repeat(22)), '-10'), `${'%e6%97%a5'.repeat(21)}-10`)
  assert.equal(withEnding(`${'x'.repeat(197)}-yy`, '-2'), `${'x'.repeat(197)}-2`)
  fc.assert(
    fc.property(anyText, fc.constantFrom('-2', '-10', '-100', '__trashed'), (text, ending) => {
      const slug = slugify(text.repeat(20))
      const ended = withEnding(slug || 'x', ending)
      assert.ok(ended.length <= 200)
      assert.equal(slugify(ended), ended)
    }),
    { numRuns: draws(500) },
  )
})
