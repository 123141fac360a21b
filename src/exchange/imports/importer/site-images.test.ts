import assert from 'node:assert/strict'
import test from 'node:test'
import { fail } from '../../../base/errors.ts'
import type { SiteClient } from '../readers/site/site-client.ts'
import { type AdoptImage, fetchImages, type ImageDeps } from './site-images.ts'

const ADDRESS = 'https://there.example/up/a.png'

/** Fetches one image, which is always there, and takes it in like that. */
function fetchWith(adopt: AdoptImage, others: Partial<ImageDeps> = {}) {
  const response = { status: 200, headers: {}, bytes: Buffer.from('image'), url: ADDRESS }
  const client: SiteClient = {
    ask: async () => ({ ok: true, response, json: undefined }),
    sent: () => 0,
    close: () => undefined,
  }
  const api = { root: ADDRESS, at: () => ADDRESS, reach: () => ADDRESS, zone: undefined, isKalends: false }
  return fetchImages(new Map([[ADDRESS, 7]]), {
    ...{ adopt, client, api, authorization: undefined, concurrency: 1, limit: 1_000, owner: 1, provenance: new Map() },
    ...{
      isHere: async () => new Set(),
      keep: async () => undefined,
      note: async () => undefined,
      isDryRun: false,
      onImage: () => undefined,
    },
    ...others,
  })
}

test('an image for which the server is too busy is tried again', async () => {
  let tries = 0
  const found = await fetchWith(async () => {
    tries += 1
    if (tries < 3) throw fail('rest_unavailable')
    return { ok: true, id: 5 }
  })
  assert.deepEqual([found.ids.get(ADDRESS), found.fetched, found.skipped], [5, 1, []])
})

test('a server that stays too busy leaves the image out and says so, and other errors end the import', async () => {
  const found = await fetchWith(async () => {
    throw fail('rest_unavailable')
  })
  assert.deepEqual([found.ids.size, found.fetched], [0, 0])
  assert.match(found.skipped[0]?.why ?? '', /too busy/)
  const broken = fetchWith(async () => {
    throw new Error('broken')
  })
  await assert.rejects(broken, { message: 'broken' })
})

test('an image is known by its address from the transaction on that stores it', async () => {
  const noted: [string, number][] = []
  const ended = fetchWith(
    async ({ note }) => {
      await note(undefined as never, 5)
      throw new Error('the process ends')
    },
    { note: async (_tx, address, { item_id }) => void noted.push([address, item_id]) },
  )
  await assert.rejects(ended, { message: 'the process ends' })
  assert.deepEqual(noted, [[ADDRESS, 5]])
})

test('of a Kalends each image is asked for its text, because its list does not take ids', async () => {
  const media: Readonly<Record<string, unknown>> = {
    '/media': [{ id: 8, alt_text: 'Another one' }],
    '/media/7': { id: 7, alt_text: 'A boat &amp; a pier' },
  }
  const alts: string[] = []
  const client: SiteClient = {
    ask: async (url) => {
      const json = media[new URL(url).pathname]
      return { ok: true, response: { status: 200, headers: {}, bytes: Buffer.from('image'), url }, json }
    },
    sent: () => 0,
    close: () => undefined,
  }
  const at = (path: string) => `https://there.example${path}`
  const api = { root: ADDRESS, at, reach: (address: string) => address, zone: undefined, isKalends: true }
  await fetchImages(new Map([[ADDRESS, 7]]), {
    ...{ client, api, authorization: undefined, concurrency: 1, limit: 1_000, owner: 1, provenance: new Map() },
    ...{ isHere: async () => new Set(), keep: async () => undefined, note: async () => undefined },
    ...{ isDryRun: false, onImage: () => undefined },
    adopt: async ({ alt }) => {
      alts.push(alt)
      return { ok: true, id: 5 }
    },
  })
  assert.deepEqual(alts, ['A boat & a pier'])
})
