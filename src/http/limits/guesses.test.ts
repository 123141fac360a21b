import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Budget, type Draw, type SharedCounts } from './budget.ts'
import { Guesses } from './guesses.ts'

const POLICY = { name: 'event-passwords', count: 2, seconds: 60 }
const NOW = 1_000_000_000

/** Guesses whose budget is shared with processes that reply when they are told to. */
function openGuesses(): { guesses: Guesses; reply: () => Promise<void>; drawn: Draw[] } {
  const waiting: (() => void)[] = []
  let sum = 0
  const counts: SharedCounts = {
    add: (_key, points) =>
      new Promise((resolve) => {
        sum += points
        const total = sum
        waiting.push(() => resolve(total))
      }),
    forget: () => undefined,
  }
  const guesses = new Guesses(new Budget({ policy: POLICY, now: () => NOW, counts }), () => NOW)
  const reply = async (): Promise<void> => {
    await nextTurn()
    for (const tell of waiting.splice(0)) tell()
    await nextTurn()
  }
  return { guesses, reply, drawn: [] }
}

const guess = (password: string) => ({ client: '192.0.2.1', eventId: 5, password })

test('a try that waits for nobody is counted as soon as others reply, and ends with what is left', async () => {
  const { guesses, reply, drawn } = openGuesses()
  const note = (draw: Draw): void => void drawn.push(draw)
  for (const password of ['one', 'two']) {
    const trying = guesses.beginAtOnce(guess(password), note)
    assert.ok(trying, password)
    trying.end(false)
    await reply()
  }
  assert.deepEqual(
    drawn.map(({ left, isRefused }) => [left, isRefused]),
    [
      [1, false],
      [0, false],
    ],
  )
  assert.equal(guesses.beginAtOnce(guess('three'), note), undefined)
  assert.equal(drawn.at(-1)?.isRefused, true)
  assert.ok(guesses.beginAtOnce(guess('one'), note), 'what was tried before costs nothing')
})

test('a right password costs nothing, also when it was tried at once', async () => {
  const { guesses, reply, drawn } = openGuesses()
  const note = (draw: Draw): void => void drawn.push(draw)
  for (const password of ['right', 'also right', 'right as well']) {
    const trying = guesses.beginAtOnce(guess(password), note)
    assert.ok(trying, password)
    trying.end(true)
    await reply()
  }
  assert.ok(drawn.every(({ isRefused }) => !isRefused))
})
