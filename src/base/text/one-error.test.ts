import assert from 'node:assert/strict'
import test from 'node:test'
import { isOneErrorApart } from './one-error.ts'

const WORD = 'felsenkeller'

test('each single typing error is found, wherever it is', () => {
  for (let at = 0; at < WORD.length; at += 1) {
    const [before, after] = [WORD.slice(0, at), WORD.slice(at + 1)]
    const swapped = before + (WORD[at + 1] ?? '') + (WORD[at] ?? '') + WORD.slice(at + 2)
    for (const typed of [before + after, `${before}x${after}`, `${before}x${WORD.slice(at)}`, swapped])
      if (typed !== WORD) assert.ok(isOneErrorApart(WORD, typed), typed)
  }
  assert.ok(isOneErrorApart(WORD, `${WORD}x`))
})

test('equal words and two errors are none', () => {
  for (const typed of [WORD, 'felsenkelx', 'xelsenkellex', 'eflsenkelelr', `${WORD}xx`, ''])
    assert.ok(!isOneErrorApart(WORD, typed), typed)
})
