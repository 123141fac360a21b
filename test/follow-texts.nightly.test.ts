import assert from 'node:assert/strict'
import test from 'node:test'
import type { TestApp } from './support/app.ts'
import { openFollowing, TIMES } from './support/following.ts'
import { paint } from './support/images.ts'
import { upload } from './support/upload.ts'

test('what is said of images follows, although no item has changed, now and then', async (t) => {
  const { source, copy, send, bring } = await openFollowing(t)
  const { body: image } = await upload(source, 'administrator', { bytes: await paint(60, 40).png().toBuffer() })
  await send('POST', '/events', { ...TIMES, title: 'Boats', image: image.id })
  const addressAt = ({ origin }: TestApp): string => `${origin}/wp-json/wp/v2/media/${image.id}`
  const say = (alt_text: string) => send('POST', addressAt(source), { alt_text })
  const said = async (): Promise<string> => (await copy.call('administrator', 'GET', addressAt(copy))).body.alt_text
  await say('One boat')
  assert.equal((await bring()).walked, true)
  assert.equal(await said(), 'One boat')
  await say('Two boats')
  assert.equal((await bring()).changed, false)
  assert.equal(await said(), 'Two boats')
  await say('Three boats')
  await bring()
  assert.equal(await said(), 'Two boats', 'the whole list is not read at each look')
  copy.clock.now += 5 * 60_000
  await bring()
  assert.equal(await said(), 'Three boats')
})
