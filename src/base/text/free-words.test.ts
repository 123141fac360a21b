import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costRange } from './cost.ts'

const FREE = [
  ...[
    'Free',
    'free!',
    'FREE admission',
    'Free entry',
    'Free, donations welcome',
    'Free of charge',
    '(free)',
    'Free for all ages',
  ],
  ...[
    'Admission free',
    'Entry is free',
    'No cover',
    'Eintritt frei',
    'Eintritt: frei',
    'Der Eintritt ist frei',
    'Freier Eintritt',
  ],
  ...[
    'kostenlos',
    'Kostenlose Teilnahme',
    'frei',
    'gratis',
    'Gratis, Anmeldung nötig',
    'Teilnahme kostenfrei',
    'Gratuit',
  ],
  ...[
    'Entrée libre',
    'Entrée gratuite',
    'Gratuit sur inscription',
    'Entrada libre',
    'Entrada gratuita',
    'Ingresso libero',
  ],
  ...[
    'Ingresso gratuito con prenotazione',
    'Toegang gratis',
    'Vrije toegang',
    'Grátis',
    'Entrada livre',
    'Entrada franca',
  ],
  ...[
    'Wstęp wolny',
    'WSTĘP BEZPŁATNY',
    'za darmo',
    'Bezpłatny',
    '無料',
    '入場無料',
    '参加費無料（要予約）',
    '参加費は無料',
  ],
  ...[
    '免费',
    '免费入场',
    '入場免費',
    'مجاني',
    'مجانًا',
    "L'ingresso è libero",
    'الدخول مجاني',
    'دخول حر',
    'Kostenlos für alle',
    '0',
    '0 €',
    '€0.00',
    '0,00 zł',
  ],
]

const OTHERS = [
  ...[
    'Donation',
    'Prix libre',
    'Freewill offering',
    'Free will offering',
    'Freiwillige Spende',
    'Frei wählbar',
    'Not free',
  ],
  ...[
    'Free for members',
    'Kostenlos für Mitglieder',
    'Gratuit pour les enfants',
    'Freedom ticket',
    'Gratisticket',
    '10% off',
  ],
]

test('a cost is nothing where it begins with words for that, or where all its amounts are zero', () => {
  for (const text of FREE) assert.deepEqual(costRange(text), { low: 0, high: 0 }, text)
  for (const text of OTHERS) assert.equal(costRange(text), undefined, text)
})

test('beside amounts only a part that says just that is nothing', () => {
  for (const text of ['Free - $10', 'Eintritt frei / Workshop 10 €', '10 € oder kostenlos', 'Gratis, 10']) {
    assert.deepEqual(costRange(text), { low: 0, high: 10 }, text)
  }
  for (const text of ['Free parking, $10', '10 €, free drinks', 'Admission $10']) {
    assert.deepEqual(costRange(text), { low: 10, high: 10 }, text)
  }
})
