import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BatchBounds } from './bounds.ts'

const TOO_MUCH = { code: 'batch_too_much' }
const FREE = { now: () => 0, isAtomic: false, spend: undefined, charged: 0 }

test('a batch that is made as a whole has ten seconds, and another one its time', () => {
  let at = 5
  const now = () => at
  const whole = new BatchBounds({ ...FREE, now, isAtomic: true })
  const each = new BatchBounds({ ...FREE, now })
  at += 10_000
  whole.requireRoom()
  at += 1
  assert.throws(() => whole.requireRoom(), TOO_MUCH)
  each.requireRoom()
})

test('what references repeat and what is answered has an end', () => {
  const bounds = new BatchBounds(FREE)
  bounds.refer('a'.repeat(262_142))
  bounds.refer(10)
  assert.throws(() => bounds.refer(1), TOO_MUCH)
  bounds.answer(8 * 1024 ** 2)
  bounds.requireRoom()
  bounds.answer(1)
  assert.throws(() => bounds.requireRoom(), TOO_MUCH)
})

test('a batch changes 10,000 rows at most, and charges those that nobody has paid for yet', () => {
  const spent: number[] = []
  const bounds = new BatchBounds({ ...FREE, spend: (rows) => void spent.push(rows), charged: 4_999 })
  bounds.write(4_999)
  bounds.write(1)
  bounds.write(5_000)
  assert.deepEqual(spent, [1, 5_000])
  assert.throws(() => bounds.write(1), TOO_MUCH)
})
