import assert from 'node:assert/strict'
import test from 'node:test'
import { acceptedLanguage, knownLanguage, LANGUAGES } from './languages.ts'
import { CATALOGUES, translate } from './translate.ts'

test('regions and letter case do not matter', () => {
  assert.equal(knownLanguage('DE_at'), 'de')
  assert.equal(knownLanguage('pt_BR'), 'pt')
  assert.equal(knownLanguage('xx'), '')
  assert.equal(acceptedLanguage('de-CH'), 'de')
  assert.equal(acceptedLanguage('zh-Hant-TW, en;q=0.5'), 'zh')
})

test('the header is read by weight, then by order', () => {
  for (const [accept, language] of [
    ['en;q=0.5, de;q=0.9', 'de'],
    ['en, de', 'en'],
    ['de;q=0, en;q=0.1', 'en'],
    ['tlh-KX, *;q=0.1, de;Q=0.4', 'de'],
    ['*', ''],
    ['de;q=1.2.3', ''],
    ['', ''],
    [undefined, ''],
    [`${'x,'.repeat(300)}de`, ''],
  ] as const) {
    assert.equal(acceptedLanguage(accept), language, String(accept))
  }
})

test('every language but English has a catalogue', () => {
  assert.deepEqual(
    Object.keys(CATALOGUES),
    LANGUAGES.filter((one) => one !== 'en'),
  )
})

test('a text without a translation stays English, also under the names of object members', () => {
  assert.equal(translate('de', 'Never translated'), 'Never translated')
  assert.equal(translate('de', 'toString'), 'toString')
  assert.equal(translate('constructor', 'name'), 'name')
  assert.equal(translate('en', 'Title of the event'), 'Title of the event')
})
