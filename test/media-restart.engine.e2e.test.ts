import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paint } from './support/images.ts'
import { kalends, openDataFolder, startServer } from './support/server.ts'
import { upload } from './support/upload.ts'

test('pictures are there again after the server was killed', async (t) => {
  const data = await openDataFolder(t)
  await kalends('user', 'add', 'ann', '--role', 'author', '--email', 'ann@example.org', '--data', data)
  const { password } = JSON.parse(await kalends('password', 'add', 'ann', '--json', '--data', data))
  const authorization = (): string => `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`
  const first = await startServer(data)
  const bytes = await paint(400, 320).png().toBuffer()
  const { body } = await upload({ origin: first.origin, authorization }, 'author', { bytes })
  const files: readonly string[] = [body.image.url, body.image.sizes.medium.url, body.image.sizes.thumbnail.url]
  const pathOf = (url: string): string => new URL(url).pathname
  const load = async (origin: string) =>
    Promise.all(files.map(async (url) => Buffer.from(await (await fetch(origin + pathOf(url))).arrayBuffer())))
  const before = await load(first.origin)
  await first.stop('SIGKILL')
  const second = await startServer(data)
  assert.deepEqual(await load(second.origin), before)
  const headers = { authorization: authorization() }
  const kept = await (await fetch(`${second.origin}/kalends/v1/media/${body.id}`, { headers })).text()
  assert.match(kept, new RegExp(`"title":"boat".*${pathOf(body.image.url)}`))
})
