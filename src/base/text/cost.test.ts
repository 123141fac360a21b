import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../test/support/any-text.ts'
import { draws } from '../../../test/support/draws.ts'
import { type PresentedCost, presentCost, readCost, type SiteCurrency } from './cost.ts'

const DOLLAR: SiteCurrency = { symbol: '$', position: 'prefix' }

function present(value: unknown, site = DOLLAR): PresentedCost {
  const read = readCost(value)
  assert.ok(read.ok, JSON.stringify(value))
  return presentCost(read.cost, site)
}

/** Rows of: sent, cost, symbol, position, values. */
type Row = readonly [unknown, string, string, string, readonly string[]]

function presents(rows: readonly Row[]): void {
  for (const [sent, cost, symbol, position, values] of rows) {
    const shown = present(sent)
    const details = { currency_symbol: symbol, currency_code: '', currency_position: position, values }
    assert.deepEqual(shown, { cost, cost_details: details }, JSON.stringify(sent))
    assert.deepEqual(Object.keys(shown.cost_details), Object.keys(details))
  }
}

test('costs read and show as on the wire', () => {
  presents([
    ['15', '$15', '', '', ['15']],
    [15, '$15', '', '', ['15']],
    ['15.50', '$15.50', '', '', ['15.50']],
    ['$15.50', '$15.50', '$', 'prefix', ['15.50']],
    ['€ 20', '€20', '€', 'prefix', ['20']],
    ['20 €', '20€', '€', 'postfix', ['20']],
    ['20$', '20$', '$', 'postfix', ['20']],
    ['15 USD', '15USD', 'USD', 'postfix', ['15']],
    ['10-20', '$10 – $20', '', '', ['10', '20']],
    ['5 or 10', '$5 – $10', '', '', ['5', '10']],
    ['30-15', '$15 – $30', '', '', ['15', '30']],
    [[10, 20], '$10 – $20', '', '', ['10', '20']],
    [['$10', '$20'], '$10 – $20', '$', 'prefix', ['10', '20']],
    ['$0', 'Free', '$', 'prefix', ['0']],
    ['0.00', 'Free', '', '', ['0.00']],
    ['free', 'free', '', '', ['free']],
    ['Free', 'Free', '', '', ['free']],
    ['Donation, $5', '$5', '$', 'prefix', ['5']],
  ])
})

test('what the wire gets wrong is read as people mean it', () => {
  presents([
    [0, 'Free', '', '', ['0']],
    ['0', 'Free', '', '', ['0']],
    ['1,000.50', '$1,000.50', '', '', ['1000.50']],
    ['$1,000', '$1,000', '$', 'prefix', ['1000']],
    ['$15 - $30', '$15 – $30', '$', 'prefix', ['15', '30']],
    ['£5-£9', '£5 – £9', '£', 'prefix', ['5', '9']],
    ['$10,$20', '$10 – $20', '$', 'prefix', ['10', '20']],
    ['$5+', '$5', '$', 'prefix', ['5']],
    ['$5 at door', '$5', '$', 'prefix', ['5']],
    ['5 at the door', '$5', '', '', ['5']],
    ['-5', '-$5', '', '', ['-5']],
    [[-5, 3], '-$5 – $3', '', '', ['-5', '3']],
    ['Free - $20', 'Free – $20', '$', 'prefix', ['0', '20']],
    ['$10, €20', '$10, €20', '', '', ['10', '20']],
    ['10% off', '10% off', '', '', ['10-off']],
  ])
})

test('numbers are read in the ways of many countries', () => {
  for (const [typed, values] of [
    ['15,50', ['15.50']],
    ['1.000,50 €', ['1000.50']],
    ['1 000 kr', ['1000']],
    ["Fr. 1'000.50", ['1000.50']],
    ['Rs. 1,00,000', ['100000']],
    ['1.000.000', ['1000000']],
    ['0.125', ['0.125']],
    ['1000.500', ['1000.500']],
    ['$.50', ['0.50']],
    ['10,20,30', ['10', '20', '30']],
    ['10.50,20.50', ['10.50', '20.50']],
    ['10,50, 20,50', ['10.50', '20.50']],
    ['10, 10.00', ['10']],
    ['99999999999999999999, 99999999999999999998', ['99999999999999999998', '99999999999999999999']],
  ] as const) {
    assert.deepEqual(present(typed).cost_details.values, values, typed)
  }
})

