import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES } from './languages.ts'
import { localeOf } from './translate.ts'

test('all languages have a clock of 24 hours and the digits of addresses', () => {
  for (const language of LANGUAGES) {
    const text = new Intl.DateTimeFormat(localeOf(language), { timeStyle: 'short', timeZone: 'UTC' }).format(
      Date.UTC(2026, 10, 28, 19, 30),
    )
    assert.equal(text, '19:30', language)
  }
})
