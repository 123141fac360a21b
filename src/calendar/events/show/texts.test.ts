import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FragmentStore } from '../../../http/cache/fragments.ts'
import { Versions } from '../../../http/cache/versions.ts'
import { cachedTexts } from './texts.ts'

test('a text is kept without the memory that others had beside it, and is the one that its list has', async () => {
  const lookup = new FragmentStore(10_000, new Versions())
  const form = {
    name: '/events',
    make: async (ids: readonly number[]) =>
      ids.map((id) => ({ id, text: Buffer.from(`"event ${id}"`), dependencies: [] })),
  }
  const { texts: listed } = await cachedTexts(lookup, [7, 8], form)
  assert.deepEqual(listed.map(String), ['"event 7"', '"event 8"'])
  for (const text of listed) assert.equal(text.buffer.byteLength, text.length)
  assert.equal(lookup.of('/events').get(7)?.text, listed[0])
  assert.equal((await cachedTexts(lookup, [8, 9], form)).texts[0], listed[1])
})
