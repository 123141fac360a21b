import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { draws } from './support/draws.ts'
import { paint } from './support/images.ts'
import { administratorOf } from './support/processes.ts'
import { startServer } from './support/server.ts'
import { TEST_ENGINE } from './support/test-engine.ts'
import { testFolder } from './support/test-storage.ts'

const ROUNDS = draws(60, 15)

interface Media {
  readonly id: number
  readonly image: { readonly url: string; readonly sizes: Record<string, { readonly url: string }> }
}

test('a picture that one request deletes while another sends the same one keeps its files', async (t) => {
  const data = testFolder(t)
  const start = async () => {
    const server = await startServer(data)
    t.after(() => server.stop('SIGTERM'))
    return server
  }
  const servers = TEST_ENGINE === 'sqlite' ? [await start()] : [await start(), await start()]
  const [first] = servers
  if (first === undefined) throw new Error('no server')
  const headers = { authorization: administratorOf(first), connection: 'close' }
  const png = new Uint8Array(await paint(400, 300).png().toBuffer())
  const origin = (turn: number): string => servers[turn % servers.length]?.origin ?? ''
  const upload = async (turn: number): Promise<Media> => {
    const body = new FormData()
    body.set('file', new File([png], 'a.png'))
    const answer = await fetch(`${origin(turn)}/kalends/v1/media`, { method: 'POST', headers, body })
    assert.equal(answer.status, 201)
    return (await answer.json()) as Media
  }
  const remove = async ({ id }: Media, turn: number): Promise<void> => {
    const answer = await fetch(`${origin(turn)}/kalends/v1/media/${id}`, { method: 'DELETE', headers })
    assert.equal(answer.status, 200)
  }
  const statusesOf = ({ image }: Media): Promise<number[]> => {
    const urls = [image.url, ...Object.values(image.sizes).map(({ url }) => url)]
    const paths = [...new Set(urls.map((url) => new URL(url).pathname))]
    return Promise.all(paths.map(async (path) => (await fetch(origin(0) + path, { headers })).status))
  }

  let length = 0
  let kept = await upload(0)
  const all = (await statusesOf(kept)).map(() => 200)
  assert.ok(all.length >= 3)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const begun = performance.now()
    const uploading = upload(round)
    // At some moment of the upload, which takes about as long as the last one.
    await sleep(Math.random() * length)
    const removing = remove(kept, round + 1)
    kept = await uploading
    length = performance.now() - begun
    await removing
    assert.deepEqual(await statusesOf(kept), all, `round ${round}`)
  }
  await remove(kept, 0)
  assert.deepEqual(
    await statusesOf(kept),
    all.map(() => 404),
  )
})
