import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../test/support/any-text.ts'
import { fold, sortKey } from './fold.ts'

test('case, accents, ligatures and full width make no difference', () => {
  for (const [text, folded] of [
    ['Žluť CAFÉ', 'zlut cafe'],
    ['Straße', 'strasse'],
    ['Æsir Œuvre Øre Łódź Đuro Þór', 'aesir oeuvre ore lodz duro thor'],
    ['ΑΣ ας', 'ασ ασ'],
    ['İSTANBUL ısı', 'istanbul isi'],
    ['ПРИВЕТ Ёж', 'привет еж'],
    ['ＡＢＣ ﬁn', 'abc fin'],
    ['so\u00adft', 'soft'],
  ] as const) {
    assert.equal(fold(text), folded)
  }
})

test('white space of every kind is one space and none at the ends', () => {
  assert.equal(fold(' a \t\r\n\u00a0 b\u3000c\0 '), 'a b c\ufffd')
  assert.equal(fold(' \n '), '')
  assert.equal(fold(' A  b\t\tC \r\n d\r'), 'a b c d')
  assert.equal(fold('a\u0007b\u007fc\u000bd'), 'a b c d')
})

test('marks that make another word are kept', () => {
  assert.notEqual(fold('バス'), fold('ハス'))
  assert.notEqual(fold('दिन'), fold('दान'))
})

test('folding twice changes nothing', () => {
  fc.assert(fc.property(anyText, (text) => assert.equal(fold(fold(text)), fold(text))))
})

test('texts that differ only in case fold alike', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'aZéßſŒøŁıİΣσςЁжﬁǅDžＡｂ 日か') })
  fc.assert(
    fc.property(letters, (text) => {
      assert.equal(fold(text.toUpperCase()), fold(text))
      assert.equal(fold(text.toLowerCase()), fold(text))
    }),
  )
})

test('sort keys order bytewise: punctuation, digits, letters, whatever the case and accents', () => {
  const texts = [
    '',
    '"quoted"',
    '_under',
    '{brace',
    '¿Qué',
    '1st',
    '2nd',
    'apple',
    'Äpfel',
    'apple pie',
    'applé-tree',
    'Zoo',
    'Яма',
  ]
  const keys = texts.map((text) => Buffer.from(sortKey(text)))
  const inOrder = keys.toSorted(Buffer.compare)
  assert.deepEqual(inOrder.map(String), [
    '',
    '!brace',
    '!que',
    '!quoted!',
    '!under',
    '1st',
    '2nd',
    'apfel',
    'apple',
    'apple pie',
    'apple!tree',
    'zoo',
    'яма',
  ])
})

test('a sort key is short and whole', () => {
  assert.equal(sortKey('ab'.repeat(500)).length, 250)
  assert.ok(sortKey('𝔸日😀'.repeat(300)).isWellFormed())
  fc.assert(fc.property(anyText, (text) => assert.ok(Array.from(sortKey(text)).length <= 250)))
})
