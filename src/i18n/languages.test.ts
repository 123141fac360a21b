import assert from 'node:assert/strict'
import test from 'node:test'
import { chooseLanguage, LANGUAGES } from './languages.ts'
import { CATALOGUES, translate } from './translate.ts'

const NONE = { segment: '', lang: undefined, accept: undefined }

test('the segment of the path outweighs lang, and lang the header', () => {
  assert.equal(chooseLanguage({ segment: 'de', lang: 'en', accept: 'en' }, 'en'), 'de')
  assert.equal(chooseLanguage({ segment: '', lang: 'de', accept: 'en' }, 'en'), 'de')
  assert.equal(chooseLanguage({ segment: '', lang: undefined, accept: 'de' }, 'en'), 'de')
})

test('a hint without a language that we have gives way to the next one', () => {
  assert.equal(chooseLanguage({ segment: '', lang: 'xx', accept: 'de' }, 'en'), 'de')
  assert.equal(chooseLanguage({ segment: '', lang: ['de'], accept: 'tlh, de' }, 'en'), 'de')
  assert.equal(chooseLanguage(NONE, 'de'), 'de')
})

test('regions and letter case do not matter', () => {
  assert.equal(chooseLanguage({ ...NONE, lang: 'DE_at' }, 'en'), 'de')
  assert.equal(chooseLanguage({ ...NONE, accept: 'de-CH' }, 'en'), 'de')
  assert.equal(chooseLanguage({ ...NONE, lang: 'pt_BR' }, 'en'), 'pt')
  assert.equal(chooseLanguage({ ...NONE, accept: 'zh-Hant-TW, en;q=0.5' }, 'en'), 'zh')
})

test('the header is read by weight, then by order', () => {
  for (const [accept, language] of [
    ['en;q=0.5, de;q=0.9', 'de'],
    ['en, de', 'en'],
    ['de;q=0, en;q=0.1', 'en'],
    ['tlh-KX, *;q=0.1, de;Q=0.4', 'de'],
    ['*', 'en'],
    ['de;q=1.2.3', 'en'],
    ['', 'en'],
    [`${'x,'.repeat(300)}de`, 'en'],
  ] as const) {
    assert.equal(chooseLanguage({ ...NONE, accept }, 'en'), language, accept)
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
