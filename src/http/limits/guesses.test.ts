import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Budget, type Draw } from './budget.ts'
import { Guesses } from './guesses.ts'

const POLICY = { name: 'event-passwords', count: 2, seconds: 60 }
const NOW = 1_000_000_000

function openGuesses(): { guesses: Guesses; drawn: Draw[]; note: (draw: Draw) => void } {
  const drawn: Draw[] = []
  const guesses = new Guesses(new Budget({ policy: POLICY, now: () => NOW }), () => NOW)
  return { guesses, drawn, note: (draw) => void drawn.push(draw) }
}

const guess = (password: string) => ({ client: '192.0.2.1', eventId: 5, password })

test('each wrong password is counted once, and too many others are not tried', () => {
  const { guesses, drawn, note } = openGuesses()
  for (const password of ['one', 'two']) {
    const trying = guesses.begin(guess(password), note)
    assert.ok(trying, password)
    trying.end(false)
  }
  assert.deepEqual(
    drawn.map(({ left, isRefused }) => [left, isRefused]),
    [
      [1, false],
      [0, false],
    ],
  )
  assert.equal(guesses.begin(guess('three'), note), undefined)
  assert.equal(drawn.at(-1)?.isRefused, true)
  assert.ok(guesses.begin(guess('one'), note), 'what was tried before costs nothing')
})

test('a right password costs nothing', () => {
  const { guesses, drawn, note } = openGuesses()
  for (const password of ['right', 'also right', 'right as well']) {
    const trying = guesses.begin(guess(password), note)
    assert.ok(trying, password)
    trying.end(true)
  }
  assert.ok(drawn.every(({ isRefused }) => !isRefused))
})
