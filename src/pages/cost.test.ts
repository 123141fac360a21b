import assert from 'node:assert/strict'
import test from 'node:test'
import type { EventRow } from '../calendar/events/index.ts'
import { costText } from './cards.ts'
import { contextOf } from './page-context.ts'

function written(cost: string, language: string, currencySymbol = '€'): string {
  const urls = { page: (path: string) => `https://calendar.example${path}` } as Parameters<typeof contextOf>[0]['urls']
  const context = contextOf({ language, urls, now: 0, mount: { language: '', prefix: '', namespace: '' } })
  const event = { row: { cost } as EventRow } as Parameters<typeof costText>[0]
  return costText(event, { site: { currencySymbol }, context }).replaceAll(/[\u00a0\u202f]/g, ' ')
}

test('amounts are written as readers of the language write them', () => {
  for (const [cost, language, text] of [
    ['22', 'en', '€22'],
    ['22€', 'en', '€22'],
    ['€ 22', 'de', '22 €'],
    ['12.5', 'de', '12,50 €'],
    ['EUR 12', 'fr', '12 €'],
    ['1,000', 'de', '1.000 €'],
    ['12, 28', 'en', '€12 – €28'],
    ['$12 – $28', 'en', '$12 – $28'],
    ['15 zł', 'pl', '15 zł'],
  ] as const)
    assert.equal(written(cost, language), text, cost)
  assert.equal(written('5', 'de', '$'), '5 $')
})

test('words for nothing are said in the language of the page', () => {
  for (const cost of ['Free', 'gratis', '0', '€0', 'Eintritt frei'])
    assert.equal(written(cost, 'de'), 'Kostenlos', cost)
  assert.equal(written('Free, 10', 'de'), 'Kostenlos – 10 €')
})

test('a text stays as it was written', () => {
  for (const cost of [
    '',
    '€15 at the door',
    'Free, donations welcome',
    '€12 / $15',
    '10 % off',
    '15 points',
    'Pay what you can',
  ])
    assert.equal(written(cost, 'de'), cost, cost)
})
