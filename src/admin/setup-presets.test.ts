import assert from 'node:assert/strict'
import test from 'node:test'
import { presetsFrom } from './setup-presets.ts'

const CASES = [
  ['de', 'de', '€', 'postfix'],
  ['de-CH,de;q=0.9,en;q=0.8', 'de', 'CHF', 'prefix'],
  ['en-US,en;q=0.5', 'en', '$', 'prefix'],
  ['en-GB', 'en', '£', 'prefix'],
  ['en-IE', 'en', '€', 'prefix'],
  ['pl,en;q=0.3', 'pl', 'zł', 'postfix'],
  ['ja-JP', 'ja', '¥', 'prefix'],
  ['nl-NL', 'nl', '€', 'prefix'],
  ['pt-BR', 'pt', 'R$', 'prefix'],
  ['sv-SE,en;q=0.8', 'en', 'kr', 'postfix'],
] as const

for (const [header, language, symbol, position] of CASES)
  test(`${header} presets ${language} and ${symbol}`, () => {
    const { language: preset, currency } = presetsFrom(header)
    assert.equal(preset, language)
    assert.match(currency?.symbol ?? '', /^.{1,10}$/u)
    assert.deepEqual({ ...currency, symbol: currency?.symbol.replace('￥', '¥') }, { symbol, position })
  })

for (const header of [undefined, '', '*', 'x', '..;q', 'en-AQ'])
  test(`${header} presets no currency`, () => assert.equal(presetsFrom(header).currency, undefined))