test('no cost is sent as null, an empty text or an empty array', () => {
  const none = { currency_symbol: '', currency_code: '', currency_position: '', values: [] }
  for (const value of [null, undefined, '', '  ', [], [null, ''], '<b></b>']) {
    assert.deepEqual(readCost(value), { ok: true, cost: { text: '', symbol: '', position: '' } })
    assert.deepEqual(present(value), { cost: '', cost_details: none })
  }
})

test('other shapes are no cost', () => {
  for (const value of [true, false, {}, [[1]], [{}], [true], Number.NaN, Infinity, 1e30, 1e-9, 'x'.repeat(2001)]) {
    assert.deepEqual(readCost(value), { ok: false })
  }
})

test('the currency of the site stands where the text names none', () => {
  assert.equal(present('5-9', { symbol: '€', position: 'postfix' }).cost, '5€ – 9€')
  assert.equal(present('£5', { symbol: '€', position: 'postfix' }).cost, '£5')
})

test('a text is shown as text: tags removed, markup characters encoded', () => {
  assert.equal(present('<b>Kids</b> &lt; six & all').cost, 'Kids &lt; six &amp; all')
})

const number = fc.oneof(
  fc.nat(2000).map(String),
  fc.tuple(fc.nat(2000), fc.integer({ min: 10, max: 99 })).map(([whole, cents]) => `${whole}.${cents}`),
  fc.tuple(fc.nat(2000), fc.integer({ min: 10, max: 99 })).map(([whole, cents]) => `${whole},${cents}`),
  fc.nat(5_000_000).map((whole) => whole.toLocaleString('en')),
  fc.nat(5_000_000).map((whole) => whole.toLocaleString('fr')),
  fc.nat(5_000_000).map((whole) => `${whole.toLocaleString('de-CH')}.05`),
)
const symbol = fc.constantFrom('', '$', '€', '£', 'US$', 'CHF', 'kr', 'Kč', 'zł', 'Rs.', 'USD', '円')
const site = fc.record<SiteCurrency>({
  symbol: fc.constantFrom('$', '€', 'CHF', 'kr.', 'R$'),
  position: fc.constantFrom('prefix', 'postfix'),
})
const priceList = fc
  .record({
    numbers: fc.array(number, { minLength: 1, maxLength: 3 }),
    symbol,
    gap: fc.constantFrom('', ' '),
    prefix: fc.boolean(),
    separator: fc.constantFrom(' - ', ' – ', ', ', ' or ', ' / ', '-', ' to '),
  })
  .map(({ numbers, symbol, gap, prefix, separator }) =>
    numbers.map((digits) => (prefix ? `${symbol}${gap}${digits}` : `${digits}${gap}${symbol}`)).join(separator),
  )

test('the shown text sent back means the same', () => {
  fc.assert(
    fc.property(fc.oneof(priceList, anyText), site, (sent, currency) => {
      const shown = present(sent, currency)
      const again = present(shown.cost, currency)
      assert.equal(again.cost, shown.cost)
      const ends = (values: readonly string[]) => [values.at(0), values.at(-1)]
      if (!shown.cost.includes('Free'))
        assert.deepEqual(ends(again.cost_details.values), ends(shown.cost_details.values))
    }),
    { numRuns: draws(2000) },
  )
})

test('values are decimal texts in ascending order', () => {
  fc.assert(
    fc.property(priceList, (sent) => {
      const { values } = present(sent).cost_details
      for (const value of values) assert.match(value, /^-?\d+(?:\.\d+)?$/)
      for (const [index, value] of values.slice(1).entries()) assert.ok(Number(values[index]) < Number(value))
    }),
  )
})
