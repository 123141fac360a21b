import assert from 'node:assert/strict'
import test from 'node:test'
import { languageOf, originOf } from './incoming.ts'

test('addresses are those of the web, whatever a proxy says of the protocol', () => {
  const origins = ['http', 'https', 'javascript', ''].map((protocol) =>
    originOf({ host: 'a.example:8080', protocol }, ''),
  )
  assert.deepEqual(
    origins,
    ['http', 'https', 'http', 'http'].map((scheme) => `${scheme}://a.example:8080`),
  )
})

const hinting = (segment: string, lang: unknown, accept?: string) => ({
  language: segment,
  query: lang === undefined ? {} : { lang },
  headers: accept === undefined ? {} : { 'accept-language': accept },
  ticket: undefined,
})

test('the segment of the path outweighs lang, and lang the header', () => {
  assert.equal(languageOf(hinting('de', 'en', 'en'), 'en'), 'de')
  assert.equal(languageOf(hinting('', 'de', 'en'), 'en'), 'de')
  assert.equal(languageOf(hinting('', undefined, 'de'), 'en'), 'de')
})

test('a hint without a language that we have gives way to the next one', () => {
  assert.equal(languageOf(hinting('', 'xx', 'de'), 'en'), 'de')
  assert.equal(languageOf(hinting('', ['de'], 'tlh, de'), 'en'), 'de')
  assert.equal(languageOf(hinting('', undefined), 'de'), 'de')
})
