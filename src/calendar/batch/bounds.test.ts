import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BatchBounds } from './bounds.ts'

const TOO_MUCH = { code: 'batch_too_much' }

test('a batch that is made as a whole has ten seconds, and another one its time', () => {
  let at = 5
  const now = () => at
  const whole = new BatchBounds(now, { isAtomic: true })
  const each = new BatchBounds(now, { isAtomic: false })
  at += 10_000
  whole.requireRoom()
  at += 1
  assert.throws(() => whole.requireRoom(), TOO_MUCH)
  each.requireRoom()
})

test('what references repeat and what is answered has an end', () => {
  const bounds = new BatchBounds(() => 0, { isAtomic: false })
  bounds.refer('a'.repeat(262_142))
  bounds.refer(10)
  assert.throws(() => bounds.refer(1), TOO_MUCH)
  bounds.answer(8 * 1024 ** 2)
  bounds.requireRoom()
  bounds.answer(1)
  assert.throws(() => bounds.requireRoom(), TOO_MUCH)
})
