import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import test, { after } from 'node:test'
import { openTestApp } from './support/app.ts'
import { gif, movingWebp, pngWithTexts } from './support/image-bombs.ts'
import { bomb, openRemoteSite, paint } from './support/images.ts'
import { openDataFolder, startServer } from './support/server.ts'
import { upload } from './support/upload.ts'

const app = await openTestApp({ after }, { fetchAllow: '127.0.0.1' })
const small = await paint(9, 9).webp().toBuffer()
const BOMBS: Readonly<Record<string, Buffer>> = {
  header: await bomb(60_000, 60_000),
  place: gif([1, 1], 1, [60_000, 60_000]),
  frames: gif([1, 1], 700_000),
  moving: movingWebp(small, [5000, 5000], 40),
  cut: small.subarray(0, 40),
}

test('bombs are refused with the codes of every image that is none, uploaded or fetched', async (t) => {
  const pages = Object.entries(BOMBS).map(([name, bytes]) => [`/${name}`, bytes] as const)
  const remote = await openRemoteSite(
    t,
    Object.fromEntries(pages.map(([path, bytes]) => [path, (response) => response.end(bytes)])),
  )
  const times = { start_date: '2027-01-01 10:00:00', end_date: '2027-01-01 12:00:00' }
  for (const [name, bytes] of Object.entries(BOMBS)) {
    const sent = await upload(app, 'author', { bytes })
    assert.deepEqual(
      [sent.status, sent.body.code, Object.keys(sent.body.data.params)],
      [400, 'rest_invalid_param', ['file']],
    )
    const json = { title: name, ...times, image: `${remote.origin}/${name}` }
    const { status, body } = await app.call('author', 'POST', '/events', { json })
    assert.deepEqual([status, body.code, Object.keys(body.data.params)], [400, 'rest_invalid_param', ['image']], name)
  }
})

test('a PNG whose texts inflate to a gigabyte is refused, and the next image is stored', async () => {
  const refused = await upload(app, 'author', { bytes: pngWithTexts(64, 16) })
  assert.deepEqual([refused.status, refused.body.code], [400, 'rest_invalid_param'])
  const { status, body } = await upload(app, 'author', { bytes: pngWithTexts(1, 1) })
  assert.deepEqual([status, body.image.width, body.image.height], [201, 8, 8])
})

test('the server itself never loads the library that decodes', { skip: !existsSync('/proc/self/maps') }, async (t) => {
  const data = await openDataFolder(t)
  const { origin, child, output } = await startServer(data)
  const [, password] = /^ {2}Password +(.+)$/m.exec(output()) ?? []
  assert.ok(password !== undefined, output())
  const authorization = (): string => `Basic ${Buffer.from(`admin:${password.trim()}`).toString('base64')}`
  assert.equal((await upload({ origin, authorization }, 'author', { bytes: small })).status, 201)
  assert.ok(!(await readFile(`/proc/${child.pid}/maps`, 'utf8')).includes('libvips'))
})
