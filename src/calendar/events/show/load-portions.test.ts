import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inPortions } from './load.ts'

const LONG = 'x'.repeat(300_000)

test('others are let in between events with long descriptions, and the order stays', async () => {
  const seen: string[] = []
  const reader = { pause: async () => void seen.push('pause') }
  const rows = ['short', LONG, 'short', LONG, LONG].map((description, id) => ({ id, description }))
  const made = await inPortions(reader, rows, (portion) => {
    seen.push(portion.map(({ id }) => id).join())
    return portion.map(({ id }) => id)
  })
  assert.deepEqual(made, [0, 1, 2, 3, 4])
  assert.deepEqual(seen, ['0,1', 'pause', '2,3', 'pause', '4'])
})

test('usual events are made in one go, and none are none', async () => {
  const reader = { pause: () => assert.fail('a usual list lets nobody in') }
  const rows = Array.from({ length: 50 }, (_none, id) => ({ id, description: 'y'.repeat(4000) }))
  assert.deepEqual(
    await inPortions(reader, rows, (portion, first) => portion.map(({ id }) => id - first - portion.length)),
    rows.map(({ id }) => id - 50),
  )
  assert.deepEqual(await inPortions(reader, [], () => []), [])
})
