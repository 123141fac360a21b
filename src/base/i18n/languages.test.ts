import assert from 'node:assert/strict'
import test from 'node:test'
import { acceptedLanguage, knownLanguage } from '../../http/request/server-request.ts'
import { LANGUAGES } from './languages.ts'
import { CATALOGUES, translate, translateKnown, withValues } from './translate.ts'

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

test('every language has a catalogue', () => {
  assert.deepEqual(Object.keys(CATALOGUES), LANGUAGES)
})

test('a language that is none speaks English, also under the names of object members', () => {
  assert.equal(translate('constructor', 'fields.title'), 'Title')
  assert.equal(translate('de', 'fields.title'), 'Titel')
  assert.equal(translateKnown('de', 'fields.title'), 'Titel')
  assert.equal(translateKnown('de', 'toString'), 'toString')
})

test('a value of a stored message that is the ID of another one is translated, too', () => {
  const stored = withValues('import.problem.changedHere', { field: 'fields.title' })
  assert.equal(translateKnown('de', stored), '„Titel“ wurde hier geändert und bleibt so')
})

test('values are put into a message as they are', () => {
  assert.equal(translate('en', 'pages.resultsFor', { words: "{a} '<b>' $&" }), "Results for “{a} '<b>' $&”")
})
