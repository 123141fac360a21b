import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { openTestStorage } from '../../../../test/support/test-storage.ts'
import { fail } from '../../../base/errors.ts'
import type { SiteClient } from '../readers/site/site-client.ts'
import type { AdoptImage } from './images.ts'
import { fetchSiteImages, type SiteImageDeps } from './site-images.ts'
import { provenanceOf } from './store-items.ts'

const ADDRESS = 'https://there.example/up/a.png'

/** Fetches one image, which is always there, and takes it in like that. */
async function fetchWith(t: TestContext, adoptImage: AdoptImage, others: Partial<SiteImageDeps> = {}) {
  const storage = await openTestStorage('sqlite', t)
  const response = { status: 200, headers: {}, bytes: Buffer.from('image'), url: ADDRESS }
  const client: SiteClient = {
    ask: async () => ({ ok: true, response, json: undefined }),
    sent: () => 0,
    close: () => undefined,
  }
  const api = { root: ADDRESS, at: () => ADDRESS, reach: () => ADDRESS, zone: undefined, isKalends: false }
  const deps = { storage, adoptImage, client, api, authorization: undefined, concurrency: 1, limit: 1_000, owner: 1 }
  const fetching = fetchSiteImages(new Map([[ADDRESS, 7]]), { ...deps, onImage: () => undefined, ...others })
  return { storage, fetching }
}

test('an image for which the server is too busy is tried again', async (t) => {
  let tries = 0
  const { fetching } = await fetchWith(t, async () => {
    tries += 1
    if (tries < 3) throw fail('rest_unavailable')
    return { ok: true, id: 5 }
  })
  const found = await fetching
  assert.deepEqual([found.ids.get(ADDRESS), found.fetched, found.notes], [5, 1, []])
})

test('a server that stays too busy leaves the image out and says so, and other errors end the import', async (t) => {
  const { fetching } = await fetchWith(t, async () => {
    throw fail('rest_unavailable')
  })
  const found = await fetching
  assert.deepEqual([found.ids.size, found.fetched], [0, 0])
  assert.equal(found.notes[0]?.why, 'import.problem.busyForImage')
  const broken = await fetchWith(t, async () => {
    throw new Error('broken')
  })
  await assert.rejects(broken.fetching, { message: 'broken' })
})

test('an image that was cut is fetched again', async (t) => {
  let tries = 0
  const { fetching } = await fetchWith(
    t,
    async ({ bytes }) => (bytes.length < 3 ? { ok: false, reason: 'not_an_image' } : { ok: true, id: 5 }),
    {
      client: {
        ask: async () => {
          tries += 1
          const bytes = Buffer.from('image').subarray(0, tries)
          return { ok: true, response: { status: 200, headers: {}, bytes, url: ADDRESS }, json: undefined }
        },
        sent: () => 0,
        close: () => undefined,
      },
    },
  )
  // One of the answers was about its texts.
  assert.deepEqual([(await fetching).fetched, tries], [1, 3])
})

test('an image is known by its address from the transaction on that stores it', async (t) => {
  const { storage, fetching } = await fetchWith(t, async ({ note }) => {
    // The storage is open by then.
    await (await opened).storage.write((tx) => note(tx, 5))
    throw new Error('the process ends')
  })
  const opened = Promise.resolve({ storage })
  await assert.rejects(fetching, { message: 'the process ends' })
  const known = await provenanceOf(storage, ADDRESS, 'picture')
  assert.deepEqual(
    [...known].map(([address, { item_id }]) => [address, item_id]),
    [[ADDRESS, 5]],
  )
})

test('of a Kalends each image is asked for its text, because its list does not take ids', async (t) => {
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
  const { fetching } = await fetchWith(
    t,
    async ({ alt }) => {
      alts.push(alt)
      return { ok: true, id: 5 }
    },
    { client, api },
  )
  await fetching
  assert.deepEqual(alts, ['A boat & a pier'])
})
